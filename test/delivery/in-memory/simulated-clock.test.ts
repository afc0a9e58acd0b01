// The simulated clock of the harness: it moves only while all wait for it.
import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createClock } from "../../harness/incident.ts";

it("stands still while work that is no wait takes turns of the event loop", async () => {
  const clock = createClock();
  const other = clock.sleep(60_000);
  // What is woken goes on, as an append to the journal does, while the other still waits.
  await clock.sleep(10);
  for (let turns = 0; turns < 3; turns += 1) await turn();
  expect(clock.monotonic()).toBe(10);
  await other;
  expect(clock.monotonic()).toBe(60_000);
});
