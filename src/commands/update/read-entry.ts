// Reads the update of a command line, from its flags or a file, and checks it as the update of a definition.
import type { Locate, Location, Path } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { CheckBody } from "../../incident/contract/check-body.ts";
import type { Update } from "../../incident/definition.ts";
import { type Severity, severities } from "../../incident/values.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { AddUpdate } from "../../rules/openapi/operations.ts";
import { argv } from "../../text/advice.ts";
import { type Fields, fieldOf, isMapping } from "../../untrusted-data.ts";
import { createOverride, flagOf } from "../shared/flag-overrides.ts";
import { invalidFailure } from "../shared/invalid-failure.ts";
import { readPolicy } from "../shared/load-options.ts";
import type { UpdateFlags } from "./spec.ts";

/** Stands for the fields that an update does not change. */
const standIn = {
  name: "An incident",
  services: [{ name: "A service", id: "00000000-0000-4000-8000-000000000000" }],
};

/** An update before it is checked. `locate`: in the file that it is from. */
export interface ReadEntry {
  readonly entry: Fields;
  readonly locate?: Locate | undefined;
}

/** Undefined without a text. Throws a `Failure`. */
export async function readEntry(context: RunContext, flags: UpdateFlags): Promise<ReadEntry | undefined> {
  const read: ReadEntry = flags.file === undefined ? { entry: {} } : await readFile(context, flags.file);
  const { message, noNotify, notify, status } = flags;
  const override = await createOverride(context, { message, noNotify, notify, status }, () => {
    throw new Error("an update has no services");
  });
  if (flags.file === undefined && message === undefined) return undefined;
  const changed = override?.({ incidentUpdates: [read.entry] }) as
    | { readonly incidentUpdates: readonly [Fields] }
    | undefined;
  return { ...read, entry: changed?.incidentUpdates[0] ?? read.entry };
}

async function readFile(context: RunContext, file: string): Promise<ReadEntry> {
  const { readSourceOrStdin } = await import("../../source/read-source.ts");
  const { parseSource } = await import("../../source/documents.ts");
  const source = await readSourceOrStdin(context, file);
  const { diagnostics, documents } = parseSource(source);
  if (diagnostics.length > 0)
    throw invalidFailure(diagnostics, "correct the problems above; nothing was sent");
  const [document, ...others] = documents;
  const entry = document?.value;
  if (isMapping(entry) && ("incidentUpdates" in entry || "services" in entry)) {
    throw new Failure(
      "usage",
      `${source.file} is a whole definition, and an update is one entry of incidentUpdates`,
      {
        hint: "nothing was sent; incident apply posts the updates that a definition has and the service lacks",
        commands: [
          { command: argv`incident apply -f ${file}`, purpose: "bring the service to what the file says" },
        ],
      },
    );
  }
  if (isMapping(entry) && others.length === 0) return { entry, locate: document?.locate };
  throw new Failure("usage", `${source.file} is not one update`, {
    hint: "write the fields of one entry of incidentUpdates, such as status and description; nothing was sent",
  });
}

interface KnownOfIncident {
  /** The policy says which severities may notify. */
  readonly severity?: string;
  /** Its body has rules of the service. */
  readonly addUpdate?: AddUpdate | undefined;
}

/** Checks it by the rules of definitions, of the policy of the project, and of the service. */
export async function checkEntry(
  context: RunContext,
  flags: Pick<UpdateFlags, "ignoreContract">,
  { entry, locate: locateInFile }: ReadEntry,
  { addUpdate, severity }: KnownOfIncident = {},
): Promise<Update> {
  const { checkDefinition, defaultLoadOptions } = await import("../../source/definitions.ts");
  const policy = await readPolicy(context);
  const known = severities.find((each) => each === severity) ?? ("MINOR" satisfies Severity);
  const paths = new Map<Location, Path>();
  const position = { line: 1, column: 1 };
  const locate: Locate = (path, ...more) => {
    const [list, , ...inEntry] = path;
    const isInFile = list === "incidentUpdates" && locateInFile !== undefined;
    const location = isInFile
      ? locateInFile(inEntry, ...more)
      : { file: "<flags>", start: position, end: position, source: "" };
    paths.set(location, path);
    return location;
  };
  const document = { ...standIn, severity: known, incidentUpdates: [entry] };
  const { diagnostics } = checkDefinition(
    document,
    {
      ...defaultLoadOptions(),
      policy: policy.check,
      contract: addUpdate && !flags.ignoreContract ? await createRulesCheck(addUpdate) : undefined,
    },
    locate,
  );
  // Its place in the history and the unchanged fields are not faults of the entry.
  const own = diagnostics.filter(
    ({ code, level, location }) =>
      level !== "warning" &&
      paths.get(location)?.[0] === "incidentUpdates" &&
      (code !== "policy-notify" || severity !== undefined),
  );
  const all = [...policy.diagnostics, ...own];
  const [first] = all;
  if (first !== undefined && locateInFile !== undefined)
    throw invalidFailure(all, "correct the problems above; nothing was sent");
  if (first !== undefined) {
    const field = String(paths.get(first.location)?.at(-1) ?? "");
    throw new Failure("usage", `${flagOf.get(field) ?? field}: ${first.message} [${first.code}]`, {
      hint: `${first.hint}; nothing was sent`,
    });
  }
  return entry as Update;
}

/** The rules of the body of an added update, at the entry of a definition. */
async function createRulesCheck(addUpdate: AddUpdate): Promise<CheckBody> {
  const { createUpdateCheck } = await import("../../incident/contract/check-body.ts");
  const check = createUpdateCheck(addUpdate);
  return (definition) => check(fieldOf(fieldOf(definition, "incidentUpdates"), "0"), 0);
}
