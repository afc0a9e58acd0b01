// Templates: files of two documents, the variables and a definition that uses them. Reads one, and
// checks the rules of its first document.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import {
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticMessage,
  errorAt,
  type Locate,
  type Location,
  type Path,
} from "../../diagnostic.ts";
import type { Update } from "../../incident/definition.ts";
import {
  isTemplate,
  type TemplateVariable,
  templateSchema,
  writtenFor,
} from "../../incident/template-rules.ts";
import { quote } from "../../rules/quote.ts";
import { fieldOf } from "../../untrusted-data.ts";
import { checkValue } from "../check.ts";
import { diagnosticAt, parseSource } from "../documents.ts";
import type { Source } from "../read-source.ts";
import { fillText, noInput, replaceVariables, variableName } from "../variables/replace-variables.ts";
import type { SourceDocument } from "../yaml/read.ts";

/** The condition for the end of the alert, and the update to post then. */
interface ResolveRule {
  readonly when: Template["when"];
  readonly update: Update;
  /** The place of its message. */
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
  readonly variables: ReadonlyMap<string, TemplateVariable>;
  /** The names that the definition uses. */
  readonly filled: ReadonlySet<string>;
  /** The definition before its variables are replaced. */
  readonly document: SourceDocument;
}

/** Reads a template, and checks the rules of its first document. `isOne`: whether the file is a template at all. */
export function readTemplate(source: Source) {
  const { text, documents, diagnostics } = parseSource(source);
  const [head, document, third] = documents;
  const isOne = isTemplate(head?.value);
  const refuse = (found: readonly Diagnostic[]) => ({ isOne, template: undefined, diagnostics: found });
  if (diagnostics.length > 0) return refuse(diagnostics);
  if (head === undefined || document === undefined || !isOne)
    return refuse([diagnosticAt("no-definition", notATemplate, text, source.file, 0)]);
  const checked = checkValue(templateSchema(), head.value, head.locate);
  if (checked.value === undefined) return refuse(checked.diagnostics);
  const { dedupKey, resolve, startedAt, variables, when } = checked.value;
  const filled = new Set<string>();
  replaceVariables(document.value, { values: new Map(), declared: new Set(), used: filled }, document.locate);
  const template: Template = {
    file: source.file,
    document,
    filled,
    variables: new Map(Object.entries(variables).map(([name, variable]) => [name, variable ?? {}])),
    when: wantedValues(when),
    dedupKey,
    startedAt,
    resolve: resolve && {
      when: wantedValues(resolve.when),
      update: {
        description: resolve.message ?? "The problem is over.",
        status: resolve.status ?? "RESOLVED",
        notifySubscribers: resolve.notifySubscribers ?? false,
      },
      location: head.locate(["resolve", "message"]),
    },
  };
  const extra = third === undefined ? [] : [errorAt("no-definition", tooManyDocuments, third.locate([]))];
  return { isOne, template, diagnostics: [...ruleErrors(template, head.locate), ...extra] };
}

function wantedValues(when: Readonly<Record<string, unknown>> = {}): Template["when"] {
  return new Map(Object.entries(when).map(([name, values]) => [name, [values].flat().map(String)]));
}

/** The errors of the rule beside its schema. */
function ruleErrors(template: Template, locate: Locate): readonly Diagnostic[] {
  const { dedupKey, document, resolve, startedAt, variables, when } = template;
  const found: Diagnostic[] = [];
  const report = (code: DiagnosticCode, path: Path, message: string, hint: string, part?: "value") =>
    found.push(errorAt(code, { message, hint }, locate(path, part ?? "key")));
  const checkName = (name: string, path: Path) => {
    if (!variableName.test(name))
      report(
        "bad-variable",
        path,
        `${quote(name)} cannot be the name of a variable`,
        "a name starts with a letter and holds letters, digits, _, - and .",
      );
  };
  const checkText = (text: string | undefined, path: Path) => {
    const given = { values: { get: () => "", keys: () => [] }, used: new Set<string>() };
    const at: Locate = (_, part, within) => locate(path, part, within);
    found.push(...replaceVariables(text, given, at).diagnostics);
  };
  for (const name of when.keys()) checkName(name, ["when", name]);
  for (const name of resolve?.when.keys() ?? []) checkName(name, ["resolve", "when", name]);
  if (startedAt !== undefined) checkName(startedAt.replace(/\.\*(?=\.|$)/, ".0"), ["startedAt"]);
  for (const [name, { otherwise }] of variables) {
    checkName(name, ["variables", name]);
    checkText(otherwise, ["variables", name, "otherwise"]);
  }
  checkText(dedupKey, ["dedupKey"]);
  if (resolve !== undefined && when.size === 0)
    report(
      "bad-resolve",
      ["resolve"],
      "resolve cannot be used without when",
      "say with when which bodies declare an incident",
    );
  else if (resolve?.update.description.includes("${"))
    report(
      "bad-resolve",
      ["resolve", "message"],
      "the message of resolve has a variable",
      "write the text itself: a body that says that an alert is over may not have the value",
      "value",
    );
  if (dedupKey !== undefined && fieldOf(document.value, "id") !== undefined)
    report(
      "bad-dedup-key",
      ["dedupKey"],
      "dedupKey cannot be used with a definition that has an id",
      "remove the id: each incident of the key gets one of its own",
    );
  // A text with a reference that is not closed cannot be filled.
  if (found.some(({ code }) => code === "bad-variable")) return found;
  return [...found, ...lossErrors(template, locate)];
}

/** The variables of which a value could lose an alert. One that only the key uses needs no text. */
function lossErrors({ dedupKey, filled, variables, when }: Template, locate: Locate): readonly Diagnostic[] {
  if (when.size === 0 && dedupKey === undefined) return [];
  return [...variables].flatMap(([name, variable]) => {
    const { otherwise } = variable;
    const isCertain = (value: string) => !value.endsWith("*") && writtenFor(variable, value) !== undefined;
    if (!filled.has(name)) return [];
    if (otherwise === undefined) {
      if (when.get(name)?.every(isCertain)) return [];
      const message = `${name} has no otherwise, so an alert with another value, or with none, is lost`;
      const hint = "add otherwise: with a text for customers";
      return [errorAt("no-otherwise", { message, hint }, locate(["variables", name], "key"))];
    }
    if (fillText(otherwise, noInput).missing.length === 0) return [];
    const message = `the otherwise of ${name} has no text where the input has none of its names`;
    const hint = "give each name in it a default: ${name:-text}";
    return [errorAt("no-otherwise", { message, hint }, locate(["variables", name, "otherwise"]))];
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
