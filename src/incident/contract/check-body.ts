// Checks the requests of a definition against a contract: the bodies that would be sent, with the fields that the tool
// fills in.
import type { DiagnosticMessage, Path } from "../../diagnostic.ts";
import { createJudge, type Violation } from "../../rules/judge.ts";
import { wordsFor } from "../../rules/messages.ts";
import type { Contract } from "../../rules/openapi/contract.ts";
import type { AddUpdate } from "../../rules/openapi/operations.ts";
import type { RuleKeyword } from "../../rules/rule-schema.ts";
import { rulesAt } from "../../rules/schema-facts.ts";
import { propertiesOf } from "../../rules/schema-forms.ts";
import { fieldOf, isMapping } from "../../untrusted-data.ts";
import { createBody } from "../create-body.ts";
import { type Definition, definitionRules, type Update } from "../definition.ts";
import { updateBody } from "./update-body.ts";

export interface BrokenRule extends DiagnosticMessage {
  /** The path of the value in the definition, or of the field that is missing. */
  readonly path: Path;
  readonly isName: boolean;
}

/** Takes a definition, or the value of one with errors, and returns the rules that it breaks. */
export type CheckBody = (definition: unknown) => readonly BrokenRule[];

/** Stands for an id or account that is only known when the body is sent. */
export const unknownGuid = "00000000-0000-4000-8000-000000000000";

/** `account` is the account of the settings; undefined where none is sent. */
export function createBodyCheck({ create, operations }: Contract, account: string | undefined): CheckBody {
  if (create.body === undefined) return () => [];
  const judge = createJudge(create.body);
  const checkUpdate = operations?.addUpdate && createUpdateCheck(operations.addUpdate);
  const sentForm = (definition: unknown) =>
    isMapping(definition)
      ? createBody(definition as Definition, (definition.id ?? unknownGuid) as string, account)
      : definition;
  return (definition) => {
    const whole = sentForm(definition);
    const updates = fieldOf(whole, "incidentUpdates");
    // The first update is in the create, and each other one is a request of its own.
    const isSplit = checkUpdate !== undefined && isMapping(whole) && Array.isArray(updates);
    const created = isSplit ? { ...whole, incidentUpdates: updates.slice(0, 1) } : whole;
    const later = isSplit ? updates.slice(1) : [];
    return [
      ...judge(created).filter(isSent).map(toBrokenRule),
      ...later.flatMap((update, at) => checkUpdate?.(update, at + 1) ?? []),
    ];
  };
}

/** Takes an update of a definition, and its place there. */
export function createUpdateCheck(
  operation: Pick<AddUpdate, "body">,
): (update: unknown, at: number) => readonly BrokenRule[] {
  const judge = createJudge(operation.body);
  const named = propertiesOf(operation.body);
  return (update, at) => {
    if (!isMapping(update)) return [];
    // Where the document names an id, one is sent. The id of a person is checked, although it may be left out.
    const { notifySubscribers, ...written } = update;
    const filled = updateBody(operation, update as unknown as Update);
    const whole = {
      ...(named.has("id") && { id: unknownGuid }),
      ...written,
      ...filled,
      ...(notifySubscribers === true && { notifySubscribers }),
    };
    return judge(whole)
      .filter(isSent)
      .map((each) => toBrokenRule({ ...each, path: ["incidentUpdates", at, ...each.path] }));
  };
}

/** The tool sends no id to a service that refuses one. */
function isSent({ keyword, path }: Violation): boolean {
  return !(keyword === "no-other-fields" && path.join() === "id");
}

function toBrokenRule(violation: Violation): BrokenRule {
  const { keyword, path, schema } = violation;
  const own = rulesAt(definitionRules, path);
  const known = keyword === "required" ? { ...violation, schema: { ...own, ...schema } } : violation;
  const { requirement, hint } = wordsFor(known, "the definition");
  return {
    path,
    isName: keyword === "no-other-fields",
    ...(keyword === "maxLength" && { mostCharacters: schema.maxLength }),
    message: `the service requires ${requirement}`,
    hint:
      keyword === "required" ? (hintForMissing(path, own !== undefined) ?? hint) : (hints[keyword] ?? hint),
  };
}

/** Corrections that concern a definition alone. */
const hints: Partial<Record<RuleKeyword, string>> = {
  "no-other-fields": "remove it",
  anyOf: "incident.contract.json has the forms",
  oneOf: "incident.contract.json has the forms",
  not: "incident.contract.json has the form that is not accepted",
};

function hintForMissing(path: Path, isSent: boolean): string | undefined {
  if (path[0] === "services" && path.length === 3 && path[2] === "accountId")
    return "add it, or name the account that it belongs to with --account GUID";
  return isSent
    ? undefined
    : "incident cannot send this field; --ignore-contract sends the incident without it";
}
