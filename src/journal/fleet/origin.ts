// The person, the program and the machine behind an event of the journal, for an auditor: no decision needs them.
import { tryTo } from "../../failure.ts";
import type { System } from "../../platform/context.ts";
import { cutText } from "../../text/lengths.ts";
import { version } from "../../version.ts";

type OriginSystem = Pick<System, "env" | "host" | "user" | "userName">;

export type Origin = { readonly [Fact in "actor" | "host" | "runUrl" | "version"]?: string };

/** A container can run as a user without a name. */
function userOf({ user, userName }: OriginSystem): string | undefined {
  return tryTo(userName) ?? user?.toString();
}

/** In UTF-16 units: a variable can be of any length. */
const longestFact = 500;

/** From the variables of GitHub Actions or of GitLab CI, or from the system. */
export function originOf(system: OriginSystem): Origin {
  const { env } = system;
  const run = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`;
  const facts: { readonly [Fact in keyof Origin]-?: string | undefined } = {
    actor: env.GITHUB_ACTOR || env.GITLAB_USER_LOGIN || userOf(system),
    host: system.host(),
    runUrl: env.GITHUB_RUN_ID ? run : env.CI_JOB_URL,
    version,
  };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value ? [[name, cutText(value, longestFact)]] : [])),
  );
}

/** One line for people; the version is for programs. */
export function describeOrigin({ actor, host, runUrl }: Origin): string {
  const parts = [actor && `by ${actor}`, host && `on ${host}`, runUrl && `in ${runUrl}`];
  return parts.filter((part) => part).join(" ");
}
