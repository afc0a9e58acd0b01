// Templates: files of two documents, the variables and a definition that uses them. Reads one, and
// checks the rules of its first document.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import {
  type Diagnostic,
  type DiagnosticMessage,
  errorAt,
  type Locate,
  type Location,
  type Path,
} from "../../diagnostic.ts";
import type { Update } from "../../incident/definition.ts";
import { isTemplate, type TemplateVariables, writtenFor } from "../../incident/template.ts";
import { templateSchema } from "../../incident/template-rules.ts";
import { quote } from "../../rules/quote.ts";
import { fieldOf } from "../../untrusted-data.ts";
import { checkValue } from "../check.ts";
import { diagnosticAt, parseSource } from "../documents.ts";
import type { Source } from "../read-source.ts";
import { replaceVariables, variableName } from "../variables/replace-variables.ts";
import type { SourceDocument } from "../yaml/read.ts";
import { fillText, noInput } from "./fill-text.ts";

/** The condition for the end of the alert, and the update to post then. */
interface ResolveRule {
  readonly when: Template["when"];
  readonly update: Update;
  /** Of its message. */
  readonly location: Location;
}

export interface Template {
  readonly file: string;
  /** The values of the input, by their names, for which an incident is declared. */
  readonly when: ReadonlyMap<string, readonly string[]>;
  readonly dedupKey: string | undefined;
  readonly resolve: ResolveRule | undefined;
  /** The name of the start time in the input. */
  readonly startedAt: string | undefined;
  readonly variables: TemplateVariables;
  /** The names that the definition uses. */
  readonly filled: ReadonlySet<string>;
  /** The definition before its variables are replaced. */
  readonly document: SourceDocument;
}

/** Whether a file is a template, by its first document. */
export function isTemplateSource(source: Source): boolean {
  return isTemplate(parseSource(source).documents[0]?.value);
}

/** Reads a template, and checks its variables. */
export function readTemplate(source: Source) {
  const { file } = source;
  const { text, documents, diagnostics } = parseSource(source);
  if (diagnostics.length > 0) return { template: undefined, diagnostics };
  const [head, document, third] = documents;
  if (head === undefined || document === undefined || !isTemplate(head.value)) {
    return {
      template: undefined,
      diagnostics: [diagnosticAt("no-definition", notATemplate, text, file, 0)],
    };
  }
  const checked = checkValue(templateSchema, head.value, head.locate);
  if (checked.value === undefined) return { template: undefined, diagnostics: checked.diagnostics };
  const variables = new Map(
    Object.entries(checked.value.variables).map(([name, variable]) => [name, variable ?? {}]),
  );
  const extra = third === undefined ? [] : [errorAt("no-definition", tooManyDocuments, third.locate([]))];
  const { dedupKey, resolve: ending, startedAt } = checked.value;
  const when = wantedValues(checked.value.when);
  const resolve = ending && {
    when: wantedValues(ending.when),
    update: {
      description: ending.message ?? "The problem is over.",
      status: ending.status ?? "RESOLVED",
      notifySubscribers: ending.notifySubscribers ?? false,
    },
    location: head.locate(["resolve", "message"]),
  };
  const filled = new Set<string>();
  replaceVariables(document.value, { values: new Map(), declared: new Set(), used: filled }, document.locate);
  const template: Template = { file, variables, document, filled, when, dedupKey, resolve, startedAt };
  const conditions = [
    ...[...when.keys()].map((name) => ["when", name]),
    ...[...(resolve?.when.keys() ?? [])].map((name) => ["resolve", "when", name]),
  ];
  const used = new Set([...filled, ...conditions.map((path) => path.at(-1) as string)]);
  const { locate } = head;
  const rules = [
    ...[...variables.keys()].flatMap((name) => nameErrors(name, ["variables", name], locate)),
    ...conditions.flatMap((path) => nameErrors(path.at(-1) as string, path, locate)),
    ...nameErrors(startedAt?.replace(/\.\*(?=\.|$)/, ".0") ?? "none", ["startedAt"], locate),
    ...resolveErrors(template, locate),
    ...dedupKeyErrors(template, locate),
    ...lossErrors(template, locate),
    ...[...variables].flatMap(([name, { otherwise }]) =>
      textErrors(otherwise, ["variables", name, "otherwise"], locate, used),
    ),
    ...textErrors(dedupKey, ["dedupKey"], locate, used),
    ...unusedVariables(
      [...variables.keys()].filter((name) => !used.has(name)),
      locate,
    ),
  ];
  return { template, diagnostics: [...rules, ...extra] };
}

/** The errors in a text of the first document that reads the input. Adds its names to `used`. */
function textErrors(
  text: string | undefined,
  path: Path,
  locate: Locate,
  used: Set<string>,
): readonly Diagnostic[] {
  const values = { get: () => "", keys: () => [] };
  return replaceVariables(text, { values, used }, (_, part, within) => locate(path, part, within))
    .diagnostics;
}

function wantedValues(when: Readonly<Record<string, unknown>> = {}): Template["when"] {
  return new Map(Object.entries(when).map(([name, values]) => [name, [values].flat().map(String)]));
}

function resolveErrors({ resolve, when }: Template, locate: Locate): readonly Diagnostic[] {
  if (resolve === undefined) return [];
  const isMissing = when.size === 0;
  if (!isMissing && !resolve.update.description.includes("${")) return [];
  const message = isMissing ? "resolve cannot be used without when" : "the message of resolve has a variable";
  const hint = isMissing
    ? "say with when which bodies declare an incident"
    : "write the text itself: a body that says that an alert is over may not have the value";
  return [
    errorAt(
      "bad-resolve",
      { message, hint },
      isMissing ? locate(["resolve"], "key") : locate(["resolve", "message"]),
    ),
  ];
}

function dedupKeyErrors({ dedupKey, document }: Template, locate: Locate): readonly Diagnostic[] {
  if (dedupKey === undefined || fieldOf(document.value, "id") === undefined) return [];
  const message = "dedupKey cannot be used with a definition that has an id";
  const hint = "remove the id: each incident of the key gets one of its own";
  return [errorAt("bad-dedup-key", { message, hint }, locate(["dedupKey"], "key"))];
}

function nameErrors(name: string, path: Path, locate: Locate): readonly Diagnostic[] {
  if (variableName.test(name)) return [];
  const hint = "a name starts with a letter and holds letters, digits, _, - and .";
  const message = `${quote(name)} cannot be the name of a variable`;
  return [errorAt("bad-variable", { message, hint }, locate(path, "key"))];
}

/** No person corrects an alert. A variable that only the key uses goes nowhere else, and needs no text. */
function lossErrors({ dedupKey, filled, variables, when }: Template, locate: Locate): readonly Diagnostic[] {
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

function unusedVariables(names: readonly string[], locate: Locate): readonly Diagnostic[] {
  return names.map((name) => {
    const message = `the definition does not use the variable ${name}`;
    const hint = `use \${${name}}, or remove it`;
    return errorAt("unused-variable", { message, hint }, locate(["variables", name], "key"));
  });
}

const notATemplate: DiagnosticMessage = {
  message: "a template has two documents: variables, and a definition that uses them",
  hint: "write variables: first, then a line with ---, then the definition",
};

const tooManyDocuments: DiagnosticMessage = {
  message: "a template has two documents, and here a third one starts",
  hint: "write a file for each template",
};
