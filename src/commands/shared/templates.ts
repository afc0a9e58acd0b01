// The project's templates: finds them, reads one, and makes a definition of it.
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { TemplateVariable } from "../../incident/template-rules.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Context } from "../../platform/context.ts";
import type { CheckedSources, LoadOptions } from "../../source/definitions.ts";
import { readSource, type Source, unreadable } from "../../source/read-source.ts";
import type { NotApplicable } from "../../source/templates/alert-rule.ts";
import type { Template } from "../../source/templates/read-template.ts";
import type { VariableValues } from "../../source/variables/replace-variables.ts";
import { advise, argv } from "../../text/advice.ts";
import { firstOf, listOf } from "../../text/lengths.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import { codeOf } from "../../thrown-value.ts";
import { invalidFailure } from "./checks.ts";

const templateName = () => /^(?!\.)[\p{L}\p{N}._-]+$/u;
const templateFile = /^(.+)\.ya?ml$/;

/** Asks a person for a missing value. */
export type AskValue = (name: string, variable: TemplateVariable) => Promise<string>;

/** The files of the templates by their names, sorted. Empty where the folder is missing. */
export async function listTemplates(context: RunContext): Promise<ReadonlyMap<string, string>> {
  const folder = await context.workspace.templateFolder();
  const names = readNames(context, folder);
  return new Map(
    names.flatMap((file) => {
      const [, name] = templateFile.exec(file) ?? [];
      return name !== undefined && templateName().test(name) ? [[name, join(folder, file)] as const] : [];
    }),
  );
}

function readNames({ files, system }: Context, folder: string): readonly string[] {
  try {
    return files
      .readdirSync(join(system.cwd, folder), { withFileTypes: true })
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new Failure("usage", unreadable(folder, error), {
      hint: "check the folder of templates and its permissions",
      cause: error,
    });
  }
}

/** Reads a template by its name. Throws a `Failure` "usage" for an unknown name, and "invalid" with the diagnostics. */
async function openTemplate(context: RunContext, name: string): Promise<Template> {
  const templates = await listTemplates(context);
  const file = templates.get(name);
  if (file === undefined) {
    const folder = await context.workspace.templateFolder();
    throw new Failure("usage", `there is no template "${name}" in ${folder}`, {
      hint:
        templates.size === 0
          ? advise`write one: ${join(folder, `${name}.yaml`)}; see ${argv`incident templates --help`}`
          : advise`see ${argv`incident templates list`}${withSuggestion("", nearest(name, [...templates.keys()]))}`,
    });
  }
  const { readTemplate } = await import("../../source/templates/read-template.ts");
  const { template, diagnostics } = readTemplate(readSource(context, file));
  if (template !== undefined && diagnostics.length === 0) return template;
  throw invalidFailure(diagnostics, "correct the template; nothing was sent");
}

/** Checks a file as a template; undefined for a file of definitions. */
export async function checkTemplateFile(
  source: Source,
  loadOptions: LoadOptions,
): Promise<readonly Diagnostic[] | undefined> {
  const { byPosition } = await import("../../source/diagnostic-list.ts");
  const { faultOf } = await import("../../source/documents.ts");
  const { isTemplateSource, readTemplate } = await import("../../source/templates/read-template.ts");
  try {
    if (!isTemplateSource(source)) return undefined;
    const { template, diagnostics } = readTemplate(source);
    const { checkTemplate } = await import("../../source/templates/check-template.ts");
    return [...diagnostics, ...(template ? checkTemplate(template, loadOptions) : [])].sort(byPosition);
  } catch (error) {
    return [faultOf(source, error)];
  }
}

/**
 * The definition of a template with the values of the command line. `ask` gives a missing value; without it, a missing
 * value is an error. Throws a `Failure`.
 */
export async function fillNamedTemplate(
  context: RunContext,
  flags: {
    readonly ask?: AskValue | undefined;
    readonly rule?: { readonly needsDedupKey: boolean } | undefined;
    readonly vars?: readonly string[] | undefined;
  },
  name: string,
  loadOptions: LoadOptions,
): Promise<CheckedSources & { readonly notApplicable?: NotApplicable }> {
  const template = await openTemplate(context, name);
  const { chooseTexts, fillTemplate } = await import("../../source/templates/fill-template.ts");
  const given = loadOptions.variables.values;
  const { obeyRule } = await import("../../source/templates/alert-rule.ts");
  const hasInput = flags.vars !== undefined || [...given.keys()].length > 0;
  const obeyed = flags.rule && obeyRule(context, template, loadOptions, { ...flags.rule, hasInput });
  if (obeyed !== undefined && "notApplicable" in obeyed)
    return { definitions: [], diagnostics: [], warnings: [], ...obeyed };
  const { alertStarts, key } = obeyed ?? {};
  const asked = new Map<string, string>();
  for (;;) {
    const values = {
      get: (variable: string) => asked.get(variable) ?? given.get(variable),
      keys: () => given.keys(),
    };
    const chosen = chooseTexts(template, values);
    if ("texts" in chosen) {
      if (key !== undefined && key.missing.length > 0)
        throw valuesFailure(name, key.missing, [], flags.vars && given);
      const { amended, definition, diagnostics, warnings } = fillTemplate(
        template,
        chosen.texts,
        loadOptions,
      );
      for (const warning of [...chosen.warnings, ...amended]) context.warn(warning);
      const definitions =
        definition === undefined
          ? []
          : [{ ...definition, alertStarts, dedupKey: key?.text, ending: template.resolve?.update }];
      return { definitions, diagnostics, warnings };
    }
    const { errors } = chosen;
    const missing = [...new Set([...(key?.missing ?? []), ...chosen.missing])];
    if (errors.length > 0 || flags.ask === undefined)
      throw valuesFailure(name, missing, errors, flags.vars && given);
    for (const variable of missing)
      asked.set(variable, await flags.ask(variable, template.variables.get(variable) ?? {}));
  }
}

/** `input` has the values of --vars. */
function valuesFailure(
  name: string,
  missing: readonly string[],
  errors: readonly string[],
  input: VariableValues | undefined,
): Failure {
  const needs = missing.length === 0 ? [] : [`the template ${name} needs ${listOf(missing)}`];
  return new Failure("usage", [...needs, ...errors.map((error) => `the variable ${error}`)].join("; "), {
    hint: `${missing.length === 0 ? "correct the values" : missingHint(missing, input)}; nothing was sent`,
  });
}

function missingHint(missing: readonly string[], input: VariableValues | undefined): string {
  if (input === undefined)
    return `add ${missing.map((variable) => `--var ${variable}=…`).join(" ")}, or give a file with --vars`;
  return `the input has ${firstOf([...input.keys()])}: correct the name in the template, or give it otherwise: there`;
}
