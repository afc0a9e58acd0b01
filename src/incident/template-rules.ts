// The rules of the first document of a template, as a zod schema.
import * as z from "zod/mini";
import { noted, rulesFrom } from "../rules/from-zod.ts";
import { withCommas } from "../text/lengths.ts";
import { defaultMaxLength } from "./values.ts";

const notBlank = z.string().check(z.minLength(1));

const variable = z.strictObject({
  description: noted(z.optional(notBlank), { description: "What to enter, for the person who is asked." }),
  default: noted(z.optional(z.string()), { description: "The value where none is given." }),
  enum: noted(z.optional(z.array(z.string()).check(z.minLength(1))), {
    description: "The only values.",
    examples: [["eu", "us"]],
  }),
  pattern: noted(z.optional(notBlank), {
    description: "A regular expression that a part of the value must match; ^ and $ stand for its ends.",
  }),
  required: noted(z.optional(z.boolean()), {
    description: "Whether a value must be given; true unless there is a default.",
  }),
  maxLength: noted(z.optional(z.int().check(z.minimum(1))), {
    description: `The most characters of a value; ${withCommas(defaultMaxLength)} unless you say otherwise.`,
  }),
  truncate: noted(z.optional(z.boolean()), {
    description: 'Whether a longer value is cut, and ends in "…"; an error otherwise.',
  }),
});

/** `region:` alone declares a variable as well. */
const template = noted(
  z.strictObject({
    variables: noted(z.record(z.string(), z.nullable(variable)), {
      description: "The variables of the template, by their names.",
    }),
  }),
  { title: "Template variables", description: "The variables that the definition below uses." },
);

export type TemplateVariable = z.infer<typeof variable>;

export const templateRules = rulesFrom(template);
