// The rules of a whole contract in words: of the body, and of the requests that carry it.

import { listRules } from "../../rules/list-rules.ts";
import type { Contract, ContractOperation, ContractParameter } from "../../rules/openapi/contract.ts";
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
  const all = create.body === undefined ? [] : listRules(create.body, `${create.at}/requestBody`);
  // A field that is never sent cannot break a rule, unless it is required.
  const body = all.filter(({ field, keyword }) => ownRules(field) !== undefined || keyword === "required");
  return [
    ...body.map((rule) => ({ rule: rule.text, at: rule.at, builtIn: isBuiltIn(rule) })),
    ...[
      ...requestRules("a create", create, createPath, documentedAccountHeader),
      ...requestRules("a read", get, `${createPath}/{}`, documentedAccountHeader),
    ].map(({ rule, at, builtIn }) => ({ rule, at, builtIn })),
  ];
}

/** The headers that the client sends anyway, beside that of the account. */
const sentHeaders = /^(?:authorization|accept|content-type)$/i;

interface RequestRule extends ContractRule {
  /** The part of the request that the rule is about: a header, a query parameter, or another one. */
  readonly kind: ContractParameter["in"] | "path" | "body" | "key";
}

/** The rules about how an operation is called. `accountHeader` is the header that names the account, in lower case. */
export function requestRules(
  name: string,
  { at, mediaTypes, parameters, path, security }: ContractOperation,
  expected: string,
  accountHeader: string,
): readonly RequestRule[] {
  const rule = (kind: RequestRule["kind"], text: string, part?: string): RequestRule => ({
    kind,
    rule: `${name} ${text}`,
    at: part === undefined ? at : pointerTo(at, part),
    builtIn: false,
  });
  const isSent = ({ in: place, name: header }: ContractParameter) =>
    place === "header" && (sentHeaders.test(header) || header.toLowerCase() === accountHeader);
  return [
    ...(path.replace(/\{[^}]*\}/g, "{}") === expected ? [] : [rule("path", `is sent to ${path}`)]),
    ...parameters
      .filter(({ required }) => required)
      .map((parameter) => ({
        ...rule(
          parameter.in,
          `needs the ${parameter.in === "header" ? "header" : "query parameter"} ${parameter.name}`,
          "parameters",
        ),
        builtIn: isSent(parameter),
      })),
    ...(mediaTypes.length === 0 || mediaTypes.some((type) => /json\b|^\*\/\*/i.test(type))
      ? []
      : [rule("body", `is sent as ${mediaTypes.join(" or ")}`, "requestBody")]),
    ...(security.length === 0 || security.includes("bearer")
      ? []
      : [rule("key", `is authorized with ${security.join(" or ")}`, "security")]),
  ];
}
