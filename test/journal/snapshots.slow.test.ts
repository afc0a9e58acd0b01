// A model that is read from snapshots answers as one that has all entries, whatever the texts of its operations are, and
// whatever the clocks of the machines say.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { OperationLog } from "../../src/journal/events.ts";
import { withoutTexts } from "../../src/journal/fold.ts";
import {
  allIn,
  claimedFor,
  emptyModel,
  extend,
  format,
  type Model,
  newest,
  operation,
  unsettled,
  withId,
} from "../../src/journal/model.ts";
import { takeSnapshot } from "../../src/journal/snapshot.ts";
import { anyCharacter } from "../text/any-character.ts";

const service = { baseUrl: "http://service.example", account: "a" };
const hour = 3_600_000;

/** Texts like the separators and the rows of the past, and texts that others begin with. */
const texts = [
  ..."a ab abc d1 d10 null true 1 [] , $& ( ä 😀 __proto__ constructor".split(" "),
  ...['"', '"],["', '","', '\\"', 'a",1,2,"', "\\u0000", '\n["a",', "\n[", "\r\n", "\t", "\0"],
  ...["", "\u2028", "\ud800", "\uffff", "x".repeat(10_000)],
];
const digests = ["d1", "d10", "d", "a", "ab", '"', "x".repeat(32)];

const text = fc.oneof(fc.constantFrom(...texts), fc.string({ unit: anyCharacter, maxLength: 6 }));
const stepArbitrary = fc.record({
  id: fc.constantFrom(...texts),
  digest: fc.constantFrom(...digests),
  occurrence: fc.integer({ min: 1, max: 2 }),
  kind: fc.constantFrom(
    "send",
    "claim",
    "update",
    "edit",
    "created",
    "altered",
    "created",
    "refused",
    "unsent",
    "uncertain",
    "not-created",
    "fired",
  ),
  one: text,
  other: text,
  ids: fc.constantFrom("honoured", "ignored", undefined),
  /** Since the step before, by the clock of the machine. */
  pause: fc.constantFrom(0, 1, 1000, 2 * hour, 2 * hour, -hour, -365 * 24 * hour),
  isLast: fc.constantFrom(false, false, true),
});
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** What the operation does next, as a run would. */
function eventsOf(log: OperationLog, step: Step, at: string): readonly unknown[] {
  const { digest, ids, kind, occurrence, one, other } = step;
  const parts = { name: one, severity: "s", services: "v", updates: [other, '"],["'] };
  const create = { digest, name: one, parts };
  const update = { kind: "update", incidentId: one, status: "X", notify: false, description: other } as const;
  const edit = { kind: "edit", incidentId: one, fields: [one, other] } as const;
  const sending = { type: "sending", at, withId: true, deadline: 1 };
  const created = { type: "created", at, by: "answer", serviceId: one, ids };
  if (log.uncertain !== undefined) {
    const attempt = log.next - log.events.length + log.events.findLastIndex(({ type }) => type === "sending");
    if (kind === "refused") return [{ type: kind, at, attempt, status: 400, message: one }];
    if (kind === "unsent") return [{ type: kind, at, attempt, reason: one }];
    if (kind === "uncertain") return [{ type: kind, at, attempt, reason: one, status: 500 }];
    if (kind === "not-created") return [{ type: kind, at }];
    return [kind === "altered" ? { ...created, altered: { [one]: other } } : created];
  }
  if (log.state === "created") {
    if (kind === "not-created") return [{ type: kind, at }];
    if (kind === "edit") return [{ ...created, content: create }];
    return [{ type: "fired", at, alertStarts: [other] }];
  }
  if (kind === "update") return [{ ...sending, content: { digest, name: one, change: update } }];
  if (kind === "edit") return [{ ...sending, content: { digest, change: edit } }];
  const claim = kind === "claim" && { claim: occurrence };
  return [{ ...sending, ...claim, content: create }];
}

/** What deciding needs of an operation. */
function factsOf(log: OperationLog | undefined) {
  if (log === undefined) return undefined;
  const { change, created, ...rest } = log;
  const { alertGroups, altered, claim, digest, key, name, next, parts, uncertain } = rest;
  const { at, serviceId } = created ?? {};
  const told = { name, change: change && withoutTexts(change), at, serviceId };
  // Only then does it decide. A snapshot states one that was refused, and whose last attempt was not sent, as refused.
  const wasRefused = log.state !== "created" && log.uncertain === undefined && log.wasRefused;
  return {
    ...told,
    alertGroups,
    altered,
    claim,
    digest,
    key,
    next,
    parts,
    uncertain,
    wasRefused,
    state: wasRefused ? "refused" : log.state,
  };
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));

function createPair() {
  let whole: Model = emptyModel;
  let short: Model = emptyModel;
  let now = Date.parse("2026-03-10T08:30:00.000Z");
  let others = 0;
  const timestamp = () => new Date(now).toISOString();
  const append = (own: readonly { readonly id: string; readonly event: unknown }[]) => {
    const entry = plain({ writer: `w${whole.next}`, ...format, at: now, service, events: own });
    whole = extend(whole, { first: whole.next, entries: [entry] }, String);
    short = extend(short, { first: short.next, entries: [entry] }, String);
  };
  const shorten = () => {
    const { next: first, writers } = short;
    const snapshot = takeSnapshot(short, now);
    const entries = [plain({ writer: "s", ...format, at: now, service, writers, snapshot })];
    const running = extend(short, { first, entries }, String);
    short = extend(emptyModel, { first, entries }, String);
    expect([...running.operations]).toEqual([...short.operations]);
    expect({ ...running, operations: 0 }).toEqual({ ...short, operations: 0 });
  };
  return {
    run(steps: readonly Step[]) {
      for (const step of steps) {
        now += step.pause;
        const id = step.id.toLowerCase();
        const events = eventsOf(operation(short, service, id), step, timestamp());
        append(events.map((event) => ({ id, event })));
        if (step.isLast) shorten();
      }
    },
    /** Makes all operations old. */
    age() {
      append(
        Array.from({ length: 200 }, (): readonly unknown[] => {
          const id = `other-${++others}`;
          const content = { digest: id };
          const at = timestamp();
          return [
            { id, event: { type: "sending", at, withId: true, deadline: 1, content } },
            { id, event: { type: "created", at, by: "answer", serviceId: id } },
          ];
        }).flat() as never,
      );
      now += 2 * hour;
      shorten();
    },
    check() {
      const same = (ask: (model: Model) => unknown) => expect(plain(ask(short))).toEqual(plain(ask(whole)));
      for (const ask of [allIn, newest, unsettled]) same((model) => ask(model).map(factsOf));
      for (const id of [...texts, ...texts.map((each) => each.toUpperCase()), "other-1"]) {
        same((model) => factsOf(operation(model, service, id)));
        same((model) => withId(model, id).map(factsOf));
      }
      for (const digest of digests)
        for (const occurrence of [1, 2]) same((model) => factsOf(claimedFor(model, digest, occurrence)));
      same(({ ids }) => ids);
      for (const { key } of unsettled(whole)) expect(short.operations.has(key.id)).toBe(true);
    },
  };
}

it("snapshots change no answer", () => {
  const steps = fc.array(stepArbitrary, { minLength: 20, maxLength: 80, size: "max" });
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const { age, check, run } = createPair();
      run(before);
      age();
      check();
      run(after);
      check();
      age();
      check();
    }),
    { numRuns: 2, endOnFailure: true },
  );
});
