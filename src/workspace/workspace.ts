// The files and variables around a run. Each part is read when it is first asked for, each file once,
// and everyone in the run gets the same.
import { dirname, join, relative, resolve } from "node:path";
import { cancellation, Failure, ignoreFailure } from "../failure.ts";
import type { CheckBody } from "../incident/contract/check-body.ts";
import type { Files, System } from "../platform/context.ts";
import { statIfThere } from "../platform/repository.ts";
import type { Contract } from "../rules/openapi/contract.ts";
import type { LazyCatalog } from "./catalog.ts";
import type { ContractFile } from "./contract.ts";
import type { JournalSettings } from "./journal-location.ts";
import {
  contractFileName,
  defaultTemplateFolder,
  findProjectCompanion,
  findProjectFile,
  projectFileName,
  stateDirectory,
  userSettingsFile,
} from "./locations.ts";
import type { ProjectPolicy } from "./policy.ts";
import type { EffectiveSettings, SettingsSources } from "./precedence.ts";
import type { UserSettings } from "./profiles.ts";
import type { ProjectFile, ProjectSettings } from "./project-file.ts";
import type { ServiceTarget } from "./resolve.ts";
import type { Setting } from "./setting.ts";

export interface WorkspaceFlags {
  readonly profile?: string | undefined;
  readonly account?: string | undefined;
  /** Ignores the project's file, so that a broken one never stops an emergency. */
  readonly noProject?: boolean | undefined;
  /** Goes on where the contract cannot be used. */
  readonly ignoreContract?: boolean | undefined;
}

export interface WorkspaceDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd" | "env" | "home" | "overdue" | "user">;
}

/** Each part throws the `Failure` of a file that it needs and that cannot be used. */
export interface Workspace {
  /** Where the settings come from. */
  readonly sources: SettingsSources;
  /** Throws a `Failure` once the time limit of the run is over. Checks take no event of the loop, so that they ask. */
  checkDeadline(): void;
  /** The absolute path, which need not exist. */
  readonly stateDirectory: Setting<string>;
  /** The absolute path of the project's file; undefined where there is none, or with --no-project. */
  projectFile(): string | undefined;
  /** The settings of the project's file; undefined where there is none, or with --no-project. */
  project(): Promise<ProjectSettings | undefined>;
  /** The user's own settings file; undefined where there is none. */
  profiles(): Promise<UserSettings | undefined>;
  /** Every setting, with its origin and the values of lower precedence. */
  settings(): Promise<EffectiveSettings>;
  /** Where the journal is kept. */
  journal(): Promise<JournalSettings>;
  /** The settings of a request, checked, and the source of the key. A contract that cannot be used is a `Failure`. */
  target(): Promise<ServiceTarget>;
  /** The same, for a command that mends the contract or tells of it. */
  targetWithoutContract(): Promise<ServiceTarget>;
  /** The catalog of the project alone. */
  projectCatalog(): Promise<LazyCatalog>;
  /** The catalog of the project, with the services of the profile. */
  catalog(): Promise<LazyCatalog>;
  /** The rules of the project for definitions; undefined where it has none. */
  policy(): Promise<ProjectPolicy | undefined>;
  /** The project files with a policy beside these definitions that this run does not use. */
  otherPolicies(definitions: readonly string[]): Promise<readonly string[]>;
  /** The file of the contract, which need not exist. */
  contractFile(): ContractFile;
  /** The project's contract; undefined where there is none, or with --no-project. */
  contract(): Promise<Contract | undefined>;
  /** The check of definitions against the project's contract. */
  contractCheck(): Promise<CheckBody | undefined>;
  /** The folders under `definitions:` of the project's file, as paths from the working directory. */
  definitionFolders(): Promise<readonly string[]>;
  /** The folder of the templates, as a path from the working directory. It need not exist. */
  templateFolder(): Promise<string>;
}

const noCatalog: LazyCatalog = {
  read: () => ({ file: projectFileName, services: new Map(), diagnostics: [] }),
  peek: () => undefined,
};

