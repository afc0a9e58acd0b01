// The schema of the first document of a template. Separate from the rules for values, so that checking a definition does
// not create it.
import * as z from "zod/mini";
import type { DiagnosticCode } from "../diagnostic.ts";
import { withMeta } from "./with-meta.ts";

const notBlank = z.string().check(z.minLength(1, "blank-text" satisfies DiagnosticCode));

export const templateVariableSchema = z.strictObject({
  description: withMeta(z.optional(notBlank), { description: "What to enter, for the person who is asked." }),
  default: withMeta(z.optional(z.string()), { description: "The value where none is given." }),
  enum: withMeta(
    z.optional(z.array(z.string()).check(z.minLength(1, "empty-list" satisfies DiagnosticCode))),
    {
      description: "The only values.",
      examples: [["eu", "us"]],
    },
  ),
  pattern: withMeta(z.optional(notBlank), {
    description: "A regular expression that a part of the value must match; ^ and $ stand for its ends.",
  }),
  required: withMeta(z.optional(z.boolean()), {
    description: "Whether a value must be given; true unless there is a default.",
  }),
  maxLength: withMeta(
    z.optional(
      z.int("not-a-whole-number" satisfies DiagnosticCode).check(z.minimum(1, "not-a-whole-number")),
    ),
    { description: "The most characters of a value; 2,000 unless you say otherwise." },
  ),
  truncate: withMeta(z.optional(z.boolean()), {
    description: 'Whether a longer value is cut, and ends in "…"; an error otherwise.',
  }),
});

/** The first document of a template. `region:` alone declares a variable as well. */
export const templateVariablesSchema = withMeta(
  z.strictObject({
    variables: withMeta(z.record(z.string(), z.nullable(templateVariableSchema)), {
      description: "The variables of the template, by their names.",
    }),
  }),
  { title: "Template variables", description: "The variables that the definition below uses." },
);

export type TemplateVariable = z.infer<typeof templateVariableSchema>;
