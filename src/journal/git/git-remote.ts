// Runs git for the journal. It asks nothing, runs no hook or program of the checkout, and reaches one repository: its URL, the
// protocols, and the credentials, which for `git:` the checkout gives.
import { isAbsolute, join, resolve } from "node:path";
import { Failure } from "../../failure.ts";
import { createRedaction } from "../../http/redact.ts";
import type { Files, ProgramResult, System } from "../../platform/context.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { findRepository } from "../../platform/repository.ts";
import { decodePercent } from "../../untrusted-data.ts";
import { type JournalLocation, secretsOf, withoutLogin } from "../../workspace/journal-location.ts";
import { gitFailure } from "./errors.ts";

export interface GitDeps {
  readonly files: Files;
  readonly system: Pick<
    System,
    "atExit" | "clock" | "cwd" | "env" | "random" | "signal" | "temporary" | "runProgram"
  >;
}

export type GitLocation = Pick<Extract<JournalLocation, { readonly kind: "git" }>, "refs" | "url">;

type GitSetting = readonly [key: string, value: string];

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
  // After a redirect, git would send a header of the checkout to the other host.
  ["http.followRedirects", "false"],
  ["i18n.commitEncoding", "UTF-8"],
  ["maintenance.auto", "false"],
  ["protocol.version", "2"],
  ["push.followTags", "false"],
  ["push.pushOption", ""],
];

/** Gives the result of the process, also with an exit code other than 0. */
type GitProgram = (
  args: readonly string[],
  options: { readonly cwd: string; readonly input?: string },
) => Promise<ProgramResult>;

/** `variables` join the environment, where no argument of a process shows them. */
function createGit(
  { system: { env, runProgram, signal } }: GitDeps,
  settings: readonly GitSetting[] = [],
  variables: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: "" },
): GitProgram {
  const own = usersEnvironment(env);
  // After the settings that the environment has already: the last value counts.
  const before = Number(own.GIT_CONFIG_COUNT ?? 0) || 0;
  const all = [...quietSettings, ...settings];
  const added = all.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  const count = String(before + all.length);
  const complete = { ...own, ...variables, ...Object.fromEntries(added), GIT_CONFIG_COUNT: count };
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

export const remoteName = "incident-journal";

export type GitRemote = Awaited<ReturnType<typeof resolveRemote>>;

/** Throws a `Failure` "usage" where there is no such repository, or one that is reached by another way. */
export async function resolveRemote(deps: GitDeps, given: GitLocation["url"]) {
  const { settings, url } = given === undefined ? await readCheckout(deps) : { url: given, settings: [] };
  const protocols = protocolsOf(url);
  if (protocols === undefined) {
    throw new Failure("usage", "the URL of the journal's repository is neither https, ssh nor a file", {
      hint: nameRepository,
    });
  }
  const headers = settings.filter(([key]) => key.endsWith(".extraheader")).map(([, value]) => value);
  const login = loginOf(url);
  const hidden = [
    ...secretsOf(url),
    login.secret,
    ...headers.flatMap((header) => [header, header.split(/\s+/).at(-1) ?? ""]),
  ];
  const remote: GitSetting[] = [
    [`remote.${remoteName}.url`, login.url],
    [`remote.${remoteName}.tagOpt`, "--no-tags"],
  ];
  const variables = { ...login.variables, GIT_ALLOW_PROTOCOL: protocols };
  return {
    /** Reaches the remote by its name. */
    git: createGit(deps, [...remote, ...settings, ...login.settings], variables),
    shown: withoutLogin(url),
    redact: createRedaction(hidden.filter((secret) => secret.length >= 4)),
  };
}

/**
 * Takes the login out of an http URL, because every user of a machine can read the arguments of git. A credential helper, a
 * builtin of the shell, gives it to this host alone, and unlike a header only after a refusal.
 */
function loginOf(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [user = "", password = ""] = [url?.username, url?.password].map(
    (part = "") => decodePercent(part) ?? part,
  );
  if (url === undefined || !/^https?:$/.test(url.protocol) || user + password === "")
    return { url: text, secret: "", settings: [], variables: {} };
  url.username = "";
  url.password = "";
  const key = `credential.${url.origin}`;
  const print = `printf 'username=%s\\npassword=%s\\n' "$INCIDENT_JOURNAL_USER" "$INCIDENT_JOURNAL_PASSWORD"`;
  const settings: GitSetting[] = [
    // A name alone can be a token, or a name whose password a helper of the user knows, which comes first.
    password === "" ? [`${key}.username`, user] : [`${key}.helper`, ""],
    [`${key}.helper`, `!f() { test "$1" != get || ${print}; }; f`],
  ];
  const variables = { INCIDENT_JOURNAL_USER: user, INCIDENT_JOURNAL_PASSWORD: password };
  return { url: url.href, secret: password || user, settings, variables };
}

/** Undefined for a URL that would run a program, or send credentials unencrypted. */
function protocolsOf(url: string): string | undefined {
  const usual = "file:https:ssh";
  // A path, and the short form of ssh: host:path, with or without a user.
  if (/^\/|^(?:[\w.-]+@)?\w[\w.-]*:(?!\/\/)/.test(url)) return usual;
  if (!URL.canParse(url)) return undefined;
  const { hostname, protocol } = new URL(url);
  if (["https:", "ssh:", "file:"].includes(protocol)) return usual;
  return protocol === "http:" && isLoopback(hostname) ? "http:https:ssh" : undefined;
}

const nameRepository = "nothing was sent; name the repository, such as INCIDENT_CLI_JOURNAL=git+https://…";

/** Keys of a checkout's configuration that say how a host is reached, and run nothing. */
const harmless = /^http\.(?:.+\.)?(?:extraheader|proxy|proxyauthmethod|sslcainfo|sslcapath|sslcert|sslkey)$/i;

async function readCheckout(deps: GitDeps) {
  const { cwd } = deps.system;
  const root = findRepository(deps.files, cwd);
  if (root === undefined)
    throw new Failure("usage", `the journal is "git:", but ${cwd} is not in a checkout`, {
      hint: nameRepository,
    });
  // Naming the repository keeps git from refusing one that belongs to another user, as in a container.
  const run = (...args: readonly string[]) =>
    createGit(deps)([`--git-dir=${join(root, ".git")}`, ...args], { cwd: root });
  // The settings of the user and the system count anyway.
  const list = await run("config", "--local", "--list", "--includes", "-z");
  const settings = list.stdout.split("\0").map((entry): GitSetting => {
    const [key = "", ...value] = entry.split("\n");
    return [key, value.join("\n")];
  });
  const found = await run("remote", "get-url", "--push", "origin");
  const url = found.stdout.replace(/\n$/, "");
  if (found.problem !== undefined) throw gitFailure({ redact: String, shown: root }, found, "read");
  if (url === "") {
    const message = `the journal is "git:", but the checkout ${root} has no remote "origin"`;
    throw new Failure("usage", message, { hint: nameRepository });
  }
  // git resolves a relative path from the checkout, and runs in another folder here.
  const absolute = /^\.{1,2}\//.test(url) ? resolve(root, url) : url;
  return { url: absolute, settings: settings.filter(([key]) => harmless.test(key)) };
}
