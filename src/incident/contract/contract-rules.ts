// The rules of a whole contract in words: of the body, and of the requests that carry it.

import { listRules } from "../../rules/list-rules.ts";
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

/** Every rule, those of the body first. */
export function listContractRules({ create, get }: Contract): readonly ContractRule[] {
  const all = create.body === undefined ? [] : listRules(create.body, `${create.at}/requestBody`);
  // A field that is never sent cannot break a rule, unless it is required.
  const body = all.filter(({ field, keyword }) => ownRules(field) !== undefined || keyword === "required");
  return [
    ...body.map((rule) => ({ rule: rule.text, at: rule.at, builtIn: isBuiltIn(rule) })),
    ...requestRules("a create", create, createPath),
    ...requestRules("a read", get, `${createPath}/{}`),
  ];
}

/** The headers that the client sends anyway; that of the account is a setting. */
const sentHeaders = /^(?:authorization|accept|content-type|x-service-account)$/i;

function requestRules(name: string, operation: ContractOperation, expected: string): readonly ContractRule[] {
  const { at, mediaTypes, parameters, path, security } = operation;
  const required = parameters.filter((parameter) => parameter.required);
  return [
    ...(path.replace(/\{[^}]*\}/g, "{}") === expected
      ? []
      : [{ rule: `${name} is sent to ${path}`, at, builtIn: false }]),
    ...required.map((parameter) => ({
      rule: `${name} has the ${parameter.in === "header" ? "header" : "query parameter"} ${parameter.name}`,
      at: pointerTo(at, "parameters"),
      builtIn: parameter.in === "header" && sentHeaders.test(parameter.name),
    })),
    ...(mediaTypes.length === 0 || mediaTypes.some((type) => /json\b|^\*\/\*/i.test(type))
      ? []
      : [
          {
            rule: `${name} is sent as ${mediaTypes.join(" or ")}`,
            at: pointerTo(at, "requestBody"),
            builtIn: false,
          },
        ]),
    ...(security.length === 0 || security.includes("bearer")
      ? []
      : [
          {
            rule: `${name} is authorized with ${security.join(" or ")}`,
            at: pointerTo(at, "security"),
            builtIn: false,
          },
        ]),
  ];
}
