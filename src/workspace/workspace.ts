// The files and variables around a run. Each part is read when it is first asked for, and each file once.
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { cancellation, ignoreFailure } from "../failure.ts";
import { once } from "../once.ts";
import type { Files, Reporter, System } from "../platform/context.ts";
import { findRepository } from "../platform/repository.ts";
import { ownValue } from "../untrusted-data.ts";
import type { Project } from "./project-file.ts";
import type { WorkspaceFlags } from "./resolve.ts";
import { environmentVariables, type Setting } from "./settings.ts";

interface WorkspaceDeps extends Pick<Reporter, "warn"> {
  readonly files: Files;
  readonly system: Pick<System, "cwd" | "env" | "home" | "overdue" | "user">;
}

/** Each part throws the `Failure` of a file that it needs and that cannot be used. */
export class Workspace {
  readonly #context: WorkspaceDeps;
  readonly flags: WorkspaceFlags;
  /** The absolute path of the user's settings file, which need not exist. */
  readonly userFile: string;
  readonly stateDirectory: Setting<string>;

  constructor(context: WorkspaceDeps, flags: WorkspaceFlags) {
    this.#context = context;
    this.flags = flags;
    this.userFile = join(userFolder(context.system, "XDG_CONFIG_HOME", ".config").value, "config.yaml");
    this.stateDirectory = stateDirectory(context.system);
  }

  /** Throws a `Failure` once the time limit of the run is over. Checks take no event of the loop, so that they ask. */
  readonly checkDeadline = (): void => {
    const limit = this.#context.system.overdue?.();
    if (limit !== undefined)
      throw cancellation(AbortSignal.abort(limit), `nothing was sent; give it longer with ${limit.flag}`);
  };

  readonly #anyProjectFile = once(() => findProjectFile(this.#context));

  /** The absolute path of the project's file; undefined where there is none, or with --no-project. */
  readonly projectFile = () => (this.flags.noProject ? undefined : this.#anyProjectFile());

  /** The project, with its catalog: empty where there is no file, or with --no-project. */
  readonly project = once(async (): Promise<Project> => {
    const path = this.projectFile();
    if (path !== undefined) return (await import("./project-file.ts")).readProject(this.#context, path);
    return {
      file: projectFileName,
      services: new Map(),
      diagnostics: [],
      isLeftOut: this.flags.noProject === true,
      settings: () => ({ profile: undefined }),
    };
  });

  readonly profiles = once(async () =>
    (await import("./user-file.ts")).readUserSettings(this.#context, this.userFile),
  );

  readonly settings = once(async () =>
    (await import("./resolve.ts")).applyPrecedence(this, this.#context.system),
  );

  readonly journal = once(async () => {
    const { journal } = await this.settings();
    return (await import("./journal-location.ts")).parseJournalLocation(journal);
  });

  /** The settings of a request, checked, and the source of the key, for a command that mends the contract or tells of it. */
  readonly targetWithoutContract = once(async () =>
    (await import("./resolve.ts")).checkServiceTarget(
      await this.settings(),
      this.#context.system.env,
      this.userFile,
    ),
  );

  /** As `targetWithoutContract`. A contract that cannot be used is a `Failure`. */
  readonly target = async () => {
    await this.contract();
    return this.targetWithoutContract();
  };

  /** The rules of the project for definitions. Warns where --no-project leaves them out. */
  readonly policy = once(async (): Promise<Project["policy"]> => {
    if (this.flags.noProject && this.#anyProjectFile() !== undefined)
      this.#context.warn(`${projectFileName} is left out, with its policy if it has one (--no-project)`);
    return (await this.project()).policy;
  });

  /** The contract beside the project's file, else in the repository's root. `isThere`: also false with --no-project. */
  readonly contractFile = once(() => {
    const { files, system } = this.#context;
    const project = this.projectFile();
    const folder =
      project === undefined ? (findRepository(files, system.cwd) ?? system.cwd) : dirname(project);
    const path = join(folder, contractFileName);
    const isThere = files.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    return { path, isThere: isThere && !this.flags.noProject, name: relative(system.cwd, path) };
  });

  readonly contract = once(async () => {
    const { isThere, name, path } = this.contractFile();
    if (!isThere) return undefined;
    const reading = (await import("./contract.ts")).readContract(this.#context, path, name);
    return this.flags.ignoreContract ? reading.catch(ignoreFailure) : reading;
  });

  /** Undefined where there is no contract, or it is left out. */
  readonly contractCheck = once(async () => {
    const { isThere, name } = this.contractFile();
    if (this.flags.ignoreContract && isThere)
      this.#context.warn(`${name} is not checked: the service may refuse the definition`);
    const found = this.flags.ignoreContract ? undefined : await this.contract();
    if (found === undefined) return undefined;
    const { createBodyCheck } = await import("../document/check-body.ts");
    // A command that needs the settings reports them itself.
    const settings = await this.settings().catch(ignoreFailure);
    return createBodyCheck(found, settings?.accountId?.value);
  });

  /** The folders under `definitions:` of the project's file, as paths from the working directory. */
  readonly definitionFolders = async (): Promise<readonly string[]> =>
    ((await this.project()).settings().definitions ?? []).map((folder) => this.#fromProject(folder));

  /** The folder of the templates, as a path from the working directory. It need not exist. */
  readonly templateFolder = async (): Promise<string> =>
    this.#fromProject((await this.project()).settings().templates ?? defaultTemplateFolder);

  #fromProject(folder: string): string {
    const { cwd } = this.#context.system;
    const file = this.projectFile();
    const path = relative(cwd, resolve(file === undefined ? cwd : dirname(file), folder));
    // An empty path is the working directory, and a single hyphen would read stdin.
    return path === "-" ? "./-" : path || ".";
  }
}

/** A relative folder of XDG counts as unset, as its base directory specification requires. */
function userFolder(system: Pick<System, "env" | "home">, origin: string, usual: string): Setting<string> {
  const xdg = ownValue(system.env, origin);
  return xdg && isAbsolute(xdg)
    ? { value: join(xdg, "incident-cli"), origin }
    : { value: join(system.home, usual, "incident-cli"), origin: "default" };
}

export const projectFileName = ".incident.yaml";

const contractFileName = "incident.contract.json";

/** The folder of templates beside the project's file, unless the file names another. */
const defaultTemplateFolder = "incident-templates";

/** The nearest one up to the repository's root; else in the working directory only: a parent folder may be another user's. */
function findProjectFile({ files, system: { cwd } }: WorkspaceDeps): string | undefined {
  const last = findRepository(files, cwd) ?? cwd;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const named = [projectFileName, ".incident.yml"].map((name) => join(folder, name));
    const found = named.find((file) => files.lstatSync(file, { throwIfNoEntry: false }) !== undefined);
    if (found !== undefined) return found;
    if (folder === last) return undefined;
  }
}

/** The absolute path of the state directory, which need not exist. */
export function stateDirectory(system: Pick<System, "env" | "home" | "cwd">): Setting<string> {
  const { stateDirectory: origin } = environmentVariables;
  const own = system.env[origin];
  if (own) return { value: resolve(system.cwd, own), origin };
  return userFolder(system, "XDG_STATE_HOME", ".local/state");
}
