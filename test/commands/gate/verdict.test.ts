import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownIncident, Standing } from "../../../src/commands/gate/known-incidents.ts";
import { failureOf, type ListRead, type Scope } from "../../../src/commands/gate/verdict.ts";

const incidentOf = (index: number): KnownIncident => ({
  id: `id-${index}`,
  name: undefined,
  at: `2026-11-0${9 - index}T00:00:00.000Z`,
});

const standingOf = (is: Kind, index: number): Standing => {
  const known = incidentOf(index);
  switch (is) {
    case "open":
      return { is, known, incident: { id: known.id } };
    case "deleted":
      return { is: "closed", known, isMissing: true };
    case "missing":
      return { is: "unknown", known, isMissing: true, problem: "no answer" };
    case "unknown":
      return { is, known, problem: "no answer" };
    default:
      return { is, known };
  }
};

const passing = {
  closed: true,
  deleted: true,
  other: true,
  open: false,
  unknown: false,
  missing: false,
  unread: false,
} satisfies Record<Standing["is"] | "deleted" | "missing", boolean>;
type Kind = keyof typeof passing;
const wasRead: readonly Kind[] = ["closed", "other", "open"];
const kinds = Object.keys(passing) as readonly (keyof typeof passing)[];

const entries = [
  { id: "newest", created_at: "2026-11-03" },
  { id: "oldest", created_at: "2026-11-01" },
];
const lists = {
  none: { is: "none", isDescribed: true, reason: "it describes no list" },
  unproven: { is: "none", isDescribed: false, reason: "it has no document" },
  whole: { is: "read", isDescribed: true, isComplete: true, entries },
  cut: { is: "read", isDescribed: true, isComplete: false, entries },
  undescribed: { is: "unread", isDescribed: false, problem: "no answer" },
  failed: { is: "unread", isDescribed: true, problem: "no answer" },
} as const satisfies Record<string, ListRead>;
const listKinds = Object.keys(lists) as readonly (keyof typeof lists)[];

const scopeOf = (more: Partial<Scope> = {}): Scope => ({
  list: lists.none,
  isEmpty: false,
  baseUrl: { value: "https://status.example", origin: "INCIDENT_CLI_BASE_URL" },
  allowsUnknown: false,
  ...more,
});

describe("the verdict of the gate", () => {
  it("passes only where each known incident was observed, none blocks, and nothing may be hidden", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...kinds), { maxLength: 6 }),
        fc.constantFrom(...listKinds),
        fc.record({
          isStopped: fc.boolean(),
          isBroken: fc.boolean(),
          isEmpty: fc.boolean(),
          allowsUnknown: fc.boolean(),
        }),
        (all, list, { allowsUnknown, isBroken, isEmpty, isStopped }) => {
          const broken = isBroken ? "it was changed" : undefined;
          const scope = scopeOf({ list: lists[list], broken, isEmpty, allowsUnknown });
          const signal = isStopped ? AbortSignal.abort("SIGTERM") : new AbortController().signal;
          const isHidden =
            list === "cut" ||
            list === "failed" ||
            (list === "undescribed" && (isStopped || !allowsUnknown)) ||
            (lists[list].is === "none" && isEmpty && !allowsUnknown) ||
            (all.includes("deleted") && !lists[list].isDescribed && !all.some((is) => wasRead.includes(is)));
          const failure = failureOf(all.map(standingOf), scope, signal);
          expect(failure === undefined).toBe(!isBroken && !isHidden && all.every((is) => passing[is]));
          // An open incident is told before everything else, and nothing else is told as one.
          expect(failure?.kind === "blocked").toBe(all.includes("open"));
        },
      ),
    );
  });

  it.each([
    [["deleted"], { list: lists.unproven }, "usage", "each read was answered with 404"],
    [[], { isEmpty: true }, "usage", "no incident is known here"],
    [[], { list: lists.cut }, "unavailable", "the list of the service was not read to its end"],
    [
      [],
      { list: lists.undescribed },
      "unavailable",
      "it is not known what is open at the service: no answer",
    ],
    [["unknown"], { isEmpty: true }, "unavailable", "it is not known whether"],
  ] as const)("tells of %j in %j", (all, scope, kind, message) => {
    const failure = failureOf(all.map(standingOf), scopeOf(scope), new AbortController().signal);
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
    ["it was stopped", "closed", "SIGTERM", "terminated", "cancelled by SIGTERM"],
    [
      "they are too many",
      "other",
      undefined,
      "unavailable",
      "1 of 2 known incidents were read, and none of these blocks",
    ],
  ] as const)("tells of an unread incident where %s, and the other is %s", (_, is, reason, kind, message) => {
    const standings = [standingOf(is, 0), standingOf("unread", 1)];
    const signal = reason === undefined ? new AbortController().signal : AbortSignal.abort(reason);
    expect(failureOf(standings, scopeOf(), signal)).toMatchObject({ kind, message });
  });
});
