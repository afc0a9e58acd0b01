// The rules of a whole contract in words: of the body, and of the requests that carry it.

import { listRules, type Rule } from "../../rules/list-rules.ts";
import type { Contract, ContractOperation } from "../../rules/openapi/contract.ts";
import { createPath } from "../../rules/openapi/find-operation.ts";
import { pointerTo } from "../../rules/pointer.ts";
import { isBuiltIn, ownRules } from "./sent-fields.ts";

export interface ContractRule {
  /** `services[].accountId is required`. */
  readonly rule: string;
  /** Where it stands in the document, as a JSON pointer. */
  readonly at: string;
  /** Whether the tool satisfies the rule without the contract. */
  readonly builtIn: boolean;
}

/** The name of the account header in the spec (spec 4.1). */
const documentedAccountHeader = "x-service-account";

export function listContractRules({ create, get }: Contract): readonly ContractRule[] {
  return [
    ...bodyRules(create).map((rule) => ({ rule: rule.text, at: rule.at, builtIn: isBuiltIn(rule) })),
    ...[
      ...requestRules("a create", create, documentedAccountHeader),
      ...requestRules("a read", get, documentedAccountHeader),
    ].map(({ rule, at, builtIn }) => ({ rule, at, builtIn })),
  ];
}

/** The rules that concern a part of the body that is sent, or that must be there. */
export function bodyRules({ at, body }: ContractOperation): readonly Rule[] {
  return listRules(body ?? {}, `${at}/requestBody`).filter(
    ({ field, keyword }) =>
      ownRules(field) !== undefined || (keyword === "required" && ownRules(parentOf(field)) !== undefined),
  );
}

function parentOf(field: string): string {
  return field.includes(".") ? field.slice(0, field.lastIndexOf(".")) : "";
}

/** The headers that the client sends anyway, beside that of the account. */
export const sentHeaders = /^(?:authorization|accept|content-type)$/i;

interface RequestRule extends ContractRule {
  readonly isPath?: boolean;
}

/** The rules about how an operation is called. `accountHeader` is the header that names the account, in lower case. */
export function* requestRules(
  name: "a create" | "a read",
  { at, mediaTypes, parameters, path, security }: ContractOperation,
  accountHeader: string,
): Generator<RequestRule> {
  const expected = name === "a create" ? createPath : `${createPath}/{}`;
  const rule = (text: string, part?: string): RequestRule => ({
    rule: `${name} ${text}`,
    at: part === undefined ? at : pointerTo(at, part),
    builtIn: false,
  });
  if (path.replace(/\{[^}]*\}/g, "{}") !== expected) yield { ...rule(`is sent to ${path}`), isPath: true };
  for (const { in: place, name: needed } of parameters.filter(({ required }) => required)) {
    const kind = place === "header" ? "header" : "query parameter";
    const isSent = sentHeaders.test(needed) || needed.toLowerCase() === accountHeader;
    yield { ...rule(`needs the ${kind} ${needed}`, "parameters"), builtIn: place === "header" && isSent };
  }
  if (mediaTypes.length > 0 && !mediaTypes.some((type) => /json\b|^\*\/\*/i.test(type)))
    yield rule(`is sent as ${mediaTypes.join(" or ")}`, "requestBody");
  if (security.length > 0 && !security.includes("bearer"))
    yield rule(`is authorized with ${security.join(" or ")}`, "security");
}
