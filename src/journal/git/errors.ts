// The meaning of git's complaints for a create. They only choose the message and the exit code: whether an event is in
// the journal is never decided by them.
import { Failure, type FailureKind } from "../../failure.ts";
import type { ProgramResult } from "../../platform/context.ts";
import type { Advice } from "../../text/advice.ts";
import { cutText } from "../../text/lengths.ts";
import { aroundJournal, storeHint } from "../journal-errors.ts";
import { gitTimeout } from "./git-program.ts";
import type { GitRemote } from "./git-remote.ts";

/** The first that fits the words of git counts. */
const problems: readonly (readonly [words: RegExp, kind: FailureKind, hint: Advice])[] = [
  [
    // A rule of the server, which another attempt would meet again.
    /remote rejected\] \((?!.*(?:lock|failed to update|atomic|transaction))/i,
    "usage",
    storeHint("allow refs/incident/* there, or keep the journal in branches: incident doctor says how"),
  ],
  [
    /mismatched algorithms|hash algorithm|object format/i,
    "usage",
    storeHint("name a repository with SHA-1 objects: the journal cannot be in one with SHA-256"),
  ],
  [
    /authentication failed|could not read (?:username|password)|terminal prompts disabled|(?:permission|access) denied|denied to|returned error: 40[134]|not authorized|host key verification failed|write access|repository .*not found|not appear to be a git repository|does not exist/i,
    "credentials",
    storeHint(
      "check the journal's location, and that git's credentials may push there (in GitHub Actions: permissions: contents: write)",
      aroundJournal,
    ),
  ],
];

const otherwise = [/(?:)/, "unavailable", storeHint("run it again", aroundJournal)] as const;

function problemOf({ stderr, stdout }: ProgramResult) {
  return problems.find(([words]) => words.test(`${stdout}\n${stderr}`)) ?? otherwise;
}

/** Nothing was sent: the journal could not be read, or the event is not in it. */
export function gitFailure(
  { redact, shown }: Pick<GitRemote, "redact" | "shown">,
  result: ProgramResult,
  doing: "read" | "written",
): Failure {
  const [, kind, hint] = problemOf(result);
  const message = `the journal at ${shown} cannot be ${doing}: ${redact(detailOf(result))}`;
  return new Failure(kind, message, { hint, retryable: kind === "unavailable" });
}

/** The remote takes no push within the time of git. Final, so that no append waits for it again. */
export function stalledFailure({ shown }: Pick<GitRemote, "shown">): Failure {
  const message = `the journal at ${shown} cannot be written: git did not end within ${gitTimeout / 1000} seconds`;
  return new Failure("unavailable", message, {
    hint: storeHint("look at the hooks and the load of that server, then run it again", aroundJournal),
  });
}

/** What git said, and the server or its hooks. */
function detailOf({ problem, stderr, stdout }: ProgramResult): string {
  if (problem !== undefined) return `git ${problem}`;
  const rejected = /\[(?:remote )?rejected\] \(.*\)/.exec(stdout)?.[0];
  const lines = stderr.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !/^(?:hint:|To |error: failed to push)/.test(line));
  const all = rejected === undefined ? said : [rejected, ...said];
  return cutText(all.join("; ") || "git gave no reason", 500);
}
