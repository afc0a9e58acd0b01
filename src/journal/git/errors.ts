// The meaning of git's complaints for a create. They only choose the message and the exit code: whether an event is in
// the journal is never decided by them.
import { Failure, type FailureKind } from "../../failure.ts";
import type { ProgramResult } from "../../platform/context.ts";
import { cutText } from "../../text/lengths.ts";
import { aroundJournal, StoreHint } from "../journal-errors.ts";
import { gitTimeout } from "./git-program.ts";
import type { GitRemote } from "./git-remote.ts";

const refusedCredentials =
  /authentication failed|could not read (?:username|password)|terminal prompts disabled|permission denied|access denied|denied to|returned error: 40[13]|not authorized|host key verification failed|write access/i;

const noRepository =
  /repository .*not found|not appear to be a git repository|does not exist|returned error: 404/i;

/** The server refused the refs by a rule of its own, which another attempt would meet again. */
const refusedRefs = /remote rejected\] \((?!.*(?:lock|failed to update|atomic|transaction))/i;

export type GitProblem = "credentials" | "repository" | "refs" | "other";

export function problemOf({ stderr, stdout }: ProgramResult): GitProblem {
  if (refusedRefs.test(stdout)) return "refs";
  if (refusedCredentials.test(stderr)) return "credentials";
  return noRepository.test(stderr) ? "repository" : "other";
}

const reasons = {
  credentials: [
    "credentials",
    new StoreHint(
      "git needs credentials that may push there (in GitHub Actions: permissions: contents: write)",
      aroundJournal,
    ),
  ],
  repository: [
    "usage",
    new StoreHint("correct the journal's location, or the credentials that may see it", aroundJournal),
  ],
  refs: [
    "usage",
    new StoreHint("allow refs/incident/* there, or keep the journal in branches: incident doctor says how"),
  ],
  other: ["unavailable", new StoreHint("run it again", aroundJournal)],
} as const satisfies Record<GitProblem, readonly [FailureKind, StoreHint]>;

/** Nothing was sent: the journal could not be read, or the event is not in it. */
export function gitFailure(
  { redact, shown }: Pick<GitRemote, "redact" | "shown">,
  result: ProgramResult,
  doing: "read" | "written",
): Failure {
  const [kind, hint] = reasons[problemOf(result)];
  const message = `the journal at ${shown} cannot be ${doing}: ${redact(detailOf(result))}`;
  return new Failure(kind, message, { hint, retryable: kind === "unavailable" });
}

/** The remote takes no push within the time of git. Final, so that no append waits for it again. */
export function stalledFailure({ shown }: Pick<GitRemote, "shown">): Failure {
  const seconds = gitTimeout / 1000;
  const message = `the journal at ${shown} cannot be written: git did not end within ${seconds} seconds, twice`;
  return new Failure("unavailable", message, {
    hint: new StoreHint("look at the hooks and the load of that server, then run it again", aroundJournal),
  });
}

/** The most telling line of the output of git, and the lines of the server or its hooks. */
function detailOf({ problem, stderr, stdout }: ProgramResult): string {
  if (problem !== undefined) return `git ${problem}`;
  const rejected = /\[(?:remote )?rejected\] \(.*\)/.exec(stdout)?.[0];
  const lines = stderr.split("\n").map((line) => line.trim());
  const own = lines.filter((line) => line !== "" && !line.startsWith("remote:"));
  const said =
    rejected ??
    own.find((line) => /^(?:fatal|error):/i.test(line) && !/failed to push/.test(line)) ??
    own.find((line) => !/failed to push/.test(line));
  const remote = lines.flatMap((line) => /^remote:\s*(.+)/.exec(line)?.[1] ?? []).join(" ");
  const all = [said, remote && `the server says: ${remote}`].filter((part) => part);
  return cutText(all.join("; ") || "git gave no reason", 500);
}
