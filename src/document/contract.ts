// The contract of a service: the rules of its own OpenAPI document for a create, and the other operations that it
// describes. It is a file beside the project's settings, and everyone who can open a pull request can change that file:
// it can state rules, within bounds, name parameters, fields to read and one segment of a path, and nothing else.
import * as z from "zod/mini";
import { fieldOf, isMapping, parseJson } from "../untrusted-data.ts";
import { ContractError, contractBounds, operationNames } from "./contract-terms.ts";
import { type JsonSchema, toSchema } from "./json-schema.ts";

export const contractVersion = 1;

const text = z.string().check(z.maxLength(4096));
const name = z.string().check(z.maxLength(200));
const parameter = z.string().check(z.regex(contractBounds.parameter));
const schema = z.custom<JsonSchema>(isMapping);

/** How a list is read: where its entries stand in an answer, and the parameters of its pages. */
const pages = z.strictObject({
  /** The steps from the answer to its entries; none for an answer that is the list. */
  items: z.readonly(z.array(name).check(z.maxLength(2))),
  /** Sent as it is, so that a page is as large as the service permits. `max` is absent where no maximum is documented. */
  pageSize: z.optional(
    z.strictObject({
      param: parameter,
      max: z.optional(z.int().check(z.minimum(1), z.maximum(contractBounds.page))),
    }),
  ),
  /** `cursor`: the parameter is a field of the answer. `page`: counted from `first`. Absent for one page, or unknown ones. */
  next: z.optional(
    z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("cursor"), param: parameter }),
      z.strictObject({ kind: z.literal("page"), param: parameter, first: z.optional(z.literal([0, 1])) }),
    ]),
  ),
  /** Whether the list has other pages, which no parameter that the tool knows asks for, such as an offset. */
  isPart: z.optional(z.literal(true)),
});
export type Pages = z.infer<typeof pages>;

/** `segment`: the last one of the path of an incident's updates. */
const addUpdate = z.strictObject({
  segment: z.string().check(z.regex(contractBounds.segment)),
  body: schema,
});
export type AddUpdate = z.infer<typeof addUpdate>;

const edit = z.strictObject({
  method: z.enum(["PUT", "PATCH"]),
  properties: z.readonly(z.array(name).check(z.maxLength(1000))),
});
export type Edit = z.infer<typeof edit>;

const operations = z.strictObject({
  list: z.optional(pages),
  addUpdate: z.optional(addUpdate),
  edit: z.optional(edit),
  services: z.optional(pages),
  accountHeader: z.optional(z.string().check(z.regex(contractBounds.accountHeader))),
  /** The operations that the document has, and describes in a form that the tool does not know. */
  unfit: z.optional(z.readonly(z.array(z.enum(operationNames)))),
});
export type Operations = Readonly<z.infer<typeof operations>>;

const contractSchema = z.strictObject({
  formatVersion: z.literal(contractVersion),
  /** `from`: a URL without credentials and query, or the name of a file. */
  source: z.strictObject({ from: text }),
  create: z.strictObject({ body: schema }),
  operations,
});
export type Contract = Readonly<z.infer<typeof contractSchema>>;

/** With sorted keys, so that the same contract gives the same bytes. */
export function renderContract(contract: Contract | JsonSchema): string {
  const sorted = (_: string, value: unknown) =>
    isMapping(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return `${JSON.stringify(contract, sorted, 2)}\n`;
}

/** Throws a `ContractError` for text that is no contract, or one over the bounds. */
export function parseContract(text: string): Contract {
  const file = parseJson(text);
  if (file === undefined) throw new ContractError("is not JSON");
  if (fieldOf(file, "formatVersion") !== contractVersion)
    throw new ContractError(`is in another format than the one that this version reads, ${contractVersion}`);
  const { data, error } = z.safeParse(contractSchema, file);
  if (data === undefined) {
    const [issue] = error.issues;
    const keys = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    throw new ContractError(`has no valid value in ${[...(issue?.path ?? []), ...keys].join(".")}`);
  }
  const { create, operations } = data;
  checkRules(create.body, "create.body");
  checkRules(operations.addUpdate?.body, "operations.addUpdate.body");
  return data;
}

/** Refuses rules that `toSchema` changes: this tool did not write them. */
function checkRules(rules: JsonSchema = {}, place: string): void {
  try {
    if (renderContract(toSchema(rules, {})) === renderContract(rules)) return;
  } catch (error) {
    // Rules that are nested without an end overflow the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ContractError(`has a rule in ${place} that cannot be checked`);
}
