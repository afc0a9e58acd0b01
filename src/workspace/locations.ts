// The paths of the user's settings file, the project's file and the state directory. This module loads no schema,
// so that a command can find a file without the cost of checking one.
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Files, System } from "../platform/context.ts";
import { findRepository } from "../platform/repository.ts";
import { environmentVariables, type Setting } from "./settings.ts";

/**
 * The path of the user's settings file, which need not exist. A relative XDG_CONFIG_HOME counts as unset, as the XDG
 * base directory specification requires.
 */
export function userSettingsFile({ env, home }: Pick<System, "env" | "home">): string {
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".config"), "incident-cli", "config.yaml");
}

export const projectFileName = ".incident.yaml";

/** The file of the service's contract beside the project's file. */
export const contractFileName = "incident.contract.json";

/** The folder of templates beside the project's file, unless the file names another. */
export const defaultTemplateFolder = "incident-templates";

interface LocationDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd">;
}

/**
 * The absolute path of the nearest project file, from the working directory up to the repository's root. Without a
 * repository, only the working directory counts: a file in a parent folder may belong to another user.
 */
export function findProjectFile({ files, system: { cwd } }: LocationDeps): string | undefined {
  const last = findRepository({ files, system: { cwd } }) ?? cwd;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, projectFileName);
    if (files.lstatSync(file, { throwIfNoEntry: false }) !== undefined) return file;
    if (folder === last) return undefined;
  }
}

/**
 * The absolute path of the state directory, which need not exist. A relative XDG_STATE_HOME counts as unset, as the XDG
 * base directory specification requires.
 */
export function stateDirectory({ env, home, cwd }: Pick<System, "env" | "home" | "cwd">): Setting<string> {
  const { stateDirectory: origin } = environmentVariables;
  const [own, xdg] = [env[origin], env.XDG_STATE_HOME];
  if (own) return { value: resolve(cwd, own), origin };
  if (xdg && isAbsolute(xdg)) return { value: join(xdg, "incident-cli"), origin: "XDG_STATE_HOME" };
  return { value: join(home, ".local", "state", "incident-cli"), origin: "default" };
}
