// Judges an operation of a document: whether the tool sends everything that it needs. Each function throws a
// `ContractError` with the reason, which completes the name of the operation.
import { ContractError, type ContractOperation } from "../../rules/openapi/contract.ts";
import type { RuleSchema } from "../../rules/rule-schema.ts";
import { enumOf, propertiesOf, unknownRequired } from "../../rules/schema-forms.ts";
import { listOf } from "../../text/lengths.ts";
import { definitionRules } from "../definition.ts";
import { statuses } from "../values.ts";
import { sentHeaders } from "./contract-rules.ts";
import { ownRules } from "./sent-fields.ts";

/** It may need nothing beyond the headers of every request. */
export function checkRequest(
  { body, mediaTypes, parameters, security }: ContractOperation,
  accountHeader: string | undefined,
): void {
  const unsent = parameters.find(
    (each) =>
      each.required &&
      !(each.in === "header" && (sentHeaders.test(each.name) || each.name.toLowerCase() === accountHeader)),
  );
  if (unsent !== undefined)
    throw new ContractError(
      `needs the ${unsent.in === "header" ? "header" : "query parameter"} ${unsent.name}`,
    );
  if (
    body !== undefined &&
    mediaTypes.length > 0 &&
    !mediaTypes.some((type) => /^(?:application|\*)\/(?:json\b|\*)/i.test(type))
  )
    throw new ContractError(`is sent as ${mediaTypes.join(" or ")}`);
  if (security.length > 0 && !security.includes("bearer"))
    throw new ContractError(`is authorized with ${security.join(" or ")}`);
}

/** The rules of the body of an update. */
export function readUpdateBody({ body }: ContractOperation): RuleSchema {
  const fields = bodyFields(body, ["description", "status"]);
  const values = enumOf(fields.get("status") ?? {}) ?? [];
  const unknown = statuses.filter((status) => !values.includes(status));
  if (unknown.length > 0) throw new ContractError(`has no ${listOf(unknown, "or")} as a status in its body`);
  checkRequired(body, ownRules("incidentUpdates[]"));
  return body as RuleSchema;
}

/** The fields that the body of an edit can have. */
export function readEditFields({ body }: ContractOperation): readonly string[] {
  const fields = bodyFields(body, ["name", "severity"]);
  const { name, services, severity } = definitionRules.properties ?? {};
  checkRequired(body, { properties: { ...(name && severity && services && { name, severity, services }) } });
  return [...fields.keys()].sort();
}

function bodyFields(body: RuleSchema | undefined, names: readonly string[]) {
  const fields = propertiesOf(body ?? {});
  const missing = names.filter((name) => !fields.has(name));
  if (missing.length > 0) throw new ContractError(`has no ${missing.join(" and no ")} in its body`);
  return fields;
}

function checkRequired(body: RuleSchema = {}, known: RuleSchema = {}): void {
  const field = unknownRequired(body, known);
  if (field !== undefined)
    throw new ContractError(`requires ${field} in its body, which incident does not send`);
}
