// The schema of the first document of a template. docs/alerts.md describes its fields.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { once } from "../once.ts";
import * as kinds from "../rules/kinds.ts";
import { statuses } from "./values.ts";

const { anyText, boolean, filled, mapping, oneOf, orNull, positive, recordOf, scalars } = kinds;

const variable = once(() =>
  mapping({
    values: recordOf(anyText(), { examples: [{ page: "CRITICAL", warning: "MAJOR" }] }),
    otherwise: anyText(),
    maxLength: positive(),
  }),
);

const wanted = once(() => scalars({ examples: ["firing"] }));

const resolve = once(() =>
  mapping(
    {
      when: recordOf(wanted(), { examples: [{ status: "resolved" }] }),
      status: oneOf(statuses, { code: "unknown-status", noun: "status" }),
      message: filled(),
      notifySubscribers: boolean(),
    },
    ["when"],
  ),
);

/** `region:` alone declares a variable as well. */
export const templateSchema = once(() =>
  mapping(
    {
      when: recordOf(wanted(), { examples: [{ status: "firing" }] }),
      dedupKey: filled({ examples: ["${groupKey}"] }),
      startedAt: filled({ examples: ["alerts.*.startsAt"] }),
      resolve: resolve(),
      variables: recordOf(orNull(variable())),
    },
    ["variables"],
  ),
);

export type TemplateVariable = kinds.ValueOf<typeof variable>;
