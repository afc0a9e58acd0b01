// Obeys the rule of a template, fills it and checks it. Where a rule refuses a text, the next text of the variable is taken, or the
// text is cut, so that no value loses an alert.
import { isError, isWithin, keyOf, type Path } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import { defaultMaxLength } from "../../incident/values.ts";
import type { Reporter } from "../../platform/context.ts";
import { quote } from "../../rules/quote.ts";
import { codePointLength, cutText, firstOf, listOf } from "../../text/lengths.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import { fieldOf } from "../../untrusted-data.ts";
import { checkDefinition, diagnosticsOf, type LoadOptions, type LocatedDefinition } from "../definitions.ts";
import { escapeVariables, fillText, mapTexts, type VariableValues } from "../variables.ts";
import { findLeaks } from "../warnings.ts";
import type { SourceDocument } from "../yaml/read.ts";
import { findMismatch, type Template, writtenFor } from "./read-template.ts";

/**
 * The texts that each variable of the definition can have, the best first: its value, then its `otherwise` with and without the
 * input. Throws a `Failure` "usage" for a variable without any, and for `missing` names.
 */
function chooseTexts(
  { warn }: Warn,
  { filled, variables }: Template,
  given: VariableValues,
  template: string,
  missing: readonly string[],
) {
  const texts = new Map<string, string[]>();
  const needed = new Set(missing);
  const errors: string[] = [];
  for (const [name, variable] of variables) {
    if (!filled.has(name)) continue;
    const { maxLength = defaultMaxLength, otherwise, values } = variable;
    const value = given.get(name) ?? "";
    const written = writtenFor(variable, value);
    const others =
      otherwise === undefined ? [] : [given, undefined].map((source) => fillText(otherwise, source));
    const known = others.filter((other) => other.missing.length === 0).map(({ text }) => text);
    const all = written === undefined ? known : [written, ...known];
    if (all.length === 0 && (others.length > 0 || value === "" || values === undefined))
      for (const each of others[0]?.missing ?? [name]) needed.add(each);
    else if (all.length === 0)
      errors.push(`the variable ${name} must be one of ${Object.keys(values ?? {}).join(", ")}`);
    // No pattern finds a token that is cut, and it is still a leak.
    const hasLeak = (text: string) => cutText(text, maxLength) !== text && findLeaks(text).length > 0;
    const rest = all.filter((text, index) => index === all.length - 1 || !hasLeak(text));
    const [first = ""] = rest;
    const isBlank = written === undefined && value !== "" && values === undefined;
    if (all.length > 0 && (isBlank || first !== all[0]))
      warn(`the variable ${name} ${isBlank ? "is blank" : "has internals"}: otherwise stands in its place`);
    if (cutText(first, maxLength) !== first)
      warn(`the variable ${name} has ${codePointLength(first)} characters: it is cut`);
    texts.set(name, [...new Set(rest.map((text) => cutText(text, maxLength)))]);
  }
  const names = [...needed];
  if (names.length > 0) errors.unshift(`the template ${template} needs ${listOf(names)}`);
  if (errors.length === 0) return texts;
  const flags = names.map((name) => `--var ${name}=…`).join(" ");
  const correction = names.length === 0 ? "correct the values" : `add ${flags}, or give a file with --vars`;
  throw new Failure("usage", errors.join("; "), { hint: `${correction}; nothing was sent` });
}

type Warn = Pick<Reporter, "warn">;

/**
 * Fills the definition with texts that every rule accepts, else returns the errors. Warns of each value that was cut or replaced.
 * `missing`: the names of the dedup key that the input does not have.
 */
export function fillTemplate(
  reporter: Warn,
  template: Template,
  loadOptions: LoadOptions,
  name: string,
  missing: readonly string[] = [],
) {
  const { document, variables } = template;
  const texts = chooseTexts(reporter, template, loadOptions.variables.values, name, missing);
  /** The most characters of a text, by its path. */
  const lengths = new Map<string, number>();
  const lengthOf = (path: Path) => lengths.get(keyOf(path)) ?? Number.POSITIVE_INFINITY;
  const { used } = loadOptions.variables;
  const declared = new Set(variables.keys());
  const override = (value: unknown) => {
    const cut = mapTexts(value, (text, path) => cutText(text, lengthOf(path)));
    return loadOptions.override?.(cut) ?? cut;
  };
  const amended = new Set<string>();
  for (;;) {
    const values = new Map(Array.from(texts, ([name, [text = ""]]) => [name, text]));
    const options = { ...loadOptions, variables: { values, used, declared }, override };
    const { filled, problems, value } = checkDefinition(document.value, options);
    const refused = problems.filter((each) => isError(each) || each.code === "leak");
    const isAmended = filled.some(({ name, path }) => {
      const found = refused.find((each) => each.part !== "key" && isWithin(each.path, path));
      if (found === undefined) return false;
      const { code, message, mostCharacters } = found;
      if (mostCharacters !== undefined && mostCharacters < lengthOf(path)) {
        lengths.set(keyOf(path), mostCharacters);
        amended.add(`${message}: it is cut to ${mostCharacters} [${code}]`);
        return true;
      }
      const [, ...others] = texts.get(name) ?? [];
      if (others.length === 0) return false;
      texts.set(name, others);
      amended.add(`${message}: otherwise stands in its place [${code}]`);
      return true;
    });
    if (isAmended) continue;
    const place = document.locate([]);
    for (const each of amended) reporter.warn(each);
    const definition: LocatedDefinition | undefined = value && { definition: value, place };
    return { definition, diagnostics: diagnosticsOf(document, problems) };
  }
}

