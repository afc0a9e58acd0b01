// Finds the repository that holds the journal, and how it is reached: its URL, the protocols that git may use, and the
// credentials. For `git:` the checkout gives them; of its configuration, nothing that runs a program counts.
import { join, resolve } from "node:path";
import { Failure } from "../../failure.ts";
import { createRedaction } from "../../http/redact.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { findRepository } from "../../platform/repository.ts";
import { decodePercent } from "../../untrusted-data.ts";
import type { JournalLocation, JournalSettings } from "../../workspace/journal-location.ts";
import { storeHint } from "../journal-errors.ts";
import type { GitDeps, GitProgram, GitSetting } from "./git-program.ts";

/** The name of the remote in the scratch repository. */
export const remoteName = "incident-journal";

export interface GitRemote {
  /** Reaches the remote by its name. */
  readonly git: GitProgram;
  /** For people, without credentials. */
  readonly shown: string;
  /** Removes credentials from the output of git. */
  readonly redact: (text: string) => string;
}

/** Throws a `Failure` "usage" where there is no such repository, or one that is reached by another way. */
export async function resolveRemote(
  deps: GitDeps,
  git: GitProgram,
  location: Extract<JournalLocation, { readonly kind: "git" }>,
  { secrets }: Pick<JournalSettings, "secrets">,
): Promise<GitRemote> {
  const checkout =
    location.url === undefined
      ? await readCheckout(deps, git)
      : { url: location.url, settings: [], origin: "the settings" };
  const { login, scheme, shown, url } = parseRemote(checkout.url, checkout.origin);
  const headers = checkout.settings.filter(([key]) => key.endsWith(".extraheader")).map(([, value]) => value);
  const hidden = [
    ...secrets,
    ...headers.flatMap((header) => [header, header.split(/\s+/).at(-1) ?? ""]),
    ...(login === undefined ? [] : [login.secret]),
  ];
  const env = {
    GIT_ALLOW_PROTOCOL:
      scheme === "http" ? "http:https:ssh" : scheme === "file" ? "file:https:ssh" : "https:ssh",
    ...(login && { INCIDENT_JOURNAL_USER: login.user, INCIDENT_JOURNAL_PASSWORD: login.password }),
  };
  const settings: GitSetting[] = [
    [`remote.${remoteName}.url`, url],
    [`remote.${remoteName}.tagOpt`, "--no-tags"],
    ...checkout.settings,
    ...(login === undefined ? [] : loginSettings(url)),
  ];
  return {
    git: git.with(settings, env),
    shown,
    redact: createRedaction(hidden.filter((secret) => secret.length >= 4)),
  };
}

/** Credentials leave the URL, because every user of a machine can read the arguments of git's processes. */
function loginSettings(url: string): GitSetting[] {
  const key = `credential.${new URL(url).origin}.helper`;
  const print = `printf 'username=%s\\npassword=%s\\n' "$INCIDENT_JOURNAL_USER" "$INCIDENT_JOURNAL_PASSWORD"`;
  return [
    [key, ""],
    [key, `!f() { test "$1" != get || ${print}; }; f`],
  ];
}

function parseRemote(text: string, origin: string) {
  if (text.startsWith("/")) return { url: text, scheme: "file", shown: text } as const;
  // The short form of ssh: host:path, with or without a user.
  if (/^(?:[\w.-]+@)?[\w][\w.-]*:(?!\/\/)/.test(text))
    return { url: text, scheme: "ssh", shown: text } as const;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url?.protocol.slice(0, -1);
  const isAllowed =
    scheme === "https" ||
    scheme === "ssh" ||
    scheme === "file" ||
    (scheme === "http" && url !== undefined && isLoopback(url.hostname));
  if (url === undefined || !isAllowed) {
    throw new Failure(
      "usage",
      `the journal cannot be in the repository of ${origin}: its URL is neither https, ssh nor a file`,
      { hint: storeHint("name the repository, such as INCIDENT_CLI_JOURNAL=git+https://…") },
    );
  }
  const [user, password] = [plain(url.username), plain(url.password)];
  if (scheme === "file" || scheme === "ssh" || (user === "" && password === ""))
    return { url: text, scheme, shown: text };
  url.username = "";
  url.password = "";
  return { url: url.href, scheme, shown: url.href, login: { user, password, secret: password || user } };
}

/** Keys of a checkout's configuration that say how a host is reached, and run nothing. */
const harmless =
  /^(?:http\.(?:.+\.)?(?:extraheader|proxy|proxyauthmethod|sslcainfo|sslcapath|sslcert|sslkey)|credential\.(?:.+\.)?(?:username|usehttppath))$/i;

/** A helper by its name, with plain arguments: git runs any other text as a command of a shell. */
const plainHelper = /^(?:[a-z][a-z0-9-]*(?: --?[\w=./~@:+-]+)*)?$/i;

async function readCheckout(deps: GitDeps, git: GitProgram) {
  const { cwd } = deps.system;
  const root = findRepository({ files: deps.files, system: { cwd } });
  if (root === undefined) {
    throw new Failure("usage", `the journal is "git:", but ${cwd} is not in a checkout`, {
      hint: storeHint("run it in the checkout, or name the repository: INCIDENT_CLI_JOURNAL=git+https://…"),
    });
  }
  // Naming the repository keeps git from refusing one that belongs to another user, as in a container.
  const gitDir = `--git-dir=${join(root, ".git")}`;
  // Those of the user and the system count anyway.
  const list = await git.run([gitDir, "config", "--local", "--list", "--includes", "-z"], { cwd: root });
  const settings = list.stdout.split("\0").map((entry): GitSetting => {
    const [key = "", ...value] = entry.split("\n");
    return [key, value.join("\n")];
  });
  const found = await git.run([gitDir, "remote", "get-url", "--push", "origin"], { cwd: root });
  const url = found.stdout.replace(/\n$/, "");
  if (url === "") {
    const message = `the journal is "git:", but the checkout ${root} has no remote "origin"`;
    throw new Failure("usage", message, {
      hint: storeHint("name the repository: INCIDENT_CLI_JOURNAL=git+https://…"),
    });
  }
  const usable = settings.filter(
    ([key, value]) =>
      harmless.test(key) || (/^credential\.(?:.+\.)?helper$/i.test(key) && plainHelper.test(value)),
  );
  // git resolves a relative path from the checkout, and runs in another folder here.
  const absolute = /^\.{1,2}\//.test(url) ? resolve(root, url) : url;
  return { url: absolute, settings: usable, origin: root };
}

/** A percent sign that starts no escape stands for itself. */
function plain(text: string): string {
  return decodePercent(text) ?? text;
}
