// Turns errors of git into failures. They never decide whether an event is in the journal.
import { Failure, type FailureKind } from "../../failure.ts";
import type { ProgramResult } from "../../platform/context.ts";
import { cutText } from "../../text/lengths.ts";
import { branchRefs } from "../../workspace/journal-location.ts";
import { aroundJournal } from "../journal-errors.ts";

/** A repository as messages show it. */
export interface ShownPlace {
  /** Without credentials. */
  readonly shown: string;
  /** Removes credentials from the output of git. */
  readonly redact: (text: string) => string;
}

type GitProblem = readonly [words: RegExp, kind: FailureKind, action: string];

/** The first match counts, in the words of the system, then of git. */
const problems: readonly GitProblem[] = [
  [/^did not start/, "usage", "install git 2.31 or later"],
  [
    // A rule of the server, which another attempt would meet again.
    /remote rejected\] \((?!.*(?:lock|failed to update|atomic|transaction))|mismatched algorithms|hash algorithm|object format/i,
    "usage",
    `let the repository, with SHA-1 objects, take pushes to refs/incident/*; a journal without entries can be in branches, as in INCIDENT_CLI_JOURNAL=git:#${branchRefs}`,
  ],
  [
    /dubious ownership/,
    "usage",
    "the repository belongs to another user: run the git config command that git names",
  ],
  [
    /not appear to be a git repository|does not exist/i,
    "usage",
    "check the journal's location: there is no repository at it",
  ],
  [
    /authentication failed|could not read (?:username|password)|terminal prompts disabled|(?:permission|access) denied|denied to|returned error: 40[134]|not authorized|host key verification failed|write access|repository .*not found/i,
    "credentials",
    "check the journal's location, and that git's credentials may push there (in GitHub Actions: permissions: contents: write)",
  ],
  [/(?:)/, "unavailable", "run it again"],
];

/** Nothing was sent: the journal could not be read, or the event is not in it. */
export function gitFailure(
  { redact, shown }: ShownPlace,
  result: ProgramResult,
  doing: "read" | "written",
): Failure {
  const said = `${result.problem ?? ""}\n${result.stdout}\n${result.stderr}`;
  const [, kind, action] = problems.find(([words]) => words.test(said)) as GitProblem;
  const message = `the journal at ${shown} cannot be ${doing}: ${redact(detailOf(result))}`;
  // A push that did not end in its time is not waited for again.
  const retryable = doing === "written" && result.problem !== undefined ? false : undefined;
  return new Failure(kind, message, { hint: `nothing was sent; ${action}; ${aroundJournal}`, retryable });
}

/** The words of git, of the server and of its hooks. */
function detailOf({ problem, stderr, stdout }: ProgramResult): string {
  if (problem !== undefined) return `git ${problem}`;
  const rejected = /\[(?:remote )?rejected\] \(.*\)/.exec(stdout)?.[0];
  const lines = stderr.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !/^(?:hint:|To |error: failed to push)/.test(line));
  const all = rejected === undefined ? said : [rejected, ...said];
  return cutText(all.join("; ") || "git gave no reason", 500);
}
