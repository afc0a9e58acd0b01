// The rule of a template: whether its `when` matches the input, and the key of its `dedupKey`.
import { Failure } from "../../failure.ts";
import { findMismatch } from "../../incident/template.ts";
import type { Reporter } from "../../platform/context.ts";
import { firstOf, listOf } from "../../text/lengths.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import type { LoadOptions } from "../definitions.ts";
import { fillText, inputValue } from "./fill-template.ts";
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
}

/** The dedup key of a template, and the names of the input that it misses. */
export interface AlertKey {
  readonly text: string;
  readonly missing: readonly string[];
}

/** The dedup key, where the rule needs it, or why nothing is declared. Throws a `Failure` "usage" without any input. */
export function obeyRule(
  { warn }: Pick<Reporter, "warn">,
  { dedupKey, variables, when }: Template,
  { variables: { used, values } }: LoadOptions,
  { needsDedupKey }: AlertRule,
): { readonly key: AlertKey | undefined } | { readonly notApplicable: NotApplicable } {
  for (const name of when.keys()) used.add(name);
  const key =
    needsDedupKey && dedupKey !== undefined ? fillText(dedupKey, variables, values, used) : undefined;
  const mismatch = findMismatch(when, (name) => inputValue(variables, values, name));
  if (mismatch === undefined) return { key };
  const { name, value, wanted } = mismatch;
  const wish = wanted.map((text) => `"${text}"`).join(" or ");
  if (value === undefined) {
    const given = [...values.keys()];
    if (given.length === 0)
      throw new Failure("usage", "the template reads an alert, and no input is given", {
        hint: "give the body of the alert with --vars FILE, or --vars - for stdin; nothing was sent",
      });
    if ([...when.keys()].every((each) => inputValue(variables, values, each) === undefined))
      throw new Failure("invalid", `the input has none of the names in when: ${listOf([...when.keys()])}`, {
        hint: `it is no body of this system, or another one wraps it; the input has ${firstOf(given)}: correct the names in the template; nothing was sent`,
      });
    const hint = `when of the template needs ${wish} there; correct the name in the template, or give --var ${name}=${wanted[0]}`;
    const message = withSuggestion(hint, nearest(name, given));
    warn(`the input has no ${name}, so nothing is declared: ${message}`);
  }
  const because = value === undefined ? `the input has no ${name}` : `${name} is "${value}", not ${wish}`;
  return { notApplicable: { because, dedupKey: key?.missing.length === 0 ? key.text : undefined } };
}
