// The times of an attempt: when its deadline begins, and whose sender may be at work.
import { describe, expect, it } from "vitest";
import { createOnce } from "../../../src/delivery/create-once.ts";
import type { Control } from "../../../src/http/transport.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { logOf } from "../all-logs.ts";
import { answer, incidentOf } from "../services-by-hand.ts";
import { openDelivery, requestOf } from "./deliveries.ts";

/** Declares with a journal that takes so many milliseconds for an append. Gives whether the attempt is too late. */
async function declareSlowly(milliseconds: number, isShared: boolean) {
  const overdue: unknown[] = [];
  const transport = async (_request: unknown, control: Control) => {
    await control.beforeSend?.();
    overdue.push(control.isOverdue?.());
    return answer(201, incidentOf());
  };
  const wrapJournal = (journal: Journal): Journal => ({
    ...journal,
    isShared,
    append(...args) {
      delivery.clock.advance(milliseconds);
      return journal.append(...args);
    },
  });
  const delivery = openDelivery({ transport, wrapJournal });
  await createOnce(delivery.options, requestOf());
  return overdue;
}

describe("the deadline of an attempt", () => {
  it.each([
    [29_999, false, false],
    [30_000, false, true],
    [59_999, true, false],
    [60_000, true, true],
  ])(
    "runs while its event is appended: %s ms, with a shared journal %s: %s",
    async (time, isShared, isOver) => {
      expect(await declareSlowly(time, isShared)).toEqual([isOver]);
    },
  );
});

describe("the sender of an attempt", () => {
  it.each([
    ["sending with id", true],
    ["sending with id, settled as created", true],
    ["sending with id, created", false],
    ["sending with id, uncertain, settled as created", false],
    ["sending with id, settled as created, not-created", false],
  ])("after %s may be at work: %s", (names, mayBe) => {
    const { events, unended } = logOf(names);
    expect(unended).toEqual(mayBe ? events[0] : undefined);
  });
});
