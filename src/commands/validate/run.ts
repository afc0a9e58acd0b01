// `incident validate`: reports every problem in files, and fixes them with --fix. Works offline and without a key,
// with one file in memory at a time.
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { Context, System } from "../../platform/context.ts";
import type { Fix } from "../../source/fix.ts";
import type { GlobalFlags, Report, Run } from "../define-command.ts";
import { openLoadOptions } from "../shared/load-options.ts";
import { nameInRepository } from "../shared/name-in-repository.ts";
import { invalidFailure } from "../shared/read-definitions.ts";
import { createYield } from "../shared/yield.ts";
import { createFixer } from "./fix-files.ts";
import type { spec } from "./spec.ts";

/** Version of the envelope that `-o json` prints. */
const formatVersion = 1;

/** The most diagnostics that one run reports, which also bounds the memory that it uses. */
const maxReported = 1000;

export const run: Run<typeof spec> = async (context, { operands, flags: given, global }) => {
  const fix = await createFixer(context, given);
  const patterns = await patternsOf(context, operands, global);
  const { checkSource } = await import("../../source/definitions.ts");
  const { findSources } = await import("../../source/files.ts");
  const sources = await findSources(context, patterns, { recurse: given.recursive ?? false });
  const { loadOptions, ...opened } = await openLoadOptions(context, {
    ...given,
    noProject: global.noProject,
    files: sources.count,
  });
  const yieldControl = createYield(context, "checked", sources.count);

  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const fixes: Fix[] = [];
  let definitions = 0;
  let problems = 0;
  for (const found of sources.read()) {
    await yieldControl(files.length);
    const source = fix(found, (made) => fixes.push(made));
    files.push(source.file);
    const checked = checkSource(source, loadOptions);
    definitions += checked.definitions.length;
    problems += checked.diagnostics.length;
    diagnostics.push(...checked.diagnostics.slice(0, maxReported - diagnostics.length));
  }
  await yieldControl(files.length);
  const reported = [...opened.diagnostics(), ...diagnostics];
  const omitted = problems - diagnostics.length;
  const valid = reported.length === 0;
  if (valid) opened.warnOfUnused();
  return {
    data: {
      formatVersion,
      valid,
      files: files.length,
      definitions,
      diagnostics: reported,
      ...(omitted > 0 && { untold: omitted }),
      ...(given.fix && { fixes }),
    },
    page: async (style) => {
      const { renderFixes } = await import("../../view/fixes.ts");
      const summary = `${count(definitions, "definition")} in ${count(files.length, "file")}: valid\n`;
      return renderFixes(style, fixes) + (valid ? summary : "");
    },
    views: viewsOf(context.system, files, reported),
    ...(valid ? {} : { failure: createFailure(reported, omitted), failureInData: true }),
  };
};

/** The operands, or else the project's folders of definitions. Throws a `Failure` "usage" where both are missing. */
async function patternsOf(
  context: Context,
  operands: readonly string[],
  global: GlobalFlags,
): Promise<readonly string[]> {
  if (operands.length > 0) return operands;
  const { projectDefinitionFolders } = await import("../shared/project-definitions.ts");
  const folders = await projectDefinitionFolders(context, global);
  if (folders.length > 0) return folders;
  throw new Failure("usage", "missing required argument 'file'", { hint: "see incident validate --help" });
}

function createFailure(reported: readonly Diagnostic[], omitted: number): Failure {
  const failure = invalidFailure(reported, "correct the problems above; incident explain CODE says more");
  if (omitted === 0) return failure;
  const { hint, message } = failure;
  return new Failure("invalid", `${message}, and ${omitted} more that are not shown`, {
    hint,
    diagnostics: reported,
  });
}

function viewsOf(
  system: Pick<System, "cwd" | "env">,
  files: readonly string[],
  diagnostics: readonly Diagnostic[],
): NonNullable<Report["views"]> {
  const nameOf = (file: string) => nameInRepository(system, file);
  return {
    github: async () => (await import("../../view/reports/github.ts")).renderAnnotations(diagnostics, nameOf),
    sarif: async () => (await import("../../view/reports/sarif.ts")).renderSarif(diagnostics, nameOf),
    junit: async () => (await import("../../view/reports/junit.ts")).renderJunit(files, diagnostics),
  };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
