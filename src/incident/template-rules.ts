// The first document of a template: its schema, and the pure rules for the values of its variables. docs/alerts.md
// describes its fields.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { once } from "../once.ts";
import { isVisible } from "../rules/forms.ts";
import * as kinds from "../rules/kinds.ts";
import { ownValue } from "../untrusted-data.ts";
import { statuses } from "./values.ts";

const { anyText, boolean, visible, mapping, oneOf, orNull, positive, recordOf, scalars } = kinds;

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
      message: visible(),
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
      dedupKey: visible({ examples: ["${groupKey}"] }),
      startedAt: visible({ examples: ["alerts.*.startsAt"] }),
      resolve: resolve(),
      variables: recordOf(orNull(variable())),
    },
    ["variables"],
  ),
);

export type TemplateVariable = kinds.ValueOf<typeof variable>;

/** Whether the first document of a file makes the file a template. */
export function isTemplate(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "variables");
}

/** The text of the variable for a value of the input; undefined for one that is blank, or that `values` lacks. */
export function writtenFor({ values }: TemplateVariable, value: string): string | undefined {
  if (values !== undefined) return ownValue(values, value);
  return isVisible(value) ? value : undefined;
}

/** Undefined where every name of `when` has a wanted value. An absent name has "". A `*` at the end stands for any text. */
export function findMismatch(
  when: ReadonlyMap<string, readonly string[]>,
  get: (name: string) => string | undefined,
) {
  for (const [name, wanted] of when) {
    const value = get(name);
    const fits = (text: string) =>
      text.endsWith("*") ? value?.startsWith(text.slice(0, -1)) : text === (value ?? "");
    if (!wanted.some(fits)) return { name, value, wanted };
  }
  return undefined;
}