export function openWorkspace(context: WorkspaceDeps, flags: WorkspaceFlags): Workspace {
  const { cwd, env } = context.system;
  const userFile = userSettingsFile(context.system);
  const checkDeadline = () => {
    const limit = context.system.overdue?.();
    if (limit !== undefined)
      throw cancellation(AbortSignal.abort(limit), `nothing was sent; give it longer with ${limit.flag}`);
  };
  const fromHere = (path: string) => relative(cwd, path);
  const anyProjectFile = once(() => findProjectFile(context));
  const projectFile = () => (flags.noProject ? undefined : anyProjectFile());
  const anyProject = once(async () => {
    const path = anyProjectFile();
    return path === undefined
      ? undefined
      : (await import("./project-file.ts")).createProjectFile(context, path);
  });
  const usedProject = async () => (flags.noProject ? undefined : anyProject());
  const project = once(async () => {
    const file = await usedProject();
    return file && (await import("./project-file.ts")).readProjectSettings(file);
  });
  const profiles = once(async () => (await import("./user-file.ts")).readUserSettings(context, userFile));
  const contractFile = once((): ContractFile => {
    const { path, isThere } = findProjectCompanion(context, anyProjectFile(), contractFileName);
    return { path, isThere: isThere && !flags.noProject, name: fromHere(path) };
  });
  const readContract = once(async () => {
    const file = contractFile();
    if (!file.isThere) return undefined;
    const reading = (await import("./contract.ts")).readContract(context, file);
    return flags.ignoreContract ? reading.catch(ignoreFailure) : reading;
  });
  const sources: SettingsSources = {
    env,
    flags,
    userFile,
    resolvePath: (path) => resolve(cwd, path),
    readUserSettings: profiles,
    readProjectSettings: project,
    // A contract that cannot be used stops a request, and not what shows the settings.
    readContractHeader: async () => {
      const value = (await readContract().catch(ignoreFailure))?.operations?.accountHeader;
      return value === undefined ? undefined : { value, origin: contractFile().name };
    },
  };
  const settings = once(async () => (await import("./precedence.ts")).applyPrecedence(sources));
  const journal = once(async () => (await import("./resolve.ts")).resolveJournal(await settings()));
  const targetWithoutContract = once(async () =>
    (await import("./resolve.ts")).checkServiceTarget(await settings(), sources),
  );
  const target = async () => {
    await readContract();
    return targetWithoutContract();
  };
  const projectCatalog = once(async () => {
    const file = await usedProject();
    return file === undefined ? noCatalog : (await import("./catalog.ts")).createCatalog(file);
  });
  const catalog = once(async () => {
    const own = await projectCatalog();
    if (statIfThere(context.files, userFile) === undefined) return own;
    return (await import("./catalog.ts")).withUserServices(own, settings);
  });
  const policy = once(async (): Promise<ProjectPolicy | undefined> => {
    const file = await anyProject();
    if (file === undefined || !mentionsPolicy(file, flags)) return undefined;
    if (flags.noProject) return { file: file.name, isLeftOut: true, diagnostics: [] };
    return (await import("./policy.ts")).readPolicy(file);
  });
  const otherPolicies = async (definitions: readonly string[]) => {
    const folders = [...new Set(definitions.map((file) => dirname(resolve(cwd, file))))].filter(
      (folder) => folder !== cwd,
    );
    const found = folders.map((folder) => findProjectFile({ files: context.files, system: { cwd: folder } }));
    const others = [...new Set(found)].filter((path) => path !== undefined && path !== anyProjectFile());
    if (others.length === 0) return [];
    const { createProjectFile } = await import("./project-file.ts");
    const files = others.map((path) => createProjectFile(context, path as string));
    return files.filter((file) => mentionsPolicy(file, { noProject: true })).map(({ name }) => name);
  };
  const contractCheck = once(async () => {
    const found = await readContract();
    return found && (await import("./contract.ts")).createContractCheck(found, settings);
  });
  const definitionFolders = async () =>
    ((await project())?.definitions?.value ?? []).map((folder) => {
      const path = fromHere(folder);
      // An empty path is the working directory, and a single hyphen would read stdin.
      return path === "" || path === "-" ? `./${path}` : path;
    });
  const templateFolder = async () => {
    const file = projectFile();
    const beside = join(file === undefined ? cwd : dirname(file), defaultTemplateFolder);
    return fromHere((await project())?.templates?.value ?? beside) || ".";
  };
  return {
    sources,
    checkDeadline,
    stateDirectory: stateDirectory(context.system),
    projectFile,
    project,
    profiles,
    settings,
    journal,
    target,
    targetWithoutContract,
    projectCatalog,
    catalog,
    policy,
    otherPolicies,
    contractFile,
    contract: readContract,
    contractCheck,
    definitionFolders,
    templateFolder,
  };
}

/** With --no-project, a file that cannot be read has no policy to tell of. */
function mentionsPolicy(file: ProjectFile, { noProject }: WorkspaceFlags): boolean {
  try {
    return file.includes("policy");
  } catch (error) {
    if (noProject && error instanceof Failure) return false;
    throw error;
  }
}

/** The function, which works when it is first called, and gives its result again after that. */
function once<T>(work: () => T): () => T {
  let done: { readonly result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}
