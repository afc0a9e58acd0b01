// The changes of a command line: its update, and the fields that it edits. Checks the update as that of a definition.

import type { EditedFields } from "../../delivery/changes/edit.ts";
import type { Location, Path } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { CheckBody } from "../../incident/contract/check-body.ts";
import type { Update } from "../../incident/definition.ts";
import { type Severity, severities } from "../../incident/values.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { AddUpdate } from "../../rules/openapi/operations.ts";
import { type Fields, fieldOf } from "../../untrusted-data.ts";
import { createOverride, flagOf } from "../shared/flag-overrides.ts";
import { readPolicy } from "../shared/load-options.ts";
import type { UpdateFlags } from "./spec.ts";

/** Stands for the fields that an update does not change. */
const standIn = {
  name: "An incident",
  services: [{ name: "A service", id: "00000000-0000-4000-8000-000000000000" }],
};

export interface TypedChanges {
  /** The fields of the update, before it is checked; undefined where only fields of the incident are edited. */
  readonly entry: Fields | undefined;
  readonly fields: EditedFields;
}

/** Throws a `Failure` "usage" for a value that is none. */
export async function readChanges(context: RunContext, flags: UpdateFlags): Promise<TypedChanges> {
  const { message, name, noNotify, notify, service, severity, status } = flags;
  const { read } = await context.workspace.catalog();
  const given = { message, name, noNotify, notify, service, severity, status };
  const override = await createOverride(context, given, read);
  const document = (override?.({ incidentUpdates: [{}] }) ?? { incidentUpdates: [{}] }) as EditedFields & {
    readonly incidentUpdates: readonly [Fields];
  };
  const { incidentUpdates, ...fields } = document;
  const [entry] = incidentUpdates;
  const isEdit = Object.keys(entry).length === 0 && Object.keys(fields).length > 0;
  return { entry: isEdit ? undefined : entry, fields };
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
  entry: Fields,
  { addUpdate, severity }: KnownOfIncident = {},
): Promise<Update> {
  const { checkDefinition, defaultLoadOptions } = await import("../../source/definitions.ts");
  const policy = await readPolicy(context);
  const known = severities.find((each) => each === severity) ?? ("MINOR" satisfies Severity);
  const paths = new Map<Location, Path>();
  const position = { line: 1, column: 1 };
  const locate = (path: Path) => {
    const location = { file: "<flags>", start: position, end: position, source: "" };
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
  const [first] = [...policy.diagnostics, ...own];
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
