// The contract of a service: the rules of its own OpenAPI document for a create, and the other operations that it
// describes. It is a file beside the project's settings, and everyone who can open a pull request can change that file:
// it can state rules, within bounds, and nothing else.
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { fieldOf, isMapping, parseJson } from "../untrusted-data.ts";
import { ContractError } from "./contract-error.ts";
import { type JsonSchema, toSchema } from "./json-schema.ts";
import {
  largestPage,
  type Operations,
  operationNames,
  parameterPattern,
  segmentPattern,
} from "./operations.ts";

export const contractVersion = 1;

export interface Contract {
  readonly formatVersion: typeof contractVersion;
  /** `from`: a URL without credentials and query, or the name of a file. */
  readonly source: { readonly from: string };
  readonly create: { readonly body?: JsonSchema | undefined };
  /** The other operations that the document describes. A file without it says nothing about that. */
  readonly operations?: Operations | undefined;
}

const text = z.string().check(z.maxLength(4096));
const name = z.string().check(z.maxLength(200));
const parameter = z.string().check(z.regex(parameterPattern));
const schema = z.custom<JsonSchema>(isMapping);
const pages = z.strictObject({
  items: z.array(name).check(z.maxLength(2)),
  pageSize: z.optional(
    z.strictObject({
      param: parameter,
      max: z.optional(z.int().check(z.minimum(1), z.maximum(largestPage))),
    }),
  ),
  next: z.optional(
    z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("cursor"), param: parameter }),
      z.strictObject({ kind: z.literal("page"), param: parameter, first: z.literal([0, 1]) }),
    ]),
  ),
});
const contractSchema = z.strictObject({
  formatVersion: z.literal(contractVersion),
  source: z.strictObject({ from: text }),
  create: z.strictObject({ body: z.optional(schema) }),
  operations: z.optional(
    z.strictObject({
      list: z.optional(pages),
      addUpdate: z.optional(
        z.strictObject({ segment: z.string().check(z.regex(segmentPattern)), body: schema }),
      ),
      edit: z.optional(
        z.strictObject({
          method: z.enum(["PUT", "PATCH"]),
          properties: z.array(name).check(z.maxLength(1000)),
        }),
      ),
      services: z.optional(pages),
      accountHeader: z.optional(z.string().check(z.regex(/^x-[a-z0-9-]*account[a-z0-9-]*$/))),
      unfit: z.optional(z.array(z.enum(operationNames))),
    }),
  ),
});

/** With sorted keys, so that the same contract gives the same bytes. */
export function renderContract(contract: Contract): string {
  return `${JSON.stringify(contract, sortFields, 2)}\n`;
}

function sortFields(_: string, value: unknown): unknown {
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Throws a `ContractError` for text that is no contract, or one over the bounds. */
export function parseContract(text: string): Contract {
  const file = parseJson(text);
  if (file === undefined) throw new ContractError("is not JSON");
  if (fieldOf(file, "formatVersion") !== contractVersion)
    throw new ContractError(`is in another format than the one that this version reads, ${contractVersion}`);
  const { data, error } = z.safeParse(contractSchema, file);
  if (data === undefined) throw new ContractError(`has no valid value in ${placeOf(error.issues[0])}`);
  const { create, operations } = data as Contract;
  checkRules(create.body, "create.body");
  checkRules(operations?.addUpdate?.body, "operations.addUpdate.body");
  return data as Contract;
}

function placeOf(issue: z.core.$ZodIssue | undefined): string {
  const keys = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return [...(issue?.path ?? []), ...keys].join(".");
}

/** Refuses rules that `toSchema` changes: this tool did not write them. */
function checkRules(rules: JsonSchema = {}, place: string): void {
  const refuse = (problem: string) => {
    throw new ContractError(`has a rule in ${place} that cannot be checked: ${problem}`);
  };
  const plain = toSchema(rules, { root: {}, direction: "request", onLeft: refuse });
  if (!isDeepStrictEqual(plain, rules)) refuse("it is not in the form of a contract");
}
