// The phrases in which the sandbox reports a violation of the service's rules, in the words of a server framework.
import { formatNames } from "../../rules/formats.ts";
import type { Violation } from "../../rules/judge.ts";
import { describeTypes, numberNames } from "../../rules/list-rules.ts";
import type { RuleKeyword } from "../../rules/rule-schema.ts";

/** One phrase, such as `services[0].accountId is required`. `whole` names the whole value. */
export function phraseOf(violation: Violation, whole: string): string {
  const at = violation.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return `${at === "" ? whole : at.replace(/^\./, "")} ${predicates[violation.keyword](violation)}`;
}

type Predicate = (violation: Violation) => string;

const predicates = {
  required: () => "is required",
  "no-other-fields": () => "is not a known field",
  type: ({ schema }) => `must be ${describeTypes(schema)}`,
  enum: ({ schema }) => `must be one of ${(schema.enum ?? []).join(", ")}`,
  format: ({ schema: { format = "x-visible-text" } }) => `must be ${formatNames[format]}`,
  pattern: ({ schema }) => `must match ${schema.pattern}`,
  minLength: (violation) => sizePredicate(violation, "Length", "characters"),
  maxLength: (violation) => sizePredicate(violation, "Length", "characters"),
  minItems: (violation) => sizePredicate(violation, "Items", "entries"),
  maxItems: (violation) => sizePredicate(violation, "Items", "entries"),
  minProperties: (violation) => sizePredicate(violation, "Properties", "fields"),
  maxProperties: (violation) => sizePredicate(violation, "Properties", "fields"),
  uniqueItems: () => "must have no repeated entry",
  minimum: ({ schema }) => `must be ${numberNames.minimum} ${schema.minimum}`,
  maximum: ({ schema }) => `must be ${numberNames.maximum} ${schema.maximum}`,
  exclusiveMinimum: ({ schema }) => `must be ${numberNames.exclusiveMinimum} ${schema.exclusiveMinimum}`,
  exclusiveMaximum: ({ schema }) => `must be ${numberNames.exclusiveMaximum} ${schema.exclusiveMaximum}`,
  multipleOf: ({ schema }) => `must be ${numberNames.multipleOf} ${schema.multipleOf}`,
  anyOf: () => "has none of the documented forms",
  oneOf: () => "has none of the documented forms",
  not: () => "has a form that is not accepted",
} as const satisfies Record<RuleKeyword, Predicate>;

const singular = { characters: "character", entries: "entry", fields: "field" } as const;

function sizePredicate(
  { keyword, schema }: Violation,
  suffix: "Length" | "Items" | "Properties",
  unit: keyof typeof singular,
): string {
  const [least, most] = [schema[`min${suffix}`], schema[`max${suffix}`]];
  const isTooSmall = keyword.startsWith("min");
  const limit = isTooSmall ? least : most;
  const bound = least === most ? "exactly" : isTooSmall ? "at least" : "at most";
  return `must have ${bound} ${limit} ${limit === 1 ? singular[unit] : unit}`;
}
