import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownIncident, Observation } from "../../../src/commands/gate/known-incidents.ts";
import type { ListFacts } from "../../../src/commands/gate/read-list.ts";
import { failureOf, findingsOf, type Scope } from "../../../src/commands/gate/verdict.ts";
import { Failure } from "../../../src/failure.ts";

const incidentOf = (index: number): KnownIncident => ({
  id: `id-${index}`,
  name: undefined,
  at: `2026-11-0${9 - index}T00:00:00.000Z`,
});

const observationOf = (is: Observation["is"] | "none", index: number): Observation | undefined => {
  const incident = { ...incidentOf(index), problem: "no answer" };
  if (is === "none") return undefined;
  return is === "open"
    ? { is, incident }
    : is === "unknown" || is === "unsettled" || is === "not-shown"
      ? { is, incident }
      : { is };
};

const passing = {
  resolved: true,
  gone: true,
  other: true,
  open: false,
  unknown: false,
  unsettled: false,
  "not-shown": false,
  none: false,
};
const kinds = Object.keys(passing) as readonly (keyof typeof passing)[];

const lists = {
  none: { is: "none", reason: "it describes no list" },
  whole: { is: "read", isComplete: true, reached: "2026-11-01" },
  cut: { is: "read", isComplete: false, reached: "2026-11-01" },
  undescribed: { is: "unread", isDescribed: false, problem: "no answer" },
  failed: { is: "unread", isDescribed: true, problem: "no answer" },
} as const satisfies Record<string, ListFacts>;
const listKinds = Object.keys(lists) as readonly (keyof typeof lists)[];

const scopeOf = (more: Partial<Scope> = {}): Scope => ({
  list: lists.none,
  isEmpty: false,
  isProven: true,
  baseUrl: { value: "https://status.example", origin: "INCIDENT_CLI_BASE_URL" },
  allowsUnknown: false,
  ...more,
});

const findingsFrom = (all: readonly (keyof typeof passing)[], isBroken: boolean) => {
  const observed = new Map<number, Observation>();
  for (const [index, is] of all.entries()) {
    const observation = observationOf(is, index);
    if (observation !== undefined) observed.set(index, observation);
  }
  const failure = new Failure("internal", "it was changed", { hint: "none" });
  const broken = isBroken ? [{ name: "op-broken", failure }] : [];
  return findingsOf(
    all.map((_, index) => incidentOf(index)),
    observed,
    broken,
  );
};

describe("the verdict of the gate", () => {
  it("passes only where each known incident was observed, none blocks, and nothing may be hidden", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...kinds), { maxLength: 6 }),
        fc.constantFrom(...listKinds),
        fc.record({
          isStopped: fc.boolean(),
          isBroken: fc.boolean(),
          isProven: fc.boolean(),
          isEmpty: fc.boolean(),
          allowsUnknown: fc.boolean(),
        }),
        (all, list, { allowsUnknown, isBroken, isEmpty, isProven, isStopped }) => {
          const scope = scopeOf({ list: lists[list], isEmpty, isProven, allowsUnknown });
          const signal = isStopped ? AbortSignal.abort("SIGTERM") : new AbortController().signal;
          const isHidden =
            list === "cut" ||
            list === "failed" ||
            (list === "undescribed" && (isStopped || !allowsUnknown)) ||
            (list === "none" && isEmpty && !allowsUnknown) ||
            (all.includes("gone") && !isProven);
          const failure = failureOf(findingsFrom(all, isBroken), scope, { signal, localOffset: () => 0 });
          expect(failure === undefined).toBe(!isBroken && !isHidden && all.every((is) => passing[is]));
          // An open incident is told before everything else, and nothing else is told as one.
          expect(failure?.kind === "blocked").toBe(all.includes("open"));
        },
      ),
    );
  });

  it.each([
    [["gone"], { isProven: false }, "usage", "each read was answered with 404"],
    [[], { isEmpty: true }, "usage", "no incident is known here"],
    [
      [],
      { list: lists.cut },
      "unavailable",
      "the list of the service was not read to its end, back to 2026-11-01",
    ],
    [
      [],
      { list: lists.undescribed },
      "unavailable",
      "it is not known what is open at the service: no answer",
    ],
    [["unknown"], { isEmpty: true }, "unavailable", "the service gave no answer"],
  ] as const)("tells of %j in %j", (all, scope, kind, message) => {
    const failure = failureOf(findingsFrom(all, false), scopeOf(scope), {
      signal: new AbortController().signal,
      localOffset: () => 0,
    });
    expect(failure).toMatchObject({ kind, message: expect.stringContaining(message) });
  });

  it.each([
    [
      "it was stopped",
      "open",
      "SIGTERM",
      "blocked",
      "blocked: 1 known incident is open; 1 of 2 known incidents were read",
    ],
    ["it was stopped", "resolved", "SIGTERM", "terminated", "cancelled by SIGTERM"],
    [
      "they are too many",
      "other",
      undefined,
      "unavailable",
      "1 of 2 known incidents were read, those declared since 2026-11-09 00:00 +00:00, and none of these blocks",
    ],
  ] as const)("tells of an unread incident where %s, and the other is %s", (_, is, reason, kind, message) => {
    const observed = new Map([[0, observationOf(is, 0) as Observation]]);
    const findings = findingsOf([incidentOf(0), incidentOf(1)], observed, []);
    const signal = reason === undefined ? new AbortController().signal : AbortSignal.abort(reason);
    expect(failureOf(findings, scopeOf(), { signal, localOffset: () => 0 })).toMatchObject({ kind, message });
  });
});
