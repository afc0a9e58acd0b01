// The project's file: the name of a profile, folders, the catalog of services, and the policy. A pull request can change
// it, so it has no field that directs a key or runs a command.
import { relative } from "node:path";
import { Failure } from "../failure.ts";
import { policySchema } from "../incident/policy.ts";
import { catalogSchema } from "../incident/schemas.ts";
import { array, optionals, text } from "../rules/kinds.ts";
import { readSettings, unusableSettings } from "../source/check.ts";
import { type FileDeps, readSource } from "../source/read-source.ts";
import { parseSource } from "../source/yaml/read.ts";

/** What the file says. Its catalog and its policy are empty where anything in the file is wrong. */
export type Project = ReturnType<typeof readProject>;

const fieldsSchema = () =>
  optionals({
    profile: text("visible"),
    definitions: array(text("folder")),
    templates: text("folder", { examples: ["incident-templates"] }),
    services: catalogSchema(),
    policy: policySchema(),
  });

/** `path` is absolute. Throws a `Failure` "usage" for a file that cannot be read. */
export function readProject({ files, system }: FileDeps, path: string) {
  const name = relative(system.cwd, path);
  if (path.endsWith(".yml"))
    throw new Failure("usage", `${name} is not read: its name ends in .yml`, {
      hint: "rename it to .incident.yaml; for now, --no-project ignores it",
    });
  // A link could show a file from outside the project, or a secret, as if it were the project's.
  if (!files.lstatSync(path).isFile())
    throw new Failure("usage", `${path} is not a regular file`, {
      hint: "correct or remove it; for now, --no-project ignores it",
    });
  const parsed = parseSource(readSource({ files, system }, name));
  const { diagnostics, document, value } = readSettings(parsed, fieldsSchema(), ["services", "policy"]);
  const isValid = diagnostics.length === 0;
  return {
    file: name,
    diagnostics,
    isLeftOut: false,
    services: new Map(isValid ? Object.entries(value?.services ?? {}) : []),
    ...(isValid && { policy: value?.policy }),
    /** Throws a `Failure` "usage" where anything in the file is wrong. */
    settings: () => {
      if (!isValid) throw unusableSettings(name, diagnostics, ", or leave the file out with --no-project");
      const origin = `${name}:${document?.locate(["profile"]).start.line}`;
      const profile = value?.profile;
      return { ...value, profile: profile === undefined ? undefined : { value: profile, origin } };
    },
  };
}
