// Where the journal is kept. The user alone chooses, because the choice decides whether a create can be sent twice.

import { Failure } from "../failure.ts";
import { decodePercent } from "../untrusted-data.ts";
import type { Setting } from "./settings.ts";

export type JournalLocation = ReturnType<typeof parseJournalLocation>;

/** The refs of a journal, unless its location names others. Git hosts show them nowhere, and run no pipeline for them. */
const defaultRefs = "refs/incident";

/** An alternative for hosts that refuse other refs than branches and tags. */
export const branchRefs = "refs/heads/incident-journal";

const gitSchemes: ReadonlySet<string> = new Set(["git+https:", "git+ssh:", "git+file:", "git+http:"]);

const examples = "write folder, git:, git+https://…, git+ssh://…, git+file://… or postgres://…";

/**
 * `shown`: for people, without a password. `url`: as git takes it; undefined for the remote of the checkout that the command
 * runs in.
 */
export function parseJournalLocation({ origin, value }: Setting<string>) {
  const given = { origin, shown: withoutLogin(value) };
  const refuse = (problem: string, hint: string) =>
    new Failure("usage", `the journal from ${origin} ${problem}`, { hint });
  if (value === "folder") return { ...given, kind: "folder" } as const;
  const [bare = "", fragment] = value.split("#", 2);
  const refs = fragment ?? defaultRefs;
  if (!/^refs(\/[a-z0-9][a-z0-9_-]*)+$/i.test(refs))
    throw refuse("names refs that git cannot have", `end it with #${branchRefs}, or with nothing`);
  // Without its colon as well: YAML takes `journal: git:` for a mapping.
  if (bare === "git:" || bare === "git") return { ...given, kind: "git", url: undefined, refs } as const;
  if (!URL.canParse(bare)) throw refuse("is not a location", examples);
  const url = new URL(bare);
  if (url.protocol === "postgres:" || url.protocol === "postgresql:")
    return { ...given, kind: "postgres", url: value } as const;
  if (!gitSchemes.has(url.protocol))
    throw refuse(`has a scheme that is not supported (${url.protocol})`, examples);
  if (url.search !== "") throw refuse("has a query", "end it with the path of the repository");
  return { ...given, kind: "git", url: bare.replace(/^git\+/, ""), refs } as const;
}

/** A password, or a token in the place of the user's name, in the authority of a URL. */
const loginSecret = /^([a-z+]+:\/\/(?:[^/?#:@]*:(?=[^/?#]*@)|(?=[^/?#:@]{16,}@)))([^/?#]*)(?=@)/i;
/** A user name alone can be a token. It is hidden only here: in answers of the service, it can be a common word. */
const loneName = /^((?:git\+)?https?:\/\/)[^/?#:@]+(?=@)/i;
const parameterSecret = /([?&](?:ssl)?password=)([^&#]+)/gi;

export function withoutLogin(value: string): string {
  return value.replace(loginSecret, "$1…").replace(loneName, "$1…").replaceAll(parameterSecret, "$1…");
}

/** The passwords, in every form in which they appear. */
export function secretsOf(value: string): readonly string[] {
  const found = [loginSecret.exec(value), ...value.matchAll(parameterSecret)];
  const secrets = found.flatMap((match) => match?.[2] || []);
  return [...new Set(secrets.flatMap((secret) => [secret, decodePercent(secret) ?? secret]))];
}
