// The rule of a template: whether its `when` matches the input, and the key of its `dedupKey`.
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { findMismatch } from "../../incident/template.ts";
import type { Reporter } from "../../platform/context.ts";
import { cutText, firstOf, listOf } from "../../text/lengths.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import type { LoadOptions } from "../definitions.ts";
import { fillText, inputValue } from "./fill-text.ts";
import type { Template } from "./read-template.ts";

/** How a command obeys the rule of a template: its `when`, and its `dedupKey` where the command line has no key. */
export interface AlertRule {
  readonly needsDedupKey: boolean;
}

/** Why the `when` of a template does not match, so that there is nothing to declare. */
export interface NotApplicable {
  readonly because: string;
  /** Undefined where the input does not have its names. */
  readonly dedupKey: string | undefined;
  /** The start times of the alert, as the input has them. */
  readonly alertStarts: readonly string[];
  /** The update for the end of the alert, and whether the input says that it is over. */
  readonly resolve?: { readonly isOver: boolean; readonly update: Update } | undefined;
}

/** The dedup key of a template, and the names of the input that it misses. */
export interface AlertKey {
  readonly text: string;
  readonly missing: readonly string[];
}

/** The most start times of an alert, and the longest, that are compared. */
const mostStarts = 200;

/** The start times of the alert, as the input has them. */
function startsOf({ startedAt }: Template, { used, values }: LoadOptions["variables"]): readonly string[] {
  if (startedAt === undefined) return [];
  const starts = new Set<string>();
  for (let index = 0; starts.size < mostStarts; index += 1) {
    const name: string = startedAt.replace("*", String(index));
    used.add(name);
    const value = values.get(name);
    if (value !== undefined && value !== "") starts.add(cutText(value, mostStarts));
    if (value === undefined || name === startedAt) break;
  }
  return [...starts];
}

/** The dedup key, where the rule needs it, or why nothing is declared. Throws a `Failure` "usage" without any input. */
export function obeyRule(
  { warn }: Pick<Reporter, "warn">,
  template: Template,
  { variables: given }: LoadOptions,
  { needsDedupKey }: AlertRule,
):
  | { readonly key: AlertKey | undefined; readonly alertStarts: readonly string[] }
  | { readonly notApplicable: NotApplicable } {
  const { used, values } = given;
  const { dedupKey, resolve: rule, startedAt, variables, when } = template;
  const names = [...when.keys(), ...(rule?.when.keys() ?? [])];
  for (const name of names) used.add(name);
  const key =
    needsDedupKey && dedupKey !== undefined ? fillText(dedupKey, template, values, used) : undefined;
  const read = (name: string) => inputValue(variables, values, name);
  const mismatch = findMismatch(when, read);
  const alertStarts = startsOf(template, given);
  if (mismatch === undefined) {
    if (startedAt !== undefined && alertStarts.length === 0)
      warn(
        `the input has no ${startedAt}, which startedAt of the template names: where this alert is delivered again after its incident, it declares another`,
      );
    return { key, alertStarts };
  }
  const isOver = rule !== undefined && findMismatch(rule.when, read) === undefined;
  if (isOver && key !== undefined && key.missing.length > 0)
    throw new Failure("usage", `the dedupKey of the template needs ${listOf(key.missing)}`, {
      hint: "correct the name in the template; nothing was sent",
    });
  const resolve = rule && { isOver, update: rule.update };
  const { name, value, wanted } = mismatch;
  const wish = wanted.map((text) => `"${text}"`).join(" or ");
  if (value === undefined) {
    const inputs = [...values.keys()];
    if (inputs.length === 0)
      throw new Failure("usage", "the template reads an alert, and no input is given", {
        hint: "give the body of the alert with --vars FILE, or --vars - for stdin; nothing was sent",
      });
    if (names.every((each) => read(each) === undefined))
      throw new Failure(
        "invalid",
        `the input has none of the names in when: ${listOf([...new Set(names)])}`,
        {
          hint: `it is no body of this system, or another one wraps it; the input has ${firstOf(inputs)}: correct the names in the template; nothing was sent`,
        },
      );
    const hint = `when of the template needs ${wish} there; correct the name in the template, or give --var ${name}=${wanted[0]}`;
    const message = withSuggestion(hint, nearest(name, inputs));
    if (!isOver) warn(`the input has no ${name}, so nothing is declared: ${message}`);
  }
  const because = value === undefined ? `the input has no ${name}` : `${name} is "${value}", not ${wish}`;
  const found = key?.missing.length === 0 ? key.text : undefined;
  return { notApplicable: { because, dedupKey: found, alertStarts, resolve } };
}
