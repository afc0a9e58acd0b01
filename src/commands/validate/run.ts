// `incident validate`: says everything that is wrong with files, and mends what it is told to; offline, without
// key and settings. However many files there are, one of them is in memory.
import { relative, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { Context } from "../../platform/context.ts";
import type { Fix } from "../../source/fix.ts";
import type { Flags, Report, Run } from "../define-command.ts";
import type { validateOptions } from "../options.ts";
import { openLoadOptions } from "../shared/load-options.ts";
import { invalidFailure } from "../shared/read-definitions.ts";
import { createYield } from "../shared/yielding.ts";
import { createFixer } from "./fix-files.ts";

/** Version of the envelope that `-o json` prints. */
const formatVersion = 1;

/** Told of one run: a person mends these first, and what is kept stays within bounds. */
const mostTold = 1000;

export const run: Run = async (context, { operands, flags, global }) => {
  const given = flags as Flags<typeof validateOptions>;
  const fix = await createFixer(context, given);
  const { checkSource } = await import("../../source/definitions.ts");
  const { findSources } = await import("../../source/files.ts");
  const sources = await findSources(context, operands, { recurse: given.recursive ?? false });
  const { loadOptions, ...opened } = await openLoadOptions(context, {
    ...given,
    noProject: global.noProject,
    files: sources.count,
  });
  const pause = createYield(context, "checked", sources.count);

  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const fixes: Fix[] = [];
  let definitions = 0;
  let problems = 0;
  for (const found of sources.read()) {
    await pause(files.length);
    const source = fix(found, (made) => fixes.push(made));
    files.push(source.file);
    const checked = checkSource(source, loadOptions);
    definitions += checked.definitions.length;
    problems += checked.diagnostics.length;
    diagnostics.push(...checked.diagnostics.slice(0, mostTold - diagnostics.length));
  }
  await pause(files.length);
  const around = opened.problems();
  const told = [...around, ...diagnostics];
  const untold = problems - diagnostics.length;
  const valid = told.length === 0;
  if (valid) opened.warnOfUnused();
  return {
    data: {
      formatVersion,
      valid,
      files: files.length,
      definitions,
      diagnostics: told,
      ...(untold > 0 && { untold }),
      ...(given.fix && { fixes }),
    },
    page: async (style) => {
      const { renderFixes } = await import("../../view/fixes.ts");
      const summary = `${count(definitions, "definition")} in ${count(files.length, "file")}: valid\n`;
      return renderFixes(style, fixes) + (valid ? summary : "");
    },
    views: viewsOf(context, files, told),
    ...(valid ? {} : { failure: failureOf(told, untold), failureInData: true }),
  };
};

function failureOf(told: readonly Diagnostic[], untold: number): Failure {
  const failure = invalidFailure(told, "correct what is named above; incident explain CODE says more");
  if (untold === 0) return failure;
  const { hint, message } = failure;
  return new Failure("invalid", `${message}, and ${untold} more that are not shown`, {
    hint,
    diagnostics: told,
  });
}

function viewsOf(
  context: Context,
  files: readonly string[],
  diagnostics: readonly Diagnostic[],
): NonNullable<Report["views"]> {
  const nameOf = (file: string) => nameInRepository(context, file);
  return {
    github: async () => (await import("../../view/reports/github.ts")).renderAnnotations(diagnostics, nameOf),
    sarif: async () => (await import("../../view/reports/sarif.ts")).renderSarif(diagnostics, nameOf),
    junit: async () => (await import("../../view/reports/junit.ts")).renderJunit(files, diagnostics),
  };
}

/** GitHub counts from the repository's root, wherever the step runs. */
function nameInRepository({ cwd, env }: Pick<Context, "cwd" | "env">, file: string): string {
  const name = env.GITHUB_WORKSPACE ? relative(env.GITHUB_WORKSPACE, resolve(cwd, file)) : file;
  return name.startsWith("..") || file.startsWith("<") ? file : name;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
