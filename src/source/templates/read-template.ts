// Reads a template, a file of two documents: the rules with the variables, and the definition that uses them.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { type Diagnostic, errorAt, type Path, type Problem } from "../../diagnostic.ts";
import type { Update } from "../../incident/definition.ts";
import { statuses } from "../../incident/values.ts";
import { once } from "../../once.ts";
import { isVisible } from "../../rules/forms.ts";
import * as kinds from "../../rules/kinds.ts";
import { quote } from "../../rules/quote.ts";
import { fieldOf, ownValue } from "../../untrusted-data.ts";
import { checkValue, diagnose } from "../check.ts";
import { fillText, replaceVariables, type VariableValues, variableName } from "../variables.ts";
import { isTemplate, type ParsedText, type SourceDocument } from "../yaml/read.ts";

const { boolean, mapping, nullable, oneOf, optional, optionals, positive, recordOf, scalars, string, text } =
  kinds;

/** `region:` alone declares a variable as well. */
const templateSchema = once(() => {
  const wanted = scalars({ examples: ["firing"] });
  const resolve = mapping({
    when: recordOf(wanted, { examples: [{ status: "resolved" }] }),
    status: optional(oneOf(statuses, { code: "unknown-status", noun: "status" })),
    message: optional(text("visible")),
    notifySubscribers: optional(boolean()),
  });
  const variable = optionals({
    values: recordOf(string(), { examples: [{ page: "CRITICAL", warning: "MAJOR" }] }),
    otherwise: string(),
    maxLength: positive(),
  });
  return mapping({
    when: optional(recordOf(wanted, { examples: [{ status: "firing" }] })),
    dedupKey: optional(text("visible", { examples: ["${groupKey}"] })),
    startedAt: optional(text("visible", { examples: ["alerts.*.startsAt"] })),
    resolve: optional(resolve),
    variables: recordOf(nullable(variable), { examples: [{ region: { otherwise: "Europe" } }] }),
  });
});

type TemplateRule = kinds.ValueOf<ReturnType<typeof templateSchema>>;

export type TemplateVariable = NonNullable<TemplateRule["variables"][string]>;

/** The text of the variable for a value of the input; undefined for one that is blank, or that `values` lacks. */
export function writtenFor({ values }: TemplateVariable, value: string): string | undefined {
  if (values !== undefined) return ownValue(values, value);
  return isVisible(value) ? value : undefined;
}

/** Undefined where every name of `when` has a wanted value. An absent name has "". A `*` at the end stands for any text. */
export function findMismatch(when: ReadonlyMap<string, readonly string[]>, values: VariableValues) {
  for (const [name, wanted] of when) {
    const value = values.get(name);
    const fits = (text: string) =>
      text.endsWith("*") ? value?.startsWith(text.slice(0, -1)) : text === (value ?? "");
    if (!wanted.some(fits)) return { name, value, wanted };
  }
  return undefined;
}

export type Template = ReturnType<typeof templateOf>;

export function readTemplate({ start, documents, diagnostics }: ParsedText) {
  const [head, document, third] = documents;
  const refuse = (found: readonly Diagnostic[]) => ({ template: undefined, diagnostics: found });
  const isHead = head !== undefined && isTemplate({ documents: [head] });
  if (diagnostics.length === 0 && (!isHead || document === undefined))
    return refuse([errorAt("no-definition", notATemplate, start)]);
  if (!isHead) return refuse(diagnostics);
  const { problems, value } = checkValue(templateSchema(), head.value);
  if (diagnostics.length > 0 || value === undefined || document === undefined)
    return refuse([...diagnostics, ...problems.map((each) => diagnose(head, each))]);
  const template = templateOf(value, head, document);
  const extra = third === undefined ? [] : [errorAt("no-definition", tooManyDocuments, third.locate([]))];
  return { template, diagnostics: [...ruleProblems(template).map((each) => diagnose(head, each)), ...extra] };
}

