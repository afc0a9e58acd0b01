// The person, the program and the machine behind an event of the journal, for an auditor: no decision needs them.
import type { System } from "../../platform/context.ts";
import { cutText } from "../../text/lengths.ts";
import { version } from "../../version.ts";

type OriginSystem = Pick<System, "env" | "host" | "user" | "userName">;

/** Each fact, and its source: a variable of GitHub Actions or of GitLab CI, or the system. */
const facts = {
  actor: (system: OriginSystem) => system.env.GITHUB_ACTOR || system.env.GITLAB_USER_LOGIN || userOf(system),
  host: ({ host }: OriginSystem) => host(),
  runUrl: ({ env }: OriginSystem) =>
    env.GITHUB_RUN_ID
      ? `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
      : env.CI_JOB_URL,
  version: () => version,
} satisfies Record<string, (system: OriginSystem) => string | undefined>;

export type Origin = { readonly [Fact in keyof typeof facts]?: string };

/** A container can run as a user without a name. */
function userOf({ user, userName }: OriginSystem): string | undefined {
  try {
    return userName();
  } catch {
    return user?.toString();
  }
}

/** In UTF-16 units: a variable can be of any length. */
const longestFact = 500;

export function originOf(system: OriginSystem): Origin {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, find]) => {
      const value = find(system);
      return value ? [[name, cutText(value, longestFact)]] : [];
    }),
  );
}

/** One line for people; the version is for programs. */
export function describeOrigin({ actor, host, runUrl }: Origin): string {
  const parts = [actor && `by ${actor}`, host && `on ${host}`, runUrl && `in ${runUrl}`];
  return parts.filter((part) => part).join(" ");
}