/** The most texts of a variable that one check tries. */
const mostTexts = 256;

/** With all texts of each variable. A variable without a text in the template is not checked. */
export function checkTemplate({ document, resolve, variables }: Template, loadOptions: LoadOptions) {
  const texts = [...variables].flatMap(([name, { otherwise, values = {} }]) => {
    const known = otherwise === undefined ? [] : [fillText(otherwise).text];
    const own = [...new Set([...known, ...Object.values(values)])];
    return own.length > 0 ? [{ name, own }] : [];
  });
  const most = texts.reduce((so, { own }) => Math.max(so, own.length), 1);
  const whole = withEnding(document, resolve);
  const declared = new Set(variables.keys());
  return Array.from({ length: Math.min(most, mostTexts) }, (_, at) => {
    const values = new Map(texts.map(({ name, own }) => [name, own[at % own.length] as string]));
    const filling = { values, used: new Set<string>(), declared };
    const { problems } = checkDefinition(whole.value, { ...loadOptions, variables: filling });
    return diagnosticsOf(whole, problems);
  }).flat();
}

/** The definition with the update for the end of the alert as its last one. */
function withEnding(document: SourceDocument, resolve: Template["resolve"]): SourceDocument {
  const updates = fieldOf(document.value, "incidentUpdates");
  if (resolve === undefined || !Array.isArray(updates)) return document;
  const incidentUpdates = [...updates, escapeVariables(resolve.update)];
  const isEnding = ([field, at]: Path) => field === "incidentUpdates" && at === updates.length;
  return {
    ...document,
    value: { ...(document.value as object), incidentUpdates },
    locate: (path, ...rest) => (isEnding(path) ? resolve.location : document.locate(path, ...rest)),
  };
}

/** Why the `when` of a template does not match, so that there is nothing to declare. */
export type NotApplicable = Extract<ReturnType<typeof obeyRule>, { because: string }>;

/** A placeholder that the sender did not replace: `{EVENT.ID}`, `{$URL}`, `$ALERT_ID`, `{{CHECK_ID}}` or `*UNKNOWN*`. */
const macro = /^(?:\{\$?[A-Z][A-Z\d_.]*\}|\$[A-Z][A-Z\d_]*|\{\{[^{}]*\}\}|\*[A-Z]+\*)$/;

/** A value of many senders for no time. As a start time, it would make every later alert late. */
const noTime = /^(?:0|true|false|0001-01-01T.*)?$/;

/** The most start times of an alert that are compared. */
const mostStarts = 200;

/** In characters. */
const longestStart = 200;

/** The start times of the alert in the spelling of the input. */
function startsOf({ startedAt }: Template, { used, values }: LoadOptions["variables"]): readonly string[] {
  if (startedAt === undefined) return [];
  const starts = new Set<string>();
  for (let index = 0; starts.size < mostStarts; index += 1) {
    const name: string = startedAt.replace("*", String(index));
    used.add(name);
    const value = values.get(name);
    const text = value?.trim() ?? "";
    if (!macro.test(text) && !noTime.test(text)) starts.add(cutText(text, longestStart));
    if (value === undefined || name === startedAt) break;
  }
  return [...starts];
}

/** The dedup key, where the rule needs it, or why nothing is declared. Throws a `Failure` "usage" without input or a valid key. */
export function obeyRule(
  { warn }: Warn,
  template: Template,
  { variables: given }: LoadOptions,
  { hasInput, needsDedupKey }: { readonly hasInput: boolean; readonly needsDedupKey: boolean },
) {
  const { used, values } = given;
  const { dedupKey, resolve: rule, startedAt, when } = template;
  if (when.size > 0 && !hasInput)
    throw new Failure("usage", "the template reads an alert, and no input is given", {
      hint: "give the body of the alert with --vars FILE, or --vars - for stdin; nothing was sent",
    });
  for (const name of [...when.keys(), ...(rule?.when.keys() ?? [])]) used.add(name);
  const mismatch = findMismatch(when, values);
  const isOver =
    rule !== undefined && mismatch !== undefined && findMismatch(rule.when, values) === undefined;
  const readForKey = (name: string) => {
    used.add(name);
    const value = values.get(name);
    const isMeant = mismatch === undefined || isOver;
    if (!isMeant || value === undefined || !macro.test(value.trim())) return value;
    // Every alert would have the same key.
    throw new Failure("usage", `${name} is ${quote(value)}, which its sender did not replace`, {
      hint: "correct the body that the sender sends: it is no dedupKey; nothing was sent",
    });
  };
  const key = needsDedupKey && dedupKey !== undefined ? fillText(dedupKey, { get: readForKey }) : undefined;
  const alertStarts = startsOf(template, given);
  if (mismatch === undefined) {
    if (startedAt !== undefined && alertStarts.length === 0)
      warn(
        `the input has no ${startedAt}, which startedAt of the template names: where this alert is delivered again after its incident, it declares another`,
      );
    return { key, alertStarts };
  }
  if (isOver && key !== undefined && key.missing.length > 0)
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
  const ending = isOver ? rule.update : undefined;
  return { because, dedupKey: key?.text, alertStarts, ending };
}