function templateOf(
  { dedupKey, resolve, startedAt, variables, when }: TemplateRule,
  head: SourceDocument,
  document: SourceDocument,
) {
  /** The names that the definition uses. */
  const filled = new Set<string>();
  replaceVariables(document.value, { values: new Map(), declared: new Set(), used: filled });
  const update: Update = {
    description: resolve?.message ?? "The problem is over.",
    status: resolve?.status ?? "RESOLVED",
    notifySubscribers: resolve?.notifySubscribers ?? false,
  };
  return {
    dedupKey,
    filled,
    startedAt,
    // The definition before its variables are replaced.
    document,
    variables: new Map(Object.entries(variables).map(([name, variable]) => [name, variable ?? {}])),
    when: wantedValues(when),
    // The condition for the end of the alert, and the update to post then, with the place of its message.
    resolve: resolve && {
      when: wantedValues(resolve.when),
      update,
      location: head.locate(["resolve", "message"]),
    },
  };
}

function wantedValues(when: Readonly<Record<string, unknown>> = {}): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(when).map(([name, values]) => [name, [values].flat().map(String)]));
}

/** The errors and warnings of the rule that its schema does not have. */
function ruleProblems(template: Template): readonly Problem[] {
  const { dedupKey, document, resolve, startedAt, variables, when } = template;
  const found: Problem[] = [];
  const report = (code: Problem["code"], path: Path, message: string, hint: string) =>
    found.push({ code, message, hint, path, part: "key" });
  const checkName = (name: string, path: Path) => {
    // The start time can be that of any entry of a list: "alerts.*.startsAt".
    if (!variableName.test(path[0] === "startedAt" ? name.replace(/\.\*(?=\.|$)/, ".0") : name))
      report(
        "bad-variable",
        path,
        `${quote(name)} cannot be the name of a variable`,
        "write the name alone: it starts with a letter and holds letters, digits, _, - and .",
      );
  };
  const checkText = (text: string | undefined, path: Path) => {
    const { problems } = replaceVariables(text, { values: new Map(), used: new Set() });
    const isBad = ({ code }: Problem) => code === "bad-variable";
    found.push(...problems.filter(isBad).map((problem) => ({ ...problem, path })));
  };
  for (const name of when.keys()) checkName(name, ["when", name]);
  for (const name of resolve?.when.keys() ?? []) checkName(name, ["resolve", "when", name]);
  if (startedAt !== undefined) checkName(startedAt, ["startedAt"]);
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
    found.push({
      code: "bad-resolve",
      path: ["resolve", "message"],
      message: "the message of resolve has a variable",
      hint: "write the text itself: a body that says that an alert is over may not have the value",
    });
  if (dedupKey !== undefined && fieldOf(document.value, "id") !== undefined)
    report(
      "bad-dedup-key",
      ["dedupKey"],
      "dedupKey cannot be used with a definition that has an id",
      "remove the id: each incident of the key gets one of its own",
    );
  if (dedupKey?.includes("${") === false) {
    const message = "dedupKey has no variable, so that each alert has the incident of the first one";
    const hint = "write the name of a value in ${…}, unless all alerts are one incident";
    found.push({ code: "bad-dedup-key", level: "warning", message, hint, path: ["dedupKey"] });
  }
  // A text with an unclosed reference cannot be filled.
  if (found.some(({ code }) => code === "bad-variable")) return found;
  return [...found, ...lossProblems(template)];
}

/** The variables whose value could lose an alert: those of the definition without a text for every value. */
function lossProblems({ dedupKey, filled, variables, when }: Template): readonly Problem[] {
  if (when.size === 0 && dedupKey === undefined) return [];
  return [...variables].flatMap(([name, variable]): readonly Problem[] => {
    const { otherwise } = variable;
    const isCertain = (value: string) => !value.endsWith("*") && writtenFor(variable, value) !== undefined;
    if (!filled.has(name)) return [];
    if (otherwise === undefined) {
      if (when.get(name)?.every(isCertain)) return [];
      const message = `${name} has no otherwise, so an alert with another value, or with none, is lost`;
      const hint = "add otherwise: with a text for customers";
      return [{ code: "no-otherwise", message, hint, path: ["variables", name], part: "key" }];
    }
    if (fillText(otherwise).missing.length === 0) return [];
    const message = `the otherwise of ${name} has no text where the input has none of its names`;
    const hint = "give each name in it a default: ${name:-text}";
    return [{ code: "no-otherwise", message, hint, path: ["variables", name, "otherwise"] }];
  });
}

const notATemplate = {
  message: "a template has two documents: variables, and a definition that uses them",
  hint: "write variables: first, then a line with ---, then the definition",
};

const tooManyDocuments = {
  message: "a template has two documents, and here a third one starts",
  hint: "write a file for each template",
};
