// `incident validate`: reports every problem in files, and fixes them with --fix, offline and without a key.
import { arranged, type Diagnostic, diagnosticText, isError } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import type { CommandSpec, Run, RunContext } from "../kit/command.ts";
import { flag } from "../kit/flags.ts";
import { pageReport } from "../kit/report.ts";
import { definitionFlags } from "../kit/shared-flags.ts";
import { type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import type { LoadOptions } from "../source/definitions.ts";
import type { Fix } from "../source/fix.ts";
import { findSources, type Source } from "../source/read-source.ts";
import { countOf, firstOf } from "../text/lengths.ts";
import type { Style } from "../view/terminal/style.ts";
import { createIdCheck, invalidFailure, namedOrFolders, prepareChecks } from "./shared/definitions.ts";

export const spec = {
  operands: "[file...]",
  flags: {
    ...definitionFlags,
    for: flag.choice(
      "--for <command>",
      "also check the rules of this command: apply needs an id in each definition",
      ["create", "apply"],
    ),
    strict: flag.switch("--strict", "fail on warnings as well"),
    fix: flag.switch("--fix", "correct the letter case of severities and statuses"),
    assignIds: flag.switch("--assign-ids", "with --fix: give a fresh id to each definition that has none"),
  },
  result: "problems",
  examples: {
    "incident validate checkout.yaml": "check one file",
    "incident validate incidents/ -R": "check every definition in a folder and its sub-folders",
    "incident validate incidents/ -R --for apply": "also report what only apply refuses",
    "incident validate incidents/ -o github": "as annotations of a GitHub Actions run",
    "incident validate incidents/ --fix --assign-ids": "correct what can be corrected automatically",
  },
  notes: "--fix keeps comments, order and texts.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { operands, flags }) => {
  if (flags.assignIds && !flags.fix)
    throw new Failure("usage", "--assign-ids needs --fix", { hint: "write --fix --assign-ids" });
  const named = [...(flags.file ?? []), ...operands];
  const patterns = await namedOrFolders(context, named, { hasTemplates: true });
  const sources = await findSources(context, patterns, flags.recursive);
  const options = { ...flags, requireIds: flags.for === "apply" };
  const { loadOptions, ...prepared } = await prepareChecks(context, options, sources.includesStdin);
  if (sources.leftOut.length > 0)
    context.info(`left out ${firstOf(sources.leftOut)}; -R looks into sub-folders as well`);
  const checkId = createIdCheck();
  const found = [...prepared.diagnostics];
  const fixes: Fix[] = [];
  const files: string[] = [];
  let definitions = 0;
  let templates = 0;
  let isFixable = false;
  // One file at a time is in memory. The process does not listen for signals yet: Ctrl-C ends it at once.
  for (const original of sources.read()) {
    const fixed = flags.fix ? await fixFile(context, original, flags.assignIds) : undefined;
    fixes.push(...(fixed?.fixes ?? []));
    const source = fixed?.source ?? original;
    const checked = await checkFile(source, loadOptions);
    files.push(original.file);
    if (checked.diagnostics.some(isError) && !source.file.startsWith("<"))
      isFixable ||= (await import("../source/fix.ts")).fixSource(source, undefined).fixes.length > 0;
    definitions += checked.definitions.length;
    templates += checked.isTemplate ? 1 : 0;
    found.push(...checked.diagnostics, ...checked.definitions.flatMap((located) => checkId(located) ?? []));
  }
  const isProblem = (each: Diagnostic) => flags.strict || isError(each);
  const diagnostics = found.filter(isProblem);
  const warnings = found.filter((each) => !isProblem(each));
  const valid = diagnostics.length === 0;
  const hint = `correct the problems above${isFixable ? "; --fix corrects the letter case" : ""}`;
  if (valid) prepared.warnOfUnused();
  for (const warning of warnings) context.warn(diagnosticText(warning));
  const { withShortLines } = await import("../view/source-line.ts");
  const data = {
    valid,
    files: files.length,
    definitions,
    ...(templates > 0 && { templates }),
    diagnostics: withShortLines(diagnostics),
    ...(warnings.length > 0 && { warnings: withShortLines(warnings) }),
    ...(flags.fix && { fixes }),
  };
  const { json, table } = pageReport(data, (style) => {
    const verdict = valid ? renderValid(style, files.length, definitions, templates) : "";
    return safe`${renderFixes(style, fixes)}${verdict}`;
  }).prints;
  const github = async () =>
    (await import("../kit/formats/github.ts")).renderProblems(context.system, [...diagnostics, ...warnings]);
  const junit = async () => (await import("../kit/formats/junit.ts")).renderJunit(files, diagnostics);
  return {
    prints: { text: table, json, github, junit },
    failure: valid ? undefined : invalidFailure(diagnostics, hint),
    failureInData: true,
  };
};

/** Fixes a file where possible, and returns its current content. A fixed file is replaced as a whole. */
async function fixFile(context: RunContext, source: Source, assignsIds = false) {
  const { file } = source;
  if (file.startsWith("<"))
    throw new Failure("usage", "--fix changes files and cannot change stdin", {
      hint: "save it to a file first, or remove --fix",
    });
  const { fixSource } = await import("../source/fix.ts");
  const { writeNamedFile } = await import("../platform/write-file.ts");
  const fixed = fixSource(source, assignsIds ? context.system.random.guid : undefined);
  if (fixed.source !== source) writeNamedFile(context, file, fixed.source.bytes);
  return fixed;
}

/** Checks a file as a template, or else as definitions. */
async function checkFile(source: Source, checks: LoadOptions) {
  const { isTemplate, parseSource } = await import("../source/yaml/read.ts");
  const { checkDefinition, checkDocuments, diagnosticsOf } = await import("../source/definitions.ts");
  const parsed = parseSource(source);
  const open = { ...checks, variables: { ...checks.variables, isUnread: true } };
  if (!isTemplate(parsed)) return { ...checkDocuments(parsed, checks), isTemplate: false };
  const { readTemplate } = await import("../source/templates/read-template.ts");
  const { checkTemplate } = await import("../source/templates/fill-template.ts");
  const { diagnostics, template } = readTemplate(parsed);
  // Where the first document has errors, no variable has a value in the second.
  const rest = diagnostics.some(({ code }) => code === "no-definition") ? [] : parsed.documents.slice(1);
  const ofDefinition = template
    ? checkTemplate(template, checks)
    : rest.flatMap((document) => diagnosticsOf(document, checkDefinition(document.value, open).problems));
  return { definitions: [], diagnostics: arranged([...diagnostics, ...ofDefinition]), isTemplate: true };
}

function renderValid(style: Style, files: number, definitions: number, templates: number): SafeText {
  const found = [
    ...(templates === 0 || definitions > 0 ? [countOf(definitions, "definition")] : []),
    ...(templates > 0 ? [countOf(templates, "template")] : []),
  ];
  return safe`${style.line(`${found.join(" and ")} in ${countOf(files, "file")}: valid`)}\n`;
}

function renderFixes(style: Style, fixes: readonly Fix[]): SafeText {
  const lines = fixes.map(({ file, line, written }) => {
    const place = style.color.bold(safe`${style.line(file)}:${line}`);
    return safe`${place}: ${style.color.green("fixed")}: ${style.line(written)}`;
  });
  return safeLines(lines);
}
