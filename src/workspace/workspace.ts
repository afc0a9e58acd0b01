// What stands in the files and variables around a run. Each part is read when it is first asked for, each file once,
// and everyone in the run gets the same.
import { dirname, join, relative, resolve } from "node:path";
import { Failure, ignoreFailure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { statIfThere } from "../platform/repository.ts";
import { createBudget } from "../source/work.ts";
import type { LazyCatalog } from "./catalog.ts";
import type { ContractFile } from "./contract.ts";
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
import type { SettingsSources } from "./precedence.ts";
import type { ProjectFile } from "./project-file.ts";

export interface WorkspaceFlags {
  readonly profile?: string | undefined;
  readonly account?: string | undefined;
  /** Ignores the project's file, so that a broken one never stops an emergency. */
  readonly noProject?: boolean | undefined;
  readonly stateDir?: string | undefined;
}

export interface WorkspaceDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd" | "env" | "home" | "overdue" | "user">;
}

/** Each part throws the `Failure` of a file that it needs and that cannot be used. */
export type Workspace = ReturnType<typeof openWorkspace>;

const noCatalog: LazyCatalog = {
  read: () => ({ file: projectFileName, services: new Map(), diagnostics: [] }),
  peek: () => undefined,
};

export function openWorkspace(context: WorkspaceDeps, flags: WorkspaceFlags) {
  const { cwd, env } = context.system;
  const userFile = userSettingsFile(context.system);
  const spend = createBudget(context.system.overdue);
  const fromHere = (path: string) => relative(cwd, path);
  const anyProjectFile = once(() => findProjectFile(context));
  /** The absolute path of the project's file; undefined where there is none, or with --no-project. */
  const projectFile = () => (flags.noProject ? undefined : anyProjectFile());
  const anyProject = once(async () => {
    const path = anyProjectFile();
    return path === undefined
      ? undefined
      : (await import("./project-file.ts")).createProjectFile(context, path);
  });
  const usedProject = async () => (flags.noProject ? undefined : anyProject());
  /** The settings of the project's file; undefined where there is none, or with --no-project. */
  const project = once(async () => {
    const file = await usedProject();
    return file && (await import("./project-file.ts")).readProjectSettings(file);
  });
  /** The user's own settings file; undefined where there is none. */
  const profiles = once(async () => (await import("./user-file.ts")).readUserSettings(context, userFile));
  /** The file of the contract, which need not exist. */
  const contractFile = once((): ContractFile => {
    const { path, isThere } = findProjectCompanion(context, anyProjectFile(), contractFileName);
    return { path, isThere: isThere && !flags.noProject, name: fromHere(path) };
  });
  const readContract = once(async () => {
    const file = contractFile();
    return file.isThere ? (await import("./contract.ts")).readContract(context, file, spend) : undefined;
  });
  const sources: SettingsSources = {
    env,
    flags,
    userFile,
    resolvePath: (path) => resolve(cwd, path),
    readUserSettings: profiles,
    readProjectSettings: project,
    // A contract that cannot be used stops the commands that check definitions against it, and no other.
    readContractHeader: async () => {
      const value = (await readContract().catch(ignoreFailure))?.contract.operations?.accountHeader;
      return value === undefined ? undefined : { value, origin: contractFile().name };
    },
  };
  const settings = once(async () => (await import("./precedence.ts")).applyPrecedence(sources));
  const journal = once(async () => (await import("./resolve.ts")).resolveJournal(await settings()));
  /** Everything that a request needs but the key. */
  const target = once(async () =>
    (await import("./resolve.ts")).checkServiceTarget(await settings(), sources),
  );
  /** The catalog of the project alone. */
  const projectCatalog = once(async () => {
    const file = await usedProject();
    return file === undefined ? noCatalog : (await import("./catalog.ts")).createCatalog(file);
  });
  /** The catalog of the project, with the services of the profile. */
  const catalog = once(async () => {
    const own = await projectCatalog();
    if (statIfThere(context.files, userFile) === undefined) return own;
    return (await import("./catalog.ts")).withUserServices(own, settings);
  });
  /** Undefined where the project has no policy. */
  const policy = once(async (): Promise<ProjectPolicy | undefined> => {
    const file = await anyProject();
    if (file === undefined || !mentionsPolicy(file, flags)) return undefined;
    if (flags.noProject) return { file: file.name, isLeftOut: true, diagnostics: [] };
    return (await import("./policy.ts")).readPolicy(file, (await catalog()).read, spend);
  });
  /** The project's files with a policy that belong to these definitions, and that this run does not use. */
  const otherPolicies = async (definitions: readonly string[]): Promise<readonly string[]> => {
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
  /** The project's contract; undefined where there is none, or with --no-project. */
  const contract = async () => (await readContract())?.contract;
  /** The check of definitions against the project's contract. */
  const contractCheck = once(async () => {
    const found = await readContract();
    return found && (await import("./contract.ts")).createContractCheck(found, settings);
  });
  /** The folders under `definitions:` of the project's file, as paths from the working directory. */
  const definitionFolders = async (): Promise<readonly string[]> =>
    ((await project())?.definitions?.value ?? []).map((folder) => {
      const path = fromHere(folder);
      // An empty path is the working directory, and a single hyphen would read stdin.
      return path === "" || path === "-" ? `./${path}` : path;
    });
  /** The folder of the templates, as a path from the working directory. It need not exist. */
  const templateFolder = async () => {
    const file = projectFile();
    const beside = join(file === undefined ? cwd : dirname(file), defaultTemplateFolder);
    return fromHere((await project())?.templates?.value ?? beside) || ".";
  };
  return {
    sources,
    /** The budget of work of all checks of the run. */
    spend,
    /** The absolute path, which need not exist. */
    stateDirectory: stateDirectory(context.system, flags.stateDir),
    projectFile,
    project,
    profiles,
    settings,
    journal,
    target,
    projectCatalog,
    catalog,
    policy,
    otherPolicies,
    contractFile,
    contract,
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
