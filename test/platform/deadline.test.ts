// A deadline that also counts the time in which no timer runs.
import { expect, test } from "vitest";
import { startDeadline } from "../../src/platform/deadline.ts";

test.each([
  ["the process was stopped", [5_007, 5_009]],
  ["the machine slept", [7, 5_009]],
])("a deadline is over, although no timer ran: %s", (_, later) => {
  let now: readonly number[] = [7, 9];
  const isOver = startDeadline(5_000, () => now);
  expect(isOver()).toBe(false);
  now = later.map((time) => time - 1);
  expect(isOver()).toBe(false);
  now = later;
  expect(isOver()).toBe(true);
});

test("a deadline of an hour is not over at once", () => {
  expect(startDeadline(3_600_000)()).toBe(false);
  expect(startDeadline(0)()).toBe(true);
});
