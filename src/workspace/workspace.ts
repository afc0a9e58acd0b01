// What stands in the files and variables around a run. Each part is read when it is first asked for, each file once,
// and everyone in the run gets the same.
import { dirname, join, relative, resolve } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import type { Contract } from "../rules/openapi/contract.ts";
import type { CheckContract } from "../source/rules/contract-diagnostics.ts";
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
  readonly stateDir?: string | undefined;
}

export interface WorkspaceDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd" | "env" | "home" | "user">;
}

/** Each part throws the `Failure` of a file that it needs and that cannot be used. */
export interface Workspace {
  readonly sources: SettingsSources;
  /** The absolute path, which need not exist. */
  readonly stateDirectory: Setting<string>;
  /** The absolute path of the project's file; undefined where there is none, or with --no-project. */
  projectFile(): string | undefined;
  /** The settings of the project's file; undefined where there is none, or with --no-project. */
  project(): Promise<ProjectSettings | undefined>;
  /** The user's own settings file; undefined where there is none. */
  profiles(): Promise<UserSettings | undefined>;
  settings(): Promise<EffectiveSettings>;
  journal(): Promise<JournalSettings>;
  /** Everything that a request needs but the key. */
  target(): Promise<ServiceTarget>;
  /** The catalog of the project alone. */
  projectCatalog(): Promise<LazyCatalog>;
  /** The catalog of the project, with the services of the profile. */
  catalog(): Promise<LazyCatalog>;
  /** Undefined where the project has no policy. */
  policy(): Promise<ProjectPolicy | undefined>;
  /** The file of the contract, which need not exist. */
  contractFile(): ContractFile;
  /** The project's contract; undefined where there is none, or with --no-project. */
  contract(): Promise<Contract | undefined>;
  /** The check of definitions against the project's contract. */
  contractCheck(): Promise<CheckContract | undefined>;
  /** The folders under `definitions:` of the project's file, as paths from the working directory. */
  definitionFolders(): Promise<readonly string[]>;
  /** The folder of the templates, as a path from the working directory. It need not exist. */
  templateFolder(): Promise<string>;
}

const noCatalog: LazyCatalog = {
  read: () => ({ file: projectFileName, services: new Map(), diagnostics: [] }),
  diagnostics: () => [],
};

export function openWorkspace(context: WorkspaceDeps, flags: WorkspaceFlags): Workspace {
  const { cwd, env } = context.system;
  const userFile = userSettingsFile(context.system);
  const fromHere = (path: string) => relative(cwd, path);
  const anyProjectFile = once(() => findProjectFile(context));
  const projectFile = () => (flags.noProject ? undefined : anyProjectFile());
  const anyProject = once(async (): Promise<ProjectFile | undefined> => {
    const path = anyProjectFile();
    if (path === undefined) return undefined;
    return (await import("./project-file.ts")).createProjectFile(context, path);
  });
  const project = once(async () => {
    const file = flags.noProject ? undefined : await anyProject();
    return file && (await import("./project-file.ts")).readProjectSettings(file);
  });
  const profiles = once(async () => (await import("./user-file.ts")).readUserSettings(context, userFile));
  const sources: SettingsSources = {
    env,
    flags,
    userFile,
    resolvePath: (path) => resolve(cwd, path),
    readUserSettings: profiles,
    readProjectSettings: project,
  };
  const settings = once(async () => (await import("./precedence.ts")).applyPrecedence(sources));
  const journal = once(async () => (await import("./resolve.ts")).resolveJournal(await settings()));
  const target = once(async () =>
    (await import("./resolve.ts")).checkServiceTarget(await settings(), sources),
  );
  const projectCatalog = once(async () => {
    const file = flags.noProject ? undefined : await anyProject();
    return file === undefined ? noCatalog : (await import("./catalog.ts")).createCatalog(file);
  });
  const catalog = once(async () => {
    const own = await projectCatalog();
    if (context.files.statSync(userFile, { throwIfNoEntry: false }) === undefined) return own;
    return (await import("./catalog.ts")).withUserServices(own, settings);
  });
  const policy = once(async () => {
    const file = await anyProject();
    if (file === undefined || !mentionsPolicy(file, flags)) return undefined;
    if (flags.noProject) return { file: file.name, isLeftOut: true, diagnostics: [] };
    return (await import("./policy.ts")).readPolicy(file, (await catalog()).read);
  });
  const contractFile = once(() => {
    const { path, isThere } = findProjectCompanion(context, anyProjectFile(), contractFileName);
    return { path, isThere: isThere && !flags.noProject, name: fromHere(path) };
  });
  const read = once(async () => {
    const file = contractFile();
    return file.isThere ? (await import("./contract.ts")).readContract(context, file) : undefined;
  });
  const contractCheck = once(async () => {
    const found = await read();
    return found && (await import("./contract.ts")).createContractCheck(found, settings);
  });
  return {
    sources,
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
    contractFile,
    contract: async () => (await read())?.contract,
    contractCheck,
    definitionFolders: async () =>
      ((await project())?.definitions?.value ?? []).map((folder) => {
        const path = fromHere(folder);
        // An empty path is the working directory, and a single hyphen would read stdin.
        return path === "" || path === "-" ? `./${path}` : path;
      }),
    templateFolder: async () => {
      const file = projectFile();
      const beside = join(file === undefined ? cwd : dirname(file), defaultTemplateFolder);
      return fromHere((await project())?.templates?.value ?? beside) || ".";
    },
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
