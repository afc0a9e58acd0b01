// Compares how the service's document says that the two operations are called and answered with how the tool calls
// them and reads their answers.
import { ownValue } from "../../own-value.ts";
import type { Contract, ContractOperation } from "../../rules/openapi/contract.ts";
import { createPath } from "../../rules/openapi/find-operation.ts";
import type { RuleSchema } from "../../rules/rule-schema.ts";
import { requestRules } from "./contract-rules.ts";

export interface Difference {
  /** One sentence: the fact in the document. */
  readonly message: string;
  /** Whether a create can be refused after a local check, or an answer be misread. */
  readonly matters: boolean;
  /** One sentence: the mend, or the reason why it does not matter. */
  readonly hint: string;
}

export function harmful(message: string, hint: string): Difference {
  return { message, matters: true, hint };
}

export function harmless(message: string, hint: string): Difference {
  return { message, matters: false, hint };
}

export interface RequestFacts {
  readonly live: Pick<Contract, "create" | "get">;
  /** The header that names the account, lower case. */
  readonly accountHeader: string;
  /** False where the account of the settings is none. */
  readonly sendsAccount: boolean;
}

export function compareRequests(facts: RequestFacts): readonly Difference[] {
  const { create, get } = facts.live;
  return [
    ...compareCall("a create", create, createPath, facts),
    ...compareCall("a read", get, `${createPath}/{}`, facts),
    ...compareAnswer("a create", create, "201"),
    ...compareAnswer("a read", get, "200"),
    ...compareErrors("a create", create),
    ...compareErrors("a read", get),
  ];
}

const newer = "incident cannot send it so: a newer version may";

function compareCall(
  name: string,
  operation: ContractOperation,
  expected: string,
  { accountHeader, sendsAccount }: RequestFacts,
): readonly Difference[] {
  const headers = operation.parameters.filter(
    (parameter) =>
      parameter.in === "header" && !/^(authorization|accept|content-type)$/i.test(parameter.name),
  );
  const account = headers.find((header) => header.name.toLowerCase() === accountHeader);
  const isLost = headers.length > 0 && account === undefined && sendsAccount;
  const broken = requestRules(name, operation, expected, accountHeader).filter(({ builtIn }) => !builtIn);
  return [
    ...(isLost
      ? [
          harmful(
            `${name} has no header ${accountHeader}, but ${headers.map((header) => header.name).join(", ")}`,
            "set accountHeader in the profile to the one that names the account",
          ),
        ]
      : []),
    ...(account?.required && !sendsAccount
      ? [
          harmful(
            `${name} needs the header ${account.name}`,
            "set the account in the settings; it is none now",
          ),
        ]
      : []),
    ...broken
      // One of the other headers is probably that of the account.
      .filter(({ kind }) => !isLost || kind !== "header")
      .map(({ kind, rule }) =>
        harmful(rule, kind === "path" ? `${newer}; check that the base URL is right` : newer),
      ),
  ];
}

function compareAnswer(name: string, { answers }: ContractOperation, success: string): readonly Difference[] {
  const statuses = Object.keys(answers);
  const status = statuses.find((each) => each === success) ?? statuses.find((each) => covers(each, success));
  if (statuses.length > 0 && status === undefined) {
    const hint = `incident takes ${success} alone for success, and looks for the incident after any other answer`;
    return [harmful(`${name} is answered with ${statuses.join(", ")}, and not with ${success}`, hint)];
  }
  const fields = fieldsOf(ownValue(answers, status ?? ""));
  const known =
    /^(name|severity|id|services|incidentUpdates|lastUpdateStatus|duration|created_at|updated_at)$/;
  if (fields.length > 0 && !fields.includes("id")) {
    const hint = "incident cannot read it: look after each create, and check for a newer version";
    return [harmful(`the answer to ${name} has no id, but ${fields.join(", ")}`, hint)];
  }
  return fields
    .filter((field) => !known.test(field))
    .map((field) => harmless(`the answer to ${name} has a new field: ${field}`, "-o json shows it"));
}

/** The errors that the tool tells from the answers of a proxy by their shape (spec 7). */
function compareErrors(name: string, { answers }: ContractOperation): readonly Difference[] {
  return ["400", "401", "403", "404", "409", "422", "429"].flatMap((status) => {
    const fields = fieldsOf(ownValue(answers, status));
    if (fields.length === 0 || ["statusCode", "error"].every((field) => fields.includes(field))) return [];
    const message = `the answer ${status} to ${name} has other fields than spec 7: ${fields.join(", ")}`;
    return status === "404" && name === "a read"
      ? [
          harmful(
            message,
            "incident takes it for the answer of a proxy, so that it cannot tell that an incident does not exist",
          ),
        ]
      : [harmless(message, "the exit code is the same, and the message may be less clear")];
  });
}

function covers(status: string, code: string): boolean {
  return status === code || status === "default" || status.toLowerCase() === `${code[0]}xx`;
}

function fieldsOf(schema: RuleSchema | undefined): readonly string[] {
  const forms = [...(schema?.allOf ?? []), ...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])];
  return [...Object.keys(schema?.properties ?? {}), ...forms.flatMap(fieldsOf)];
}
