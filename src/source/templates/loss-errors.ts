// The errors of an alert rule whose variable has no text for some value, so that the value would lose the alert.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { type Diagnostic, errorAt, type Locate } from "../../diagnostic.ts";
import {
  isAlertRule,
  maxLengthOf,
  type TemplateVariables,
  truncate,
  valueError,
  writtenFor,
} from "../../incident/template.ts";
import type { CompilePattern } from "../../rules/patterns.ts";
import type { Spend } from "../work.ts";
import { fillText, noInput } from "./fill-text.ts";

/** The part of a template that decides it. */
interface Rule {
  readonly compilePattern: CompilePattern;
  readonly dedupKey: string | undefined;
  readonly variables: TemplateVariables;
  readonly spend: Spend;
  readonly when: ReadonlyMap<string, readonly string[]>;
}

export function lossErrors(rule: Rule, locate: Locate): readonly Diagnostic[] {
  const { compilePattern, variables, when } = rule;
  if (!isAlertRule(rule)) return [];
  return [...variables].flatMap(([name, variable]) => {
    const { default: fallback, otherwise, required, values } = variable;
    const canWrite = (text: string) => valueError(variable, text, compilePattern) === undefined;
    if (otherwise !== undefined) {
      const { missing, text } = fillText(otherwise, rule, noInput);
      if (missing.length === 0 && canWrite(truncate(text, maxLengthOf(variable)))) return [];
      const message = `the otherwise of ${name} has no text that fits where the input has none of its names`;
      const hint = "give each name in it a default that the variable may write: ${name:-text}";
      return [errorAt("no-otherwise", { message, hint }, locate(["variables", name, "otherwise"]))];
    }
    if (fallback !== undefined || (required === false && values === undefined)) return [];
    const isCertain = (value: string) => {
      const text = value.endsWith("*") || value === "" ? undefined : writtenFor(variable, value);
      return text !== undefined && canWrite(text);
    };
    if (when.get(name)?.every(isCertain)) return [];
    const message = `${name} has no otherwise, so an alert with another value, or with none, is lost`;
    const hint = "add otherwise: with a text for customers";
    return [errorAt("no-otherwise", { message, hint }, locate(["variables", name], "key"))];
  });
}
