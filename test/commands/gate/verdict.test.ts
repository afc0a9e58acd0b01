import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownIncident, Observation } from "../../../src/commands/gate/known-incidents.ts";
import { failureOf, findingsOf } from "../../../src/commands/gate/verdict.ts";
import { Failure } from "../../../src/failure.ts";

const incidentOf = (index: number): KnownIncident => ({
  id: `id-${index}`,
  name: undefined,
  operation: `op-${index}`,
  at: `2026-11-0${9 - index}T00:00:00.000Z`,
});

const observationOf = (is: Observation["is"] | "none", index: number): Observation | undefined => {
  const incident = { ...incidentOf(index), problem: "no answer" };
  if (is === "none") return undefined;
  return is === "open"
    ? { is, incident }
    : is === "unknown" || is === "unsettled"
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
  none: false,
};
const kinds = Object.keys(passing) as readonly (keyof typeof passing)[];

describe("the verdict of the gate", () => {
  it("passes only where each known incident was observed, and none of them blocks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...kinds), { maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        (all, isStopped, isBroken) => {
          const observed = new Map<number, Observation>();
          for (const [index, is] of all.entries()) {
            const observation = observationOf(is, index);
            if (observation !== undefined) observed.set(index, observation);
          }
          const failure = new Failure("internal", "it was changed", { hint: "none" });
          const broken = isBroken ? [{ name: "op-broken", failure }] : [];
          const findings = findingsOf(
            all.map((_, index) => incidentOf(index)),
            observed,
            broken,
          );
          const signal = isStopped ? AbortSignal.abort("SIGTERM") : new AbortController().signal;
          const passes = !isBroken && all.every((is) => passing[is]);
          expect(failureOf(findings, signal) === undefined).toBe(passes);
        },
      ),
    );
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
      "1 of 2 known incidents were read, those declared since 2026-11-09T00:00:00Z, and none of these blocks",
    ],
  ] as const)("tells of an unread incident where %s, and the other is %s", (_, is, reason, kind, message) => {
    const observed = new Map([[0, observationOf(is, 0) as Observation]]);
    const findings = findingsOf([incidentOf(0), incidentOf(1)], observed, []);
    const signal = reason === undefined ? new AbortController().signal : AbortSignal.abort(reason);
    expect(failureOf(findings, signal)).toMatchObject({ kind, message });
  });
});
