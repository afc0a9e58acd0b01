// Judges operations that stand in a file: those of a contract, and those of the cache.
import { createJudge } from "../judge.ts";
import type { RuleSchema } from "../rule-schema.ts";
import { ContractError } from "./contract.ts";
import {
  largestPage,
  longestReason,
  type Operations,
  operationNames,
  parameterPattern,
  segmentPattern,
} from "./operations.ts";

const matching = ({ source }: RegExp): RuleSchema => ({ type: "string", pattern: source });
const parameter = matching(parameterPattern);
const text = (maxLength: number): RuleSchema => ({ type: "string", maxLength });
const names: RuleSchema = { type: "array", maxItems: 1000, items: text(200) };
const record = (properties: Record<string, RuleSchema>, required = Object.keys(properties)): RuleSchema => ({
  type: "object",
  required,
  properties,
});

const pages: RuleSchema = record(
  {
    items: { type: "array", maxItems: 2, items: text(200) },
    pageSize: record({ param: parameter, max: { type: "integer", minimum: 1, maximum: largestPage } }, [
      "param",
    ]),
    next: {
      anyOf: [
        record({ kind: { enum: ["cursor"] }, param: parameter }),
        record({ kind: { enum: ["page"] }, param: parameter, first: { enum: [0, 1] } }),
      ],
    },
  },
  ["items"],
);
const segment = matching(segmentPattern);

const operationsRules = record(
  {
    list: pages,
    addUpdate: record({ segment, body: { type: "object" } }),
    edit: record({ method: { enum: ["PUT", "PATCH"] }, properties: names }),
    services: pages,
    accountHeader: matching(/^x-[a-z0-9-]*account[a-z0-9-]*$/),
    missing: {
      type: "object",
      properties: Object.fromEntries(
        [...operationNames, "accountHeader"].map((name) => [name, text(longestReason)]),
      ),
      additionalProperties: false,
    },
  },
  ["missing"],
);

/** The patterns are those above, which take linear time. */
const judge = createJudge(operationsRules);

/** Operations as a file has them. Throws a `ContractError`. The rules of bodies are judged apart. */
export function checkOperations(value: unknown): Operations {
  const [broken] = judge(value);
  if (broken === undefined) return value as Operations;
  throw new ContractError(`has no valid value in ${["operations", ...broken.path].join(".")}`);
}
