// Runs git for the journal: the program from an absolute entry of PATH, in an environment that asks nothing, runs no
// hook, and knows no repository but the one that it is given.
import { isAbsolute, join } from "node:path";
import { Failure } from "../../failure.ts";
import type { Files, ProgramResult, System } from "../../platform/context.ts";
import { storeHint } from "../journal-errors.ts";

export interface GitDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd" | "env" | "runProgram" | "signal" | "temporary" | "user">;
}

/** A key of git's configuration, and its value. */
export type GitSetting = readonly [key: string, value: string];

/** Milliseconds that one run of git gets. */
export const gitTimeout = 20_000;

/** Variables of git that stay: how the user reaches hosts. The others name repositories, or change the output. */
const kept =
  /^GIT_(ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|HTTP_\w+|PROXY_\w+|EXEC_PATH|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/;

/** No hook or monitor runs, and a push contains only the refs of the command line. */
const quietSettings: readonly GitSetting[] = [
  ["core.hooksPath", "/dev/null"],
  ["credential.interactive", "false"],
  ["gc.auto", "0"],
  ["i18n.commitEncoding", "UTF-8"],
  ["maintenance.auto", "false"],
  ["protocol.version", "2"],
  ["push.followTags", "false"],
  ["push.pushOption", ""],
];

export interface GitProgram {
  /** The result of the process, also with an exit code other than 0. */
  run(
    args: readonly string[],
    options: { readonly cwd: string; readonly input?: string },
  ): Promise<ProgramResult>;
  /** The same program with more settings and variables. */
  with(settings: readonly GitSetting[], env: Readonly<Record<string, string>>): GitProgram;
}

/** Throws a `Failure` "usage" where there is no git. */
export function findGit(deps: GitDeps): GitProgram {
  const { system } = deps;
  const folders = (system.env.PATH ?? "").split(":").filter(isAbsolute);
  const file = folders.map((folder) => join(folder, "git")).find((path) => isProgram(deps, path));
  if (file === undefined)
    throw new Failure("usage", "the journal needs git, which is not installed", {
      hint: storeHint(
        "install git 2.31 or later, or keep the journal on this machine with INCIDENT_CLI_JOURNAL=folder",
      ),
    });
  const env = { ...usersEnvironment(system.env), PATH: folders.join(":") };
  return createProgram(deps, file, env, quietSettings);
}

function isProgram({ files }: GitDeps, path: string): boolean {
  const stat = files.statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
}

/** Without this tool's own variables, which hold a key. */
function usersEnvironment(env: System["env"]): Record<string, string> {
  const entries = Object.entries(env).filter(
    ([name, value]) =>
      value !== undefined &&
      !name.startsWith("INCIDENT_CLI_") &&
      (!name.startsWith("GIT_") || kept.test(name)),
  );
  return {
    ...(Object.fromEntries(entries) as Record<string, string>),
    GIT_AUTHOR_EMAIL: "incident@localhost",
    GIT_AUTHOR_NAME: "incident",
    GIT_COMMITTER_EMAIL: "incident@localhost",
    GIT_COMMITTER_NAME: "incident",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
    SSH_ASKPASS_REQUIRE: "never",
  };
}

function createProgram(
  deps: GitDeps,
  file: string,
  env: Readonly<Record<string, string>>,
  settings: readonly GitSetting[],
): GitProgram {
  const { runProgram, signal } = deps.system;
  return {
    run: (args, { cwd, input = "" }) =>
      runProgram([file, ...args], {
        cwd,
        env: withSettings(env, settings),
        input,
        timeout: gitTimeout,
        signal,
      }),
    with: (more, variables) => createProgram(deps, file, { ...env, ...variables }, [...settings, ...more]),
  };
}

/** Adds settings after those that the environment has already: the last value counts. */
function withSettings(
  env: Readonly<Record<string, string>>,
  settings: readonly GitSetting[],
): Record<string, string> {
  const before = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  const added = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(before + settings.length) };
}
