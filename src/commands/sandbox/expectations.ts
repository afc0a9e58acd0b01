// The result of a rehearsal: counts of the requests and incidents, compared with the expectations.
import { Failure } from "../../failure.ts";
import type { Sandbox } from "../../sandbox/app.ts";
import { countOf } from "../../text/lengths.ts";

/** The names of expectations. `exit` is the exit code of the rehearsed command. */
const names = ["requests", "incidents", "updates", "duplicates", "429s", "exit"] as const;

type Expectable = (typeof names)[number];
export type Expectations = Readonly<Partial<Record<Expectable, number | undefined>>>;
type Counts = Readonly<Record<Exclude<Expectable, "exit">, number>>;

export function countsOf(sandbox: Sandbox): Counts {
  const { requests, created, updates, duplicates, rateLimited } = sandbox.statistics();
  return { requests, incidents: created, updates, duplicates, "429s": rateLimited };
}

/** Parses `incidents=1`. A problem is a phrase for a person. */
export function parseExpectation(text: string): Expectations | { readonly problem: string } {
  const [, name, number] = /^([^=]+)=(\d{1,9})$/.exec(text) ?? [];
  const match = names.find((candidate) => candidate === name);
  if (match !== undefined) return { [match]: Number(number) };
  return { problem: `"${text}" is not NAME=NUMBER with one of the names ${names.join(", ")}` };
}

/** The counts and the exit code of the command, as one line. */
export function summaryOf(counts: Counts, exitCode: number | undefined): string {
  return [
    countOf(counts.requests, "request"),
    countOf(counts.incidents, "incident"),
    ...(counts.updates === 0 ? [] : [countOf(counts.updates, "added update")]),
    countOf(counts.duplicates, "duplicate"),
    ...(counts["429s"] === 0 ? [] : [`${counts["429s"]} answered with 429`]),
    ...(exitCode === undefined || exitCode === 0 ? [] : [`the command ended with ${exitCode}`]),
  ].join(", ");
}

export function checkExpectations(
  expectations: Expectations,
  counts: Counts,
  exitCode: number | undefined,
): Failure | undefined {
  const found = { ...counts, exit: exitCode };
  const differences = names.flatMap((name) => {
    const expected = expectations[name];
    if (expected === undefined || expected === found[name]) return [];
    return [`${name} is ${found[name]}, expected ${expected}`];
  });
  if (differences.length === 0) return undefined;
  return new Failure("drift", `the rehearsal did not meet its expectations: ${differences.join("; ")}`, {
    hint: "read the requests above, then correct the command or the expectations",
  });
}
