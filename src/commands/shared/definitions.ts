// Reads the definitions that a command is given, in files or by the name of a template, or fails with their diagnostics.
import { isError } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/command.ts";
import type { CheckedSources, LoadOptions } from "../../source/definitions.ts";
import { findSources, readSource } from "../../source/read-source.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import type { NotApplicable } from "../../source/templates/fill-template.ts";
import type { Template } from "../../source/templates/read-template.ts";
import { advise, argv } from "../../text/advice.ts";
import { listOf } from "../../text/lengths.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import {
  type CheckFlags,
  createIdCheck,
  invalidFailure,
  listTemplates,
  prepareChecks,
  shippedTemplates,
  warningLine,
} from "./checks.ts";

export interface ReadOptions extends Omit<CheckFlags, "sources"> {
  readonly recursive?: boolean;
  /** Changes each document, as the flags say that set fields. */
  readonly override?: (catalog: Catalog) => Promise<LoadOptions["override"]>;
  /** The name of a template, in place of files. */
  readonly template?: string | undefined;
  /** Obeys the rule of the template: its `when`, and its `dedupKey` where the command line has no key. */
  readonly rule?: { readonly needsDedupKey: boolean } | undefined;
}

/** `notApplicable`: why nothing is to be declared, by the rule of the template. */
type Checked = CheckedSources & { readonly notApplicable?: NotApplicable };

/** The definitions of `files`, or of a template. Throws a `Failure`. */
export async function readDefinitions(context: RunContext, files: readonly string[], options: ReadOptions) {
  const { checkSources } = await import("../../source/definitions.ts");
  const sources = await findSources(context, files, { recurse: options.recursive ?? false });
  const prepared = await prepareChecks(context, { ...options, sources });
  const override = await options.override?.(prepared.loadOptions.catalog);
  const loadOptions = { ...prepared.loadOptions, ...(override && { override }) };
  const isTemplate = options.template !== undefined;
  // An input that cannot be read has none of the names that a template needs.
  const unread = isTemplate ? prepared.diagnostics.filter(isError) : [];
  if (unread.length > 0) throw invalidFailure(unread, "correct the input; nothing was sent");
  const checked: Checked = isTemplate
    ? await fillNamedTemplate(context, options, loadOptions)
    : checkSources(sources.read(), loadOptions);
  const { definitions, diagnostics, notApplicable } = checked;
  if (notApplicable !== undefined) return { definitions, notApplicable };
  const checkId = createIdCheck();
  const found = [
    ...prepared.diagnostics,
    ...diagnostics,
    ...definitions.flatMap((located) => checkId(located) ?? []),
  ];
  const errors = found.filter(isError);
  for (const each of found) if (!isError(each)) context.warn(warningLine(each));
  if (errors.length > 0) throw invalidFailure(errors, "correct the problems above; nothing was sent");
  if (override !== undefined && definitions.length > 1) throw ambiguous("there are several definitions");
  prepared.warnOfUnused();
  return { definitions };
}

/** The flags that set fields are about one definition, and of it about one update. */
export function ambiguous(why: string): Failure {
  return new Failure("usage", `the flags that set fields are ambiguous: ${why}`, {
    hint: "change the file instead, or give one definition at a time; nothing was sent",
  });
}

/** Reads a template by its name. Throws a `Failure` "usage" for an unknown name, and "invalid" with the diagnostics. */
async function openTemplate(context: RunContext, name: string): Promise<Template> {
  const templates = await listTemplates(context);
  const file = templates.get(name);
  if (file === undefined) {
    const folder = await context.workspace.templateFolder();
    const hint = advise`see ${argv`incident templates list`}; ${shippedTemplates}`;
    throw new Failure("usage", `there is no template "${name}" in ${folder}`, {
      hint: withSuggestion(hint, nearest(name.replace(/\.ya?ml$/, ""), [...templates.keys()])),
    });
  }
  const { readTemplate } = await import("../../source/templates/read-template.ts");
  const { template, diagnostics } = readTemplate(readSource(context, file));
  if (template !== undefined && !diagnostics.some(isError)) return template;
  throw invalidFailure(diagnostics, "correct the template; nothing was sent");
}

/** The definition of a template with the values of the command line. Throws a `Failure`. */
async function fillNamedTemplate(
  context: RunContext,
  { rule, template: name = "", vars }: ReadOptions,
  loadOptions: LoadOptions,
): Promise<Checked> {
  const template = await openTemplate(context, name);
  const { chooseTexts, fillTemplate, obeyRule } = await import("../../source/templates/fill-template.ts");
  const given = loadOptions.variables.values;
  const hasInput = vars !== undefined || [...given.keys()].length > 0;
  const obeyed = rule && obeyRule(context, template, loadOptions, { ...rule, hasInput });
  if (obeyed?.because !== undefined) return { definitions: [], diagnostics: [], notApplicable: obeyed };
  const { alertStarts, key } = obeyed ?? {};
  const chosen = chooseTexts(template, given);
  const missing = [...new Set([...(key?.missing ?? []), ...chosen.missing])];
  if (missing.length + chosen.errors.length > 0) throw valuesFailure(name, missing, chosen.errors);
  const { amended, definition, diagnostics } = fillTemplate(template, chosen.texts, loadOptions);
  for (const warning of [...chosen.warnings, ...amended]) context.warn(warning);
  const declared = { alertStarts, dedupKey: key?.text };
  const definitions = definition === undefined ? [] : [{ ...definition, ...declared }];
  return { definitions, diagnostics };
}

function valuesFailure(name: string, missing: readonly string[], errors: readonly string[]): Failure {
  const needs = missing.length === 0 ? [] : [`the template ${name} needs ${listOf(missing)}`];
  const flags = missing.map((variable) => `--var ${variable}=…`).join(" ");
  const add = missing.length === 0 ? "correct the values" : `add ${flags}, or give a file with --vars`;
  return new Failure("usage", [...needs, ...errors.map((error) => `the variable ${error}`)].join("; "), {
    hint: `${add}; nothing was sent`,
  });
}
