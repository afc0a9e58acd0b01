// The rule of a template: whether its `when` matches the input, and the key of its `dedupKey`.
import { findMismatch } from "../../incident/template.ts";
import type { Reporter } from "../../platform/context.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import type { LoadOptions } from "../definitions.ts";
import { fillText, inputValue } from "./fill-template.ts";
import type { Template } from "./read-template.ts";

/** How a command obeys the rule of a template: its `when`, and its `dedupKey` where the command line has no key. */
export interface AlertRule {
  readonly needsDedupKey: boolean;
}

/** The `when` of a template does not match: there is nothing to declare. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
  /** Undefined where the input does not have its names. */
  readonly dedupKey: string | undefined;

  constructor(because: string, dedupKey: string | undefined) {
    super(because);
    this.dedupKey = dedupKey;
  }
}

/** The dedup key, where the rule needs it. Throws `NotApplicable`. */
export function obeyRule(
  { warn }: Pick<Reporter, "warn">,
  { dedupKey, variables, when }: Template,
  { variables: { used, values } }: LoadOptions,
  { needsDedupKey }: AlertRule,
): { readonly text: string; readonly missing: readonly string[] } | undefined {
  for (const name of when.keys()) used.add(name);
  const key =
    needsDedupKey && dedupKey !== undefined ? fillText(dedupKey, variables, values, used) : undefined;
  const mismatch = findMismatch(when, (name) => inputValue(variables, values, name));
  if (mismatch === undefined) return key;
  const { name, value, wanted } = mismatch;
  const wish = wanted.map((text) => `"${text}"`).join(" or ");
  if (value === undefined) {
    const hint = `when of the template needs ${wish} there; correct the name in the template, or give --var ${name}=${wanted[0]}`;
    const message = withSuggestion(hint, nearest(name, [...values.keys()]));
    warn(`the input has no ${name}, so nothing is declared: ${message}`);
  }
  throw new NotApplicable(
    value === undefined ? `the input has no ${name}` : `${name} is "${value}", not ${wish}`,
    key?.missing.length === 0 ? key.text : undefined,
  );
}
