// Reads and checks the definitions of a command, from files or a template, with the variables of its command line, and the catalog,
// the policy and the contract of its workspace.
import { join } from "node:path";
import { type Diagnostic, diagnosticText, errorAt, isError, placeText } from "../../diagnostic.ts";
import { codeOf, Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/command.ts";
import type { CheckedSources, LoadOptions, LocatedDefinition } from "../../source/definitions.ts";
import { findSources, readSource, readSourceOrStdin, unreadable } from "../../source/read-source.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import type { NotApplicable } from "../../source/templates/fill-template.ts";
import type { Template } from "../../source/templates/read-template.ts";
import type { VariableFile } from "../../source/variables.ts";
import { countOf, listOf } from "../../text/lengths.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";

export interface CheckFlags {
  /** Each `name=value`. */
  readonly var?: readonly string[] | undefined;
  /** Files of variables. A later file overrides an earlier one, and `var` overrides all files. */
  readonly vars?: readonly string[] | undefined;
  readonly requireIds?: boolean;
}

export interface ReadOptions extends CheckFlags {
  readonly recursive?: boolean;
  /** Changes each document by the flags that set fields. */
  readonly override?: (catalog: Catalog) => Promise<LoadOptions["override"]>;
  /** The name of a template, in place of files. */
  readonly template?: string | undefined;
  /** The keys of the command line. Without one, the rule of the template gives its `dedupKey`. */
  readonly key?: string | undefined;
  readonly dedupKey?: string | undefined;
}

/** `notApplicable`: why the rule of the template declares nothing. */
type Checked = CheckedSources & { readonly notApplicable?: NotApplicable };

/** The definitions of `files`, or of a template. Throws a `Failure`. */
export async function readDefinitions(context: RunContext, files: readonly string[], options: ReadOptions) {
  const { checkSources } = await import("../../source/definitions.ts");
  const sources = await findSources(context, files, options.recursive);
  const prepared = await prepareChecks(context, options, sources.includesStdin);
  const override = await options.override?.(prepared.loadOptions.catalog);
  const loadOptions = { ...prepared.loadOptions, ...(override && { override }) };
  const isTemplate = options.template !== undefined;
  // An input that cannot be read would lack every name that a template needs.
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
  for (const each of found) if (!isError(each)) context.warn(diagnosticText(each));
  if (errors.length > 0) throw invalidFailure(errors, "correct the problems above; nothing was sent");
  if (override !== undefined && definitions.length > 1) throw ambiguous("there are several definitions");
  prepared.warnOfUnused();
  return { definitions };
}

/** The flags that set fields change one definition with one update. */
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
    const hint = `see incident templates list; ${shippedTemplates}`;
    throw new Failure("usage", `there is no template "${name}" in ${folder}`, {
      hint: withSuggestion(hint, nearest(name.replace(/^.*\/|\.ya?ml$/g, ""), [...templates.keys()])),
    });
  }
  const { template, diagnostics } = await readTemplateFile(context, file);
  if (template !== undefined && !diagnostics.some(isError)) return template;
  throw invalidFailure(diagnostics, "correct the template; nothing was sent");
}

export async function readTemplateFile(context: RunContext, file: string) {
  const { readTemplate } = await import("../../source/templates/read-template.ts");
  const { parseSource } = await import("../../source/yaml/read.ts");
  return readTemplate(parseSource(readSource(context, file)));
}

/** Fills a template with the values of the command line. Throws a `Failure`. */
async function fillNamedTemplate(
  context: RunContext,
  { dedupKey, key: ownKey, template: name = "", vars }: ReadOptions,
  loadOptions: LoadOptions,
): Promise<Checked> {
  const template = await openTemplate(context, name);
  const { fillTemplate, obeyRule } = await import("../../source/templates/fill-template.ts");
  const hasInput = vars !== undefined || loadOptions.variables.values.size > 0;
  const needsDedupKey = (ownKey ?? dedupKey) === undefined;
  const obeyed = obeyRule(context, template, loadOptions, { hasInput, needsDedupKey });
  if (obeyed.because !== undefined) return { definitions: [], diagnostics: [], notApplicable: obeyed };
  const { alertStarts, key } = obeyed;
  const { definition, diagnostics } = fillTemplate(context, template, loadOptions, name, key?.missing);
  const declared = { alertStarts, dedupKey: key?.text };
  const definitions = definition === undefined ? [] : [{ ...definition, ...declared }];
  return { definitions, diagnostics };
}

