// The messages for violations of a contract: the requirement of the service, and the correction.
import type { DiagnosticMessage, Path } from "../../diagnostic.ts";
import type { RuleSchema } from "../../rules/openapi/contract.ts";
import type { Violation, ViolationKeyword } from "../../rules/openapi/judge.ts";
import { describeTypes, formatNames, numberNames } from "../../rules/openapi/rules.ts";
import { codePointLength, cutText } from "../../text/lengths.ts";
import { withSuggestion } from "../../text/suggest.ts";
import { builtInSchema, isSentField } from "./built-in-rules.ts";

/** Completes "the service requires …", and the correction. */
interface Requirement {
  readonly required: string;
  readonly hint: string;
}

export function violationMessage(violation: Violation): DiagnosticMessage {
  const { required, hint } = requirements[violation.keyword](violation);
  return { message: `the service requires ${required}`, hint };
}

const requirements = {
  required: ({ path, schema }) => {
    const field = patternOf(path);
    const name = String(path.at(-1));
    if (field === "services[].accountId") {
      return {
        required: `accountId in ${nameOf(path.slice(0, -1))}`,
        hint: "add it, or name the account that it belongs to with --account GUID",
      };
    }
    return {
      required: `${name}${inParent(path)}`,
      hint: isSentField(field)
        ? `add it, for example ${name}: ${exampleOf({ ...builtInSchema(field), ...schema })}`
        : "incident cannot send this field; --ignore-contract sends the incident without it",
    };
  },
  "no-other-fields": ({ path }) => ({
    required: `that ${String(path.at(-1))} is left out${path.length > 1 ? ` of ${nameOf(path.slice(0, -1))}` : ""}`,
    hint: "remove it",
  }),
  type: ({ path, schema, value }) => ({
    required: `${describeTypes(schema)} as ${nameOf(path)}, not ${quote(value)}`,
    hint: `write ${describeTypes(schema)}, for example ${exampleOf(schema)}`,
  }),
  enum: ({ path, schema, value }) => {
    const choices = (schema.enum ?? []).map(String);
    const list = cutText(choices.join(", "), 200);
    const close = choices.find((choice) => choice.toLowerCase() === String(value).toLowerCase());
    return {
      required: `${choices.length === 1 ? "" : "one of "}${list} as ${nameOf(path)}, not ${quote(value)}`,
      hint: withSuggestion(choices.length === 1 ? `write ${list}` : `write one of ${list}`, close),
    };
  },
  format: ({ path, schema, value }) => {
    const form = schema.format === undefined ? "another form" : formatNames[schema.format];
    return {
      required: `${form} as ${nameOf(path)}, not ${quote(value)}`,
      hint: `write ${form}, for example ${exampleOf(schema)}`,
    };
  },
  pattern: ({ path, schema, value }) => ({
    required: `that ${nameOf(path)} matches ${schema.pattern}, and ${quote(value)} does not`,
    hint: "change it so that it matches; incident contract show lists every rule",
  }),
  minLength: (violation) => sizeRequirement(violation, "characters"),
  maxLength: (violation) => sizeRequirement(violation, "characters"),
  minItems: (violation) => sizeRequirement(violation, "entries"),
  maxItems: (violation) => sizeRequirement(violation, "entries"),
  minProperties: (violation) => sizeRequirement(violation, "fields"),
  maxProperties: (violation) => sizeRequirement(violation, "fields"),
  uniqueItems: ({ path }) => ({
    required: `that every entry of ${nameOf(path)} is different`,
    hint: "remove the repeated entry",
  }),
  minimum: (violation) => numberRequirement(violation, "minimum"),
  maximum: (violation) => numberRequirement(violation, "maximum"),
  exclusiveMinimum: (violation) => numberRequirement(violation, "exclusiveMinimum"),
  exclusiveMaximum: (violation) => numberRequirement(violation, "exclusiveMaximum"),
  multipleOf: (violation) => numberRequirement(violation, "multipleOf"),
  anyOf: formRequirement,
  oneOf: formRequirement,
  not: ({ path }) => ({
    required: `another form of ${nameOf(path)}`,
    hint: "incident contract show names the form that is not accepted",
  }),
} as const satisfies Record<ViolationKeyword, (violation: Violation) => Requirement>;

function sizeRequirement(
  { path, keyword, schema, value }: Violation,
  unit: "characters" | "entries" | "fields",
): Requirement {
  const suffix = { characters: "Length", entries: "Items", fields: "Properties" } as const;
  const least = schema[`min${suffix[unit]}`];
  const most = schema[`max${suffix[unit]}`];
  const count = countOf(value);
  const name = nameOf(path);
  const limit = (keyword.startsWith("min") ? least : most) ?? 0;
  const bound = least === most ? "exactly" : keyword.startsWith("min") ? "at least" : "at most";
  const missing = Math.abs(limit - count);
  const verb = keyword.startsWith("min") ? "add" : "remove";
  const correction =
    unit === "characters"
      ? `${verb === "add" ? "lengthen" : "shorten"} it to ${bound} ${counted(limit, unit)}`
      : `${verb} ${counted(missing, unit)}`;
  return { required: `${bound} ${counted(limit, unit)} in ${name}, not ${count}`, hint: correction };
}

function numberRequirement(
  { path, schema, value }: Violation,
  keyword: keyof typeof numberNames,
): Requirement {
  const required = `${numberNames[keyword]} ${schema[keyword]}`;
  return { required: `${required} as ${nameOf(path)}, not ${quote(value)}`, hint: `write ${required}` };
}

function formRequirement({ path, schema }: Violation): Requirement {
  const forms = (schema.oneOf ?? schema.anyOf ?? []).length;
  return {
    required: `one of ${forms} forms of ${nameOf(path)}`,
    hint: "incident contract show names the place of the forms in the service's document",
  };
}

/** `entry 1 of services`, `name`, `the definition`. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the definition";
  return typeof last === "number" ? `entry ${last + 1} of ${path.at(-2) ?? "the list"}` : last;
}

function inParent(path: Path): string {
  return path.length > 1 ? ` in ${nameOf(path.slice(0, -1))}` : "";
}

/** The path as in the rules: `services[].accountId`. */
function patternOf(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? "[]" : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

function countOf(value: unknown): number {
  if (typeof value === "string") return codePointLength(value);
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

function counted(count: number, unit: "characters" | "entries" | "fields"): string {
  const one = { characters: "character", entries: "entry", fields: "field" } as const;
  return `${count} ${count === 1 ? one[unit] : unit}`;
}

function quote(value: unknown): string {
  if (typeof value === "string") return `"${cutText(value, 60)}"`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "a mapping" : String(value);
}

const formatExamples = {
  uuid: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  date: "2026-03-01",
  "date-time": "2026-03-01T09:30:00Z",
  email: "status@example.com",
  uri: "https://status.example.com",
  hostname: "status.example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
} as const satisfies Record<NonNullable<RuleSchema["format"]>, string>;

function exampleOf(schema: RuleSchema): string {
  const [value] = schema.enum ?? [];
  if (value !== undefined) return String(value);
  if (schema.format !== undefined) return formatExamples[schema.format];
  const [type = "string"] = [schema.type ?? []].flat().filter((each) => each !== "null");
  const examples = {
    string: "text",
    integer: String(schema.minimum ?? 1),
    number: String(schema.minimum ?? 1),
    boolean: "false",
    object: "{}",
    array: "[]",
    null: "null",
  } as const;
  return examples[type];
}
