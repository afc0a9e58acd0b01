// The rules of the first document of a template.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import * as kinds from "../rules/kinds.ts";
import { withCommas } from "../text/lengths.ts";
import { defaultMaxLength, statuses } from "./values.ts";

const { anyText, boolean, filled, mapping, once, oneOf, orNull, positive, recordOf, scalars } = kinds;

const variable = once(() =>
  mapping({
    values: recordOf(anyText(), {
      description: "What to write for each value of the input; no other value is written.",
      examples: [{ page: "CRITICAL", warning: "MAJOR" }],
    }),
    otherwise: anyText({
      description:
        "What to write for a value that is absent, blank or not in values, or that a rule refuses; ${name} reads the input.",
    }),
    maxLength: positive({
      description: `The most characters of a value: a longer one is cut; ${withCommas(defaultMaxLength)} unless you say otherwise.`,
    }),
  }),
);

const wanted = once(() => scalars({ examples: ["firing"] }));

const resolve = once(() =>
  mapping(
    {
      when: recordOf(wanted(), {
        description:
          "The values of the input for which the alert is over; it must hold for all that the key covers.",
        examples: [{ status: "resolved" }],
      }),
      status: oneOf(statuses, {
        description:
          "The status to post; RESOLVED unless you say otherwise. MONITORING leaves the last word to a person.",
        code: "unknown-status",
        noun: "status",
      }),
      message: filled({
        description: 'What customers read then; "The problem is over." unless you say otherwise.',
      }),
      notifySubscribers: boolean({
        description: "Whether subscribers are told; false unless you say otherwise.",
      }),
    },
    ["when"],
    { description: "When the alert is over, and the update that is then posted to its open incident." },
  ),
);

/** `region:` alone declares a variable as well. */
export const templateSchema = once(() =>
  mapping(
    {
      when: recordOf(wanted(), {
        description:
          "The values of the input, by their names, for which an incident is declared; else none is. A * at the end of a value stands for any text.",
        examples: [{ status: "firing" }],
      }),
      dedupKey: filled({
        description: "The text that --dedup-key has where it is not given; ${name} reads the input.",
        examples: ["${groupKey}"],
      }),
      startedAt: filled({
        description:
          "The name of the start time in the input; a * in it stands for each entry of a list. An alert with the start time of an incident that is over declares nothing.",
        examples: ["alerts.*.startsAt"],
      }),
      resolve: resolve(),
      variables: recordOf(orNull(variable()), {
        description: "The variables of the template, by their names.",
      }),
    },
    ["variables"],
    { title: "Template variables", description: "The variables that the definition below uses." },
  ),
);

export type TemplateVariable = kinds.ValueOf<typeof variable>;