/** Reads the variables, the catalog, the policy and the contract. */
export async function prepareChecks(context: RunContext, options: CheckFlags, includesStdin = false) {
  const { warn, workspace } = context;
  const files = await readVariableFiles(context, options.vars ?? [], includesStdin);
  const flagValues = await parseVariables(options.var ?? []);
  const values = new Map([...files.flatMap((file) => [...file.values]), ...flagValues]);
  const used = new Set<string>();
  // A file that cannot be read could have a value for any name.
  const isUnread = files.some(({ diagnostics }) => diagnostics.some(isError));
  const project = await workspace.project();
  const { checkDeadline } = workspace;
  return {
    loadOptions: {
      policy: await workspace.policy(),
      contract: await workspace.contractCheck(),
      checkDeadline,
      variables: { values, used, isUnread },
      catalog: project,
      requireIds: options.requireIds,
    },
    /** The diagnostics of the files of variables and of the project's file. */
    diagnostics: [...files.flatMap((file) => file.diagnostics), ...project.diagnostics],
    /** Warns of each `--var` that no definition used. Call it after the last file is read. */
    warnOfUnused: () => {
      for (const [name] of flagValues.filter(([name]) => !used.has(name)))
        warn(withSuggestion(`no definition uses --var ${name}`, nearest(name, [...used])));
    },
  };
}

/** Reads the files of --vars. A lone hyphen is stdin, which only one reader can have. */
async function readVariableFiles(context: RunContext, vars: readonly string[], includesStdin: boolean) {
  if (vars.length === 0) return [];
  const stdins = vars.filter((file) => file === "-").length + (includesStdin ? 1 : 0);
  if (stdins > 1)
    throw new Failure("usage", "stdin is named twice: it can be read only once", {
      hint: "write one of the two to a file, and name that",
    });
  const { maxInputSize, readVariables } = await import("../../source/variables.ts");
  const files: VariableFile[] = [];
  for (const file of vars) files.push(readVariables(await readSourceOrStdin(context, file, maxInputSize)));
  return files;
}

/** Parses each `name=value`. The value may be empty and may contain an equals sign. */
async function parseVariables(texts: readonly string[]): Promise<(readonly [string, string])[]> {
  if (texts.length === 0) return [];
  const { variableName } = await import("../../source/variables.ts");
  return texts.map((text): [string, string] => {
    const [, name = "", value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (variableName.test(name) && value !== undefined) return [name, value];
    throw new Failure("usage", `--var ${text} is not a variable`, {
      hint: "write --var name=value; a name starts with a letter and contains letters, digits, _, - and .",
    });
  });
}

export function invalidFailure(diagnostics: readonly Diagnostic[], hint: string): Failure {
  const files = new Set(diagnostics.map(({ location }) => location.file)).size;
  const message = `${countOf(diagnostics.length, "problem")} in ${countOf(files, "file")}`;
  return new Failure("invalid", message, { hint, diagnostics });
}

/** Returns a function that takes one definition after another, and returns the problem with its id, if any. */
export function createIdCheck(): (located: LocatedDefinition) => Diagnostic | undefined {
  /** Places by identity, as new texts: V8 keeps a whole file in memory for a part of its text. */
  const seen = new Map<string, string>();
  return ({ definition, place }) => {
    const id = definition.id?.toLowerCase();
    const identity = JSON.stringify(id ?? definition);
    const first = seen.get(identity);
    if (first === undefined) {
      seen.set(identity, placeText(place));
      return undefined;
    }
    if (id === undefined) {
      const message = `this definition has the same content as ${first}, so create declares two incidents`;
      const hint = "remove one of the two, or give each an id if both are meant";
      return errorAt("repeated-definition", { message, hint }, place, "warning");
    }
    const hint = "remove the id from one of the two, or write another one";
    return errorAt("duplicate-id", { message: `this id is taken already, at ${first}`, hint }, place);
  };
}

export const shippedTemplates = "those for alerts are in fixtures/incident-templates of the repository";

/** The files of the templates by their names, sorted. Empty where the folder is missing. */
export async function listTemplates({ files, system, workspace }: RunContext) {
  const folder = await workspace.templateFolder();
  const templates = new Map<string, string>();
  try {
    const entries = files.readdirSync(join(system.cwd, folder), { withFileTypes: true });
    for (const file of entries.map(({ name }) => name).sort()) {
      const [, name] = /^(?!\.)([\p{L}\p{N}._-]+)\.ya?ml$/u.exec(file) ?? [];
      if (name !== undefined) templates.set(name, join(folder, file));
    }
    return templates;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return templates;
    throw new Failure("usage", unreadable(folder, error), {
      hint: "check the folder of templates and its permissions",
      cause: error,
    });
  }
}

/** The named files, else the project's folders of definitions, and its templates. Throws a `Failure` "usage" for none. */
export async function namedOrFolders(
  context: RunContext,
  named: readonly string[],
  { hasTemplates = false } = {},
) {
  if (named.length > 0) return named;
  const templates = hasTemplates ? (await listTemplates(context)).values() : [];
  const folders = await context.workspace.definitionFolders();
  const missing = folders.filter((folder) => !context.files.existsSync(join(context.system.cwd, folder)));
  const found = [...folders, ...templates];
  if (found.length > 0 && missing.length === 0) return found;
  const does = missing.length > 1 ? "do" : "does";
  const gone = `${listOf(missing)} ${does} not exist, or cannot be read: see definitions: in .incident.yaml`;
  throw new Failure("usage", missing.length > 0 ? gone : "no file was named", {
    hint: "name a folder or a file with -f, or - for stdin (-f -), or list the project's folders under definitions: in .incident.yaml",
  });
}
