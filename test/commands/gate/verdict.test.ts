// The verdict of the gate: it passes only where everything that is known was observed, and nothing of it blocks.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unread, verdictOf } from "../../../src/commands/gate/verdict.ts";

const running = new AbortController().signal;
const silent = { id: "the list of the service", failure: unread("no answer", { hint: "bound it" }) };
const lost = { id: "a", failure: unread("it was not read") };

describe("the verdict of the gate", () => {
  it("passes only where each known incident was observed, and none is open", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constant({ id: "open" }), { maxLength: 3 }),
        fc.array(fc.constantFrom(silent, lost), { maxLength: 3 }),
        fc.boolean(),
        (open, unknown, isStopped) => {
          const signal = isStopped ? AbortSignal.abort("SIGTERM") : running;
          const failure = verdictOf(open, unknown, signal);
          expect(failure === undefined).toBe(open.length === 0 && unknown.length === 0);
          // An open incident is told before everything else, and nothing else is told as one.
          expect(failure?.kind === "blocked").toBe(open.length > 0);
        },
      ),
    );
  });

  it.each([
    ["0b6ee9a3-7f9d-4f5c-8f0a-1d2c3b4a5e6f", 1],
    ["1001", 0],
  ])("names a command to wait with that runs as printed, for the id %s", (id, count) => {
    const failure = verdictOf([{ id }], [], running);
    expect(failure?.details.commands).toHaveLength(count);
  });

  it.each([
    [
      [silent, lost],
      running,
      "unavailable",
      "it is not known whether an incident is open: the list of the service: no answer (and 1 more)",
    ],
    [[lost], AbortSignal.abort("SIGTERM"), "terminated", "cancelled by SIGTERM"],
  ] as const)("tells of %j, %j", (unknown, signal, kind, message) => {
    expect(verdictOf([], unknown, signal)).toMatchObject({ kind, message });
  });
});
