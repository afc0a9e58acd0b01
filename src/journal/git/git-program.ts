// Runs git for the journal, in an environment that asks nothing, runs no hook, and knows no repository but the one that it
// is given.
import { isAbsolute } from "node:path";
import type { ProgramResult, System } from "../../platform/context.ts";

export interface GitDeps {
  readonly system: Pick<System, "cwd" | "env" | "runProgram" | "signal" | "temporary">;
}

/** A key of git's configuration, and its value. */
export type GitSetting = readonly [key: string, value: string];

/** Milliseconds that one run of git gets. */
const gitTimeout = 20_000;

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

/** Gives the result of the process, also with an exit code other than 0. */
export type GitProgram = (
  args: readonly string[],
  options: { readonly cwd: string; readonly input?: string },
) => Promise<ProgramResult>;

/** `variables` join the environment, where no argument of a process shows them. */
export function createGit(
  { system: { env, runProgram, signal } }: GitDeps,
  settings: readonly GitSetting[] = [],
  variables: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: "" },
): GitProgram {
  const complete = withSettings({ ...usersEnvironment(env), ...variables }, [...quietSettings, ...settings]);
  // The system would look for the program in the working directory, which can be a checkout.
  if (complete.PATH === "")
    return async () => ({ stdout: "", stderr: "", problem: "did not start: PATH has no absolute folder" });
  return (args, { cwd, input = "" }) =>
    runProgram(["git", ...args], { cwd, env: complete, input, timeout: gitTimeout, signal });
}

/** Without this tool's own variables, which hold a key. No folder of a checkout supplies the program. */
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
    PATH: (env.PATH ?? "").split(":").filter(isAbsolute).join(":"),
    SSH_ASKPASS_REQUIRE: "never",
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
