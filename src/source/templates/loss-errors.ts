// The errors of an alert rule whose variable has no text for some value, so that the value would lose the alert.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { type Diagnostic, errorAt, type Locate } from "../../diagnostic.ts";
import { type TemplateVariables, writtenFor } from "../../incident/template.ts";
import { fillText, noInput } from "./fill-text.ts";

/** The part of a template that decides it. */
interface Rule {
  readonly dedupKey: string | undefined;
  /** The names that the definition uses. */
  readonly filled: ReadonlySet<string>;
  readonly variables: TemplateVariables;
  readonly when: ReadonlyMap<string, readonly string[]>;
}

/** No person corrects an alert. A variable that only the key uses goes nowhere else, and needs no text. */
export function lossErrors(
  { dedupKey, filled, variables, when }: Rule,
  locate: Locate,
): readonly Diagnostic[] {
  if (when.size === 0 && dedupKey === undefined) return [];
  return [...variables].flatMap(([name, variable]) => {
    const { otherwise } = variable;
    if (!filled.has(name)) return [];
    if (otherwise !== undefined) {
      if (fillText(otherwise, noInput).missing.length === 0) return [];
      const message = `the otherwise of ${name} has no text where the input has none of its names`;
      const hint = "give each name in it a default: ${name:-text}";
      return [errorAt("no-otherwise", { message, hint }, locate(["variables", name, "otherwise"]))];
    }
    const isCertain = (value: string) => !value.endsWith("*") && writtenFor(variable, value) !== undefined;
    if (when.get(name)?.every(isCertain)) return [];
    const message = `${name} has no otherwise, so an alert with another value, or with none, is lost`;
    const hint = "add otherwise: with a text for customers";
    return [errorAt("no-otherwise", { message, hint }, locate(["variables", name], "key"))];
  });
}
