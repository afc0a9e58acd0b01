// Fills a template: chooses the texts that each variable can have, and takes the next one, or cuts the text, where a rule
// refuses the definition with it, so that no value loses an alert.
import type { Diagnostic, Location, Path, Position } from "../../diagnostic.ts";
import { findLeaks } from "../../incident/leaks.ts";
import { writtenFor } from "../../incident/template-rules.ts";
import { defaultMaxLength } from "../../incident/values.ts";
import { codePointLength, truncate } from "../../text/lengths.ts";
import { keyOf } from "../check.ts";
import { checkDefinition, type LoadOptions, type LocatedDefinition } from "../definitions.ts";
import { fillText, noInput, type VariableValues } from "../variables/replace-variables.ts";
import type { Template } from "./read-template.ts";

/** The texts of each variable, the best first. */
type TemplateTexts = ReadonlyMap<string, readonly string[]>;

type ChosenTexts =
  | { readonly texts: TemplateTexts; readonly warnings: readonly string[] }
  /** Each error starts with the name of its variable. */
  | { readonly missing: readonly string[]; readonly errors: readonly string[] };

/** The texts that each variable of the definition can have: its value, else its `otherwise`, else that without the input. */
export function chooseTexts({ filled, variables }: Template, given: VariableValues): ChosenTexts {
  const texts = new Map<string, readonly string[]>();
  const missing: string[] = [];
  const errors: string[] = [];
  const warnings: string[] = [];
  for (const [name, variable] of variables) {
    if (!filled.has(name)) continue;
    const { maxLength = defaultMaxLength, otherwise, values } = variable;
    const value = given.get(name) ?? "";
    const written = writtenFor(variable, value);
    const others = [given, noInput].flatMap((source) =>
      otherwise === undefined ? [] : [fillText(otherwise, source)],
    );
    const known = others.filter((other) => other.missing.length === 0).map(({ text }) => text);
    const all = written === undefined ? known : [written, ...known];
    if (all.length === 0 && (others.length > 0 || value === "" || values === undefined))
      missing.push(...(others[0]?.missing ?? [name]));
    else if (all.length === 0) errors.push(`${name} must be one of ${Object.keys(values ?? {}).join(", ")}`);
    // A token that is cut is still a leak, and no pattern finds it.
    const hasLeak = (text: string) => truncate(text, maxLength) !== text && findLeaks(text).length > 0;
    const rest = all.filter((text, index) => index === all.length - 1 || !hasLeak(text));
    const [first = ""] = rest;
    const isBlank = written === undefined && value !== "" && values === undefined;
    if (all.length > 0 && (isBlank || first !== all[0]))
      warnings.push(
        `the variable ${name} ${isBlank ? "is blank" : "has internals"}: otherwise stands in its place`,
      );
    if (truncate(first, maxLength) !== first)
      warnings.push(`the variable ${name} has ${codePointLength(first)} characters: it is cut`);
    texts.set(name, [...new Set(rest.map((text) => truncate(text, maxLength)))]);
  }
  return missing.length + errors.length === 0 ? { texts, warnings } : { missing, errors };
}

/** A text of the definition that has variables, and what it had to become. */
interface FilledText {
  readonly path: Path;
  readonly names: Set<string>;
  /** The number of the text that each of its variables has, from 0. */
  level: number;
  mostCharacters: number;
}

/** The definition with the texts that every rule accepts, or the errors that no other text mends. */
export function fillTemplate(
  { document, file, variables }: Template,
  texts: TemplateTexts,
  loadOptions: LoadOptions,
): {
  readonly definition: LocatedDefinition | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** A warning for each value that was cut or replaced. */
  readonly amended: readonly string[];
} {
  const { locate } = document;
  const { used } = loadOptions.variables;
  const filled = new Map<string, FilledText>();
  const textAt = (path: Path) => {
    const key = keyOf(path);
    const known = filled.get(key) ?? {
      path,
      names: new Set(),
      level: 0,
      mostCharacters: Number.POSITIVE_INFINITY,
    };
    filled.set(key, known);
    return known;
  };
  const values: VariableValues = {
    get(name, path = []) {
      const text = textAt(path);
      text.names.add(name);
      return texts.get(name)?.at(Math.min(text.level, lastOf(texts, name)));
    },
    keys: () => texts.keys(),
  };
  const cut = (path: Path, text: string) => truncate(text, textAt(path).mostCharacters);
  const variablesOf = { values, used, cut, declared: new Set(variables.keys()) };
  const amended = new Set<string>();
  for (;;) {
    const checked = checkDefinition(document.value, { ...loadOptions, variables: variablesOf }, locate);
    const { diagnostics, value, warnings } = checked;
    const refused = [...diagnostics, ...warnings.filter(({ code }) => code === "leak")];
    const changes = [...filled.values()].flatMap((text) => {
      const found = refused.find(({ location }) => isWithin(location, locate(text.path)));
      return (found && amend(text, found, texts)) ?? [];
    });
    for (const change of changes) amended.add(change);
    if (changes.length > 0) continue;
    const definition = value && { definition: value, file, place: locate([]) };
    return { definition, diagnostics, warnings, amended: [...amended] };
  }
}

/** Cuts the text, or takes the next texts of its variables; undefined where neither mends it. */
function amend(text: FilledText, { code, message, mostCharacters }: Diagnostic, texts: TemplateTexts) {
  if (mostCharacters !== undefined && mostCharacters < text.mostCharacters) {
    text.mostCharacters = mostCharacters;
    return [`${message}: it is cut to ${mostCharacters} [${code}]`];
  }
  if (![...text.names].some((name) => text.level < lastOf(texts, name))) return undefined;
  text.level += 1;
  return [`${message}: otherwise stands in its place [${code}]`];
}

function lastOf(texts: TemplateTexts, name: string): number {
  return (texts.get(name)?.length ?? 0) - 1;
}

function isWithin(inner: Location, outer: Location): boolean {
  return isAtMost(outer.start, inner.start) && isAtMost(inner.end, outer.end);
}

function isAtMost(first: Position, second: Position): boolean {
  return first.line < second.line || (first.line === second.line && first.column <= second.column);
}
