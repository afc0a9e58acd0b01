// The contract as a file: rendered with sorted keys, so that the same contract gives the same bytes, and read as data
// that anyone may have written.

import { type Fields, fieldOf, isMapping, ownValue, parseJson } from "../../untrusted-data.ts";
import { createJudge, sortFields } from "../judge.ts";
import type { RuleSchema } from "../rule-schema.ts";
import {
  type Contract,
  ContractError,
  type ContractOperation,
  contractBounds,
  contractVersion,
} from "./contract.ts";
import {
  describeOmitted,
  type NormalizeOptions,
  normalizeSchema,
  type OmittedRule,
} from "./normalize-schema.ts";
import type { Operations } from "./operations.ts";
import { checkOperations } from "./operations-file.ts";

export function renderContract(contract: Contract): string {
  return `${JSON.stringify(contract, sortFields, 2)}\n`;
}

/** Whether two contracts have the same content, wherever and whenever their documents were read. */
export function hasSameContent(one: Contract, other: Contract): boolean {
  const content = ({ create, get, operations }: Contract) =>
    JSON.stringify({ create, get, operations }, sortFields);
  return content(one) === content(other);
}

/** Whether two parts of contracts state the same rules, wherever these stand in their documents. */
export function statesSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => statesSame(item, other[index]));
  if (!isMapping(one) || !isMapping(other)) return one === other;
  const names = stating(one);
  return (
    names.length === stating(other).length &&
    names.every((name) => statesSame(ownValue(one, name), ownValue(other, name)))
  );
}

/** The names of all fields but the pointers, which are texts: a field of the body can have the name of one as well. */
function stating(fields: Fields): readonly string[] {
  const isPointer = (name: string) => (name === "at" || name === "x-at") && typeof fields[name] === "string";
  return Object.keys(fields).filter((name) => !isPointer(name));
}

const text: RuleSchema = { type: "string", maxLength: 4096 };
const listOf = (items: RuleSchema): RuleSchema => ({ type: "array", maxItems: contractBounds.values, items });
const recordOf = (properties: NonNullable<RuleSchema["properties"]>): RuleSchema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const operationRules = recordOf({
  path: text,
  at: text,
  parameters: listOf(
    recordOf({ in: { enum: ["header", "query"] }, name: text, required: { type: "boolean" }, schema: {} }),
  ),
  security: listOf(text),
  mediaTypes: listOf(text),
  answers: { type: "object" },
});

/** The rules of the file, without those of the schemas in it. */
const fileRules = recordOf({
  source: recordOf({ from: text, title: text, digest: text, date: text }),
  create: operationRules,
  get: operationRules,
});

/** Throws a `ContractError` for text that is no contract, or one over the bounds. */
export function parseContract(text: string): Contract {
  // The walks of a value recurse.
  if (deepest(text) > 4 * contractBounds.depth) throw new ContractError("is nested too deeply");
  const file = parseJson(text);
  if (file === undefined) throw new ContractError("is not JSON");
  if (fieldOf(file, "formatVersion") !== contractVersion)
    throw new ContractError(`is in another format than the one that this version reads, ${contractVersion}`);
  const [broken] = createJudge(fileRules)(file);
  if (broken !== undefined) throw new ContractError(`has no valid value in ${broken.path.join(".")}`);
  const contract = file as Contract;
  checkOperation(contract.create, "create");
  checkOperation(contract.get, "get");
  if (contract.operations !== undefined) parseOperations(contract.operations);
  return contract;
}

/** Operations as a contract or the cache has them. Throws a `ContractError`. */
export function parseOperations(value: unknown): Operations {
  const operations = checkOperations(value);
  const { body = {} } = operations.addUpdate ?? {};
  checkSchema(body, "operations.addUpdate.body", "request");
  return operations;
}

function checkOperation(operation: ContractOperation, name: string): void {
  const { answers, body = {}, parameters, path } = operation;
  if (!path.startsWith("/")) throw new ContractError(`has no path in ${name}.path`);
  checkSchema(body, `${name}.body`, "request");
  for (const [index, { schema }] of parameters.entries())
    checkSchema(schema, `${name}.parameters.${index}.schema`, "request");
  for (const [status, schema] of Object.entries(answers))
    checkSchema(schema, `${name}.answers.${status}`, "answer");
}

/** A schema of the file is normal already: normalizing it again changes nothing, or it is not one that this tool wrote. */
function checkSchema(schema: RuleSchema, name: string, direction: NormalizeOptions["direction"]): void {
  const refuse = (problem: string) => {
    throw new ContractError(`has a rule in ${name} that cannot be judged: ${problem}`);
  };
  const onOmitted = (rule: OmittedRule) => refuse(describeOmitted(rule));
  const normal = normalizeSchema({ value: schema, at: "#" }, { direction, root: {}, onOmitted });
  if (!statesSame(normal, schema)) refuse("it is not in the form of a contract");
}

function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  // Brackets inside of texts count as well, which only makes the bound stricter for unusual patterns.
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    most = Math.max(most, depth);
  }
  return most;
}
