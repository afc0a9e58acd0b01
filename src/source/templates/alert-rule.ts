// The rule of a template: whether its `when` matches the input, and the key of its `dedupKey`.
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { findMismatch } from "../../incident/template-rules.ts";
import type { Reporter } from "../../platform/context.ts";
import { quote } from "../../rules/quote.ts";
import { cutText, firstOf, listOf } from "../../text/lengths.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import type { LoadOptions } from "../definitions.ts";
import { fillText } from "../variables/replace-variables.ts";
import type { Template } from "./read-template.ts";

/** Why the `when` of a template does not match, so that there is nothing to declare. */
export interface NotApplicable {
  readonly because: string;
  /** Undefined where the input does not have its names. */
  readonly dedupKey: string | undefined;
  /** The start times of the alert, as the input has them. */
  readonly alertStarts: readonly string[];
  /** The update for the end of the alert, where the input says that it is over. */
  readonly ending: Update | undefined;
}

/** `{EVENT.ID}`, `{$URL}`, `$ALERT_ID`, `{{CHECK_ID}}` or `*UNKNOWN*`: the sender did not replace it. */
const macro = /^(?:\{\$?[A-Z][A-Z\d_.]*\}|\$[A-Z][A-Z\d_]*|\{\{[^{}]*\}\}|\*[A-Z]+\*)$/;

/** The most start times of an alert that are compared, and the most characters of each. */
const mostStarts = 200;

/** The start times of the alert, as the input has them. */
function startsOf({ startedAt }: Template, { used, values }: LoadOptions["variables"]): readonly string[] {
  if (startedAt === undefined) return [];
  const starts = new Set<string>();
  for (let index = 0; starts.size < mostStarts; index += 1) {
    const name: string = startedAt.replace("*", String(index));
    used.add(name);
    const value = values.get(name);
    if (value && !macro.test(value.trim())) starts.add(cutText(value, mostStarts));
    if (value === undefined || name === startedAt) break;
  }
  return [...starts];
}

/**
 * The dedup key, where the rule needs it, or why nothing is declared. Throws a `Failure` "usage" without any input, and for
 * a key that is none.
 */
export function obeyRule(
  { warn }: Pick<Reporter, "warn">,
  template: Template,
  { variables: given }: LoadOptions,
  { hasInput, needsDedupKey }: { readonly hasInput: boolean; readonly needsDedupKey: boolean },
):
  | { readonly key: ReturnType<typeof fillText> | undefined; readonly alertStarts: readonly string[] }
  | { readonly notApplicable: NotApplicable } {
  const { used, values } = given;
  const { dedupKey, resolve: rule, startedAt, when } = template;
  if (when.size > 0 && !hasInput)
    throw new Failure("usage", "the template reads an alert, and no input is given", {
      hint: "give the body of the alert with --vars FILE, or --vars - for stdin; nothing was sent",
    });
  for (const name of [...when.keys(), ...(rule?.when.keys() ?? [])]) used.add(name);
  const read = (name: string) => values.get(name);
  const mismatch = findMismatch(when, read);
  const isOver = rule !== undefined && mismatch !== undefined && findMismatch(rule.when, read) === undefined;
  const readForKey = (name: string) => {
    const value = values.get(name);
    const isMeant = mismatch === undefined || isOver;
    if (!isMeant || value === undefined || !macro.test(value.trim())) return value;
    // It would be the key of every alert.
    throw new Failure("usage", `${name} is ${quote(value)}, which its sender did not replace`, {
      hint: "correct the body that the sender sends: it is no dedupKey; nothing was sent",
    });
  };
  const key =
    needsDedupKey && dedupKey !== undefined ? fillText(dedupKey, { get: readForKey }, used) : undefined;
  const alertStarts = startsOf(template, given);
  if (mismatch === undefined) {
    if (startedAt !== undefined && alertStarts.length === 0)
      warn(
        `the input has no ${startedAt}, which startedAt of the template names: where this alert is delivered again after its incident, it declares another`,
      );
    return { key, alertStarts };
  }
  const isKnown = key?.missing.length === 0;
  if (isOver && key !== undefined && !isKnown)
    throw new Failure("usage", `the dedupKey of the template needs ${listOf(key.missing)}`, {
      hint: "correct the name in the template; nothing was sent",
    });
  const { name, value, wanted } = mismatch;
  const wish = wanted.map((text) => `"${text}"`).join(" or ");
  if (value === undefined && !isOver) {
    const inputs = [...values.keys()];
    const hint = withSuggestion(`when of the template needs ${wish} there`, nearest(name, inputs));
    const has = inputs.length === 0 ? "it is empty" : `it has ${firstOf(inputs)}`;
    warn(`the input has no ${name}, so nothing is declared: ${hint}; ${has}`);
  }
  const because = value === undefined ? `the input has no ${name}` : `${name} is "${value}", not ${wish}`;
  return {
    notApplicable: {
      because,
      dedupKey: isKnown ? key?.text : undefined,
      alertStarts,
      ending: isOver ? rule.update : undefined,
    },
  };
}
