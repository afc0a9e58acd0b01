// The rules of the first document of a template, as a zod schema.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import * as z from "zod/mini";
import { atLeast, noted } from "../rules/schema.ts";
import { withCommas } from "../text/lengths.ts";
import { defaultMaxLength, statuses } from "./values.ts";

const notBlank = z.string().check(atLeast(1));

const variable = z.strictObject({
  values: noted(z.optional(z.record(z.string(), z.string())), {
    description: "What to write for each value of the input; no other value is written.",
    examples: [{ page: "CRITICAL", warning: "MAJOR" }],
  }),
  otherwise: noted(z.optional(z.string()), {
    description:
      "What to write for a value that is absent, blank or not in values, or that a rule refuses; ${name} reads the input.",
  }),
  maxLength: noted(z.optional(z.int().check(z.minimum(1))), {
    description: `The most characters of a value: a longer one is cut; ${withCommas(defaultMaxLength)} unless you say otherwise.`,
  }),
});

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const wanted = z.union([z.string(), z.number(), z.boolean(), z.array(scalar).check(atLeast(1))]);

const conditions = z.record(z.string(), noted(wanted, { examples: ["firing"] }));

const resolve = z.strictObject({
  when: noted(conditions, {
    description:
      "The values of the input for which the alert is over; it must hold for all that the key covers.",
    examples: [{ status: "resolved" }],
  }),
  status: noted(z.optional(z.enum(statuses)), {
    description:
      "The status to post; RESOLVED unless you say otherwise. MONITORING leaves the last word to a person.",
    "x-code": "unknown-status",
    "x-noun": "status",
  }),
  message: noted(z.optional(notBlank), {
    description: 'What customers read then; "The problem is over." unless you say otherwise.',
  }),
  notifySubscribers: noted(z.optional(z.boolean()), {
    description: "Whether subscribers are told; false unless you say otherwise.",
  }),
});

/** `region:` alone declares a variable as well. */
export const templateSchema = noted(
  z.strictObject({
    when: noted(z.optional(conditions), {
      description:
        "The values of the input, by their names, for which an incident is declared; else none is. A * at the end of a value stands for any text.",
      examples: [{ status: "firing" }],
    }),
    dedupKey: noted(z.optional(notBlank), {
      description: "The text that --dedup-key has where it is not given; ${name} reads the input.",
      examples: ["${groupKey}"],
    }),
    startedAt: noted(z.optional(notBlank), {
      description:
        "The name of the start time in the input; a * in it stands for each entry of a list. An alert with the start time of an incident that is over declares nothing.",
      examples: ["alerts.*.startsAt"],
    }),
    resolve: noted(z.optional(resolve), {
      description: "When the alert is over, and the update that is then posted to its open incident.",
    }),
    variables: noted(z.record(z.string(), z.nullable(variable)), {
      description: "The variables of the template, by their names.",
    }),
  }),
  { title: "Template variables", description: "The variables that the definition below uses." },
);

export type TemplateVariable = z.infer<typeof variable>;
