// What definitions are read with: the variables of the command line and the project's catalog of services. It
// hides where both are found.
import { relative } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import { nearest } from "../../incident/rules.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { findProjectFile, projectFileName } from "../../settings/project.ts";
import type { Catalog } from "../../source/catalog.ts";
import type { LoadOptions } from "../../source/definitions.ts";

export interface VariableFlags {
  /** `name=value`, each. */
  readonly var?: readonly string[] | undefined;
  /** Files of variables; a later one wins over an earlier, and `var` over all of them. */
  readonly vars?: readonly string[] | undefined;
  readonly noProject?: boolean | undefined;
  /** How many files are to be read, where there are several. */
  readonly files?: number;
}

/** With more files than this it is a bulk run, where a second parser is worth loading. */
const bulk = 16;

export interface OpenLoadOptions {
  readonly loadOptions: LoadOptions;
  /** What is wrong with the files of variables, and with the catalog if any definition asked for it. */
  problems(): readonly Diagnostic[];
  /** To be called when all is read: warns of each `--var` that nothing used. */
  warnOfUnused(): void;
}

export async function openLoadOptions(
  context: Context & Reporter,
  options: VariableFlags,
): Promise<OpenLoadOptions> {
  const { readCatalog } = await import("../../source/catalog.ts");
  const { readVariables, variableName } = await import("../../source/variables.ts");
  const { readSource } = await import("../../source/files.ts");
  const files = (options.vars ?? []).map((file) => readVariables(readSource(context, file)));
  const given = (options.var ?? []).map((text) => parseVariable(text, variableName));
  const values = new Map([...files.flatMap((file) => Object.entries(file.values)), ...given]);
  const used = new Set<string>();
  const { readValid } = (options.files ?? 1) > bulk ? await import("../../source/fast-path.ts") : {};
  let catalog: Catalog | undefined;

  return {
    loadOptions: {
      variables: { values, used },
      ...(readValid && { readValid }),
      catalog: () => {
        catalog ??= readProjectCatalog(context, options, (file) => readCatalog(readSource(context, file)));
        return catalog;
      },
    },
    problems: () =>
      [...files, ...(catalog === undefined ? [] : [catalog])].flatMap((file) => file.diagnostics),
    warnOfUnused: () => {
      for (const [name] of given.filter(([name]) => !used.has(name))) {
        const meant = nearest(name, [...used]);
        context.warn(`nothing uses --var ${name}${meant === undefined ? "" : `; did you mean ${meant}?`}`);
      }
    },
  };
}

function readProjectCatalog(
  context: Context,
  { noProject = false }: VariableFlags,
  read: (file: string) => Catalog,
): Catalog {
  const file = noProject ? undefined : findProjectFile(context);
  if (file === undefined) return { file: projectFileName, services: new Map(), diagnostics: [] };
  // A link could have a stranger's file, or a secret, shown as if it stood in the project.
  if (!context.files.lstatSync(file).isFile()) {
    throw new Failure("usage", `${file} is not a regular file`, {
      hint: "replace it by a file, or leave it out with --no-project",
    });
  }
  return read(relative(context.cwd, file));
}

/** `name=value`; the value may be empty, and may hold an equals sign. */
function parseVariable(text: string, names: RegExp): readonly [string, string] {
  const [, name = "", value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (names.test(name) && value !== undefined) return [name, value];
  throw new Failure("usage", `--var ${text} is not a variable`, {
    hint: "write --var name=value; a name starts with a letter and holds letters, digits, _, - and .",
  });
}
