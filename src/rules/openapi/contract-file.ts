// The contract as a file: rendered with sorted keys, so that the same contract gives the same bytes, and read as data
// that anyone may have written.

import { ownValue } from "../../own-value.ts";
import type { CompilePattern } from "../patterns.ts";
import type { RuleSchema } from "../rule-schema.ts";
import {
  type Contract,
  ContractError,
  type ContractOperation,
  type ContractParameter,
  contractBounds,
  contractVersion,
} from "./contract.ts";
import {
  describeOmitted,
  type NormalizeOptions,
  normalizeSchema,
  type OmittedRule,
} from "./normalize-schema.ts";

import { type Node, nodeOf } from "./references.ts";

export function renderContract(contract: Contract): string {
  return `${JSON.stringify(sorted(contract), null, 2)}\n`;
}

/** Whether two contracts have the same content, wherever and whenever their documents were read. */
export function hasSameContent(one: Contract, other: Contract): boolean {
  const content = ({ create, get }: Contract) => canonical({ create, get });
  return content(one) === content(other);
}

/** Whether two parts of contracts state the same rules, wherever these stand in their documents. */
export function statesSame(one: unknown, other: unknown): boolean {
  return canonical(withoutPointers(one)) === canonical(withoutPointers(other));
}

/** Throws a `ContractError` for text that is no contract, or one over the bounds. */
export function parseContract(text: string, compilePattern: CompilePattern): Contract {
  const file = fieldsOf(parseJson(text), "the file");
  if (file.formatVersion !== contractVersion)
    throw new ContractError(`is in another format than the one that this version reads, ${contractVersion}`);
  const source = fieldsOf(file.source, "source");
  return {
    formatVersion: contractVersion,
    source: {
      from: textOf(source.from, "source.from"),
      title: textOf(source.title, "source.title"),
      digest: textOf(source.digest, "source.digest"),
      date: textOf(source.date, "source.date"),
    },
    create: parseOperation(file.create, "create", compilePattern),
    get: parseOperation(file.get, "get", compilePattern),
  };
}

function parseOperation(value: unknown, name: string, compilePattern: CompilePattern): ContractOperation {
  const operation = fieldsOf(value, name);
  const schemaAt = (schema: unknown, field: string, direction: NormalizeOptions["direction"]) =>
    parseSchema(schema, `${name}.${field}`, { direction, compilePattern });
  const path = textOf(operation.path, `${name}.path`);
  if (!path.startsWith("/")) throw new ContractError(`has no path in ${name}.path`);
  const answers = Object.entries(fieldsOf(operation.answers, `${name}.answers`)).map(
    ([status, schema]) => [status, schemaAt(schema, `answers.${status}`, "answer")] as const,
  );
  return {
    path,
    at: textOf(operation.at, `${name}.at`),
    parameters: listOf(operation.parameters, `${name}.parameters`).map((each, index): ContractParameter => {
      const field = `parameters.${index}`;
      const parameter = fieldsOf(each, `${name}.${field}`);
      return {
        in: parameter.in === "query" ? "query" : "header",
        name: textOf(parameter.name, `${name}.${field}.name`),
        required: parameter.required === true,
        schema: schemaAt(parameter.schema, `${field}.schema`, "request"),
      };
    }),
    security: textsOf(operation.security, `${name}.security`),
    mediaTypes: textsOf(operation.mediaTypes, `${name}.mediaTypes`),
    ...(operation.body !== undefined && { body: schemaAt(operation.body, "body", "request") }),
    answers: Object.fromEntries(answers),
  };
}

/** A schema of the file is normal already: normalizing it again changes nothing, or it is not one that this tool wrote. */
function parseSchema(
  value: unknown,
  name: string,
  options: Pick<NormalizeOptions, "direction" | "compilePattern">,
): RuleSchema {
  const node = fieldsOf(value, name);
  const refuse = (problem: string) => {
    throw new ContractError(`has a rule in ${name} that cannot be judged: ${problem}`);
  };
  const onOmitted = (rule: OmittedRule) => refuse(describeOmitted(rule));
  const normal = normalizeSchema({ value: node, at: "#" }, { ...options, root: {}, onOmitted });
  if (canonical(normal) !== canonical(withoutPointers(node))) refuse("it is not in the form of a contract");
  return node as RuleSchema;
}

function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** Leaves out pointers, which are text: a field of the body can have the name of one as well. */
function withoutPointers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPointers);
  const node = nodeOf(value);
  if (node === undefined) return value;
  const isPointer = (name: string, field: unknown) => /^(?:x-)?at$/.test(name) && typeof field === "string";
  const fields = Object.entries(node).filter(([name, field]) => !isPointer(name, field));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutPointers(field)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const node = nodeOf(value);
  if (node === undefined) return value;
  const names = Object.keys(node).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(ownValue(node, name))]));
}

function parseJson(text: string): unknown {
  // The walks of a value recurse.
  if (deepest(text) > 4 * contractBounds.depth) throw new ContractError("is nested too deeply");
  try {
    return JSON.parse(text);
  } catch {
    throw new ContractError("is not JSON");
  }
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

function fieldsOf(value: unknown, name: string): Node {
  const node = nodeOf(value);
  if (node === undefined) throw new ContractError(`has no fields in ${name}`);
  return node;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > contractBounds.values)
    throw new ContractError(`has no list in ${name}, or one that is too long`);
  return value;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== "string" || value.length > 4096)
    throw new ContractError(`has no text in ${name}, or one that is too long`);
  return value;
}

function textsOf(value: unknown, name: string): readonly string[] {
  return listOf(value, name).map((entry) => textOf(entry, name));
}
