// The options that definitions are loaded with: the variables of the command line and the project's catalog of
// services. Hides where both are found.
import { relative } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { Service } from "../../incident/definition.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import type { LoadOptions } from "../../source/definitions.ts";
import type { Sources } from "../../source/files.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import type { VariableValues } from "../../source/variables/replace-variables.ts";
import type { VariableFile } from "../../source/variables/variable-files.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import { findProjectFile, projectFileName, userSettingsFile } from "../../workspace/locations.ts";

export interface VariableFlags {
  /** Each `name=value`. */
  readonly var?: readonly string[] | undefined;
  /** Files of variables. A later file overrides an earlier one, and `var` overrides all files. */
  readonly vars?: readonly string[] | undefined;
  readonly noProject?: boolean | undefined;
  /** The profile whose services are known as well; the effective one if it is not given. */
  readonly profile?: string | undefined;
  /** Leaves out the services of the profile. */
  readonly noProfile?: boolean | undefined;
  /** The files to read. */
  readonly sources?: Pick<Sources, "count" | "includesStdin">;
}

export interface OpenLoadOptions {
  readonly loadOptions: LoadOptions;
  /** The diagnostics of the files of variables, and of the catalog if a definition used it. */
  diagnostics(): readonly Diagnostic[];
  /** Warns of each `--var` that no definition used. Call it after the last file is read. */
  warnOfUnused(): void;
}

export async function openLoadOptions(
  context: Context & Pick<Reporter, "warn">,
  options: VariableFlags,
): Promise<OpenLoadOptions> {
  const readProject = await openProjectCatalog(context, options);
  const files = await readVariableFiles(context, options);
  const flagValues = await parseVariables(options.var ?? []);
  const values = layered([new Map(flagValues), ...files.map((file) => file.values).reverse()]);
  const used = new Set<string>();
  const readUserServices = await openUserServices(context, options);
  let catalog: Catalog | undefined;

  return {
    loadOptions: {
      now: context.system.clock.now(),
      variables: { values, used },
      catalog: () => {
        catalog ??= withUserServices(readProject(), readUserServices());
        return catalog;
      },
    },
    diagnostics: () =>
      [...files, ...(catalog === undefined ? [] : [catalog])].flatMap((file) => file.diagnostics),
    warnOfUnused: () => {
      for (const [name] of flagValues.filter(([name]) => !used.has(name))) {
        context.warn(withSuggestion(`no definition uses --var ${name}`, nearest(name, [...used])));
      }
    },
  };
}

/** Reads the files of --vars. A lone hyphen is stdin, which only one reader can have. */
async function readVariableFiles(
  context: Context,
  { sources, vars = [] }: VariableFlags,
): Promise<readonly VariableFile[]> {
  if (vars.length === 0) return [];
  const stdins = vars.filter((file) => file === "-").length + (sources?.includesStdin ? 1 : 0);
  if (stdins > 1) {
    throw new Failure("usage", "stdin is named twice: it can be read only once", {
      hint: "write one of the two to a file, and name that",
    });
  }
  const { readSourceOrStdin } = await import("../../source/read-source.ts");
  const { readVariables } = await import("../../source/variables/variable-files.ts");
  const files: VariableFile[] = [];
  for (const file of vars) files.push(readVariables(await readSourceOrStdin(context, file)));
  return files;
}

/** The value of the first layer that has one. */
function layered(layers: readonly VariableValues[]): VariableValues {
  return {
    get: (name) => {
      for (const layer of layers) {
        const value = layer.get(name);
        if (value !== undefined) return value;
      }
      return undefined;
    },
    keys: () => layers.flatMap((layer) => [...layer.keys()]),
  };
}

type Services = ReadonlyMap<string, Service>;

/** A profile is more specific than the project, as in the precedence of every setting. */
function withUserServices(project: Catalog, services: Services): Catalog {
  return services.size === 0
    ? project
    : { ...project, services: new Map([...project.services, ...services]) };
}

/**
 * The services of the user's profile. The function throws the `Failure` of settings that cannot be read: only a
 * definition that names a service needs them.
 */
async function openUserServices(context: Context, flags: VariableFlags): Promise<() => Services> {
  const none = () => new Map<string, Service>();
  const file = userSettingsFile(context.system);
  if (flags.noProfile) return none;
  if (context.files.statSync(file, { throwIfNoEntry: false }) === undefined) return none;
  const { settingsSources } = await import("../../workspace/workspace.ts");
  const { applyPrecedence } = await import("../../workspace/precedence.ts");
  const { checkSettings } = await import("../../source/parse-settings.ts");
  const { catalogRules } = await import("../../incident/definition.ts");
  try {
    const { selectedProfile } = await applyPrecedence(settingsSources(context, flags));
    const section = selectedProfile?.services;
    if (section === undefined) return none;
    return () => new Map(Object.entries(checkSettings(section, catalogRules)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return () => {
      throw error;
    };
  }
}

/** Loads the reader of the catalog only where there is a project file. The function throws a `Failure`. */
async function openProjectCatalog(
  context: Context,
  { noProject = false }: VariableFlags,
): Promise<() => Catalog> {
  const file = noProject ? undefined : findProjectFile(context);
  if (file === undefined) return () => ({ file: projectFileName, services: new Map(), diagnostics: [] });
  const { readCatalog } = await import("../../workspace/catalog.ts");
  const { readSource } = await import("../../source/read-source.ts");
  return () => {
    // A link could show a file from outside the project, or a secret, as if it were the project's.
    if (context.files.lstatSync(file).isFile())
      return readCatalog(readSource(context, relative(context.system.cwd, file)));
    throw new Failure("usage", `${file} is not a regular file`, {
      hint: "replace it by a file, or leave it out with --no-project",
    });
  };
}

async function parseVariables(texts: readonly string[]): Promise<(readonly [string, string])[]> {
  if (texts.length === 0) return [];
  const { variableName } = await import("../../source/variables/replace-variables.ts");
  return texts.map((text) => parseVariable(text, variableName));
}

/** Parses `name=value`. The value may be empty and may contain an equals sign. */
function parseVariable(text: string, names: RegExp): readonly [string, string] {
  const [, name = "", value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (names.test(name) && value !== undefined) return [name, value];
  throw new Failure("usage", `--var ${text} is not a variable`, {
    hint: "write --var name=value; a name starts with a letter and contains letters, digits, _, - and .",
  });
}
