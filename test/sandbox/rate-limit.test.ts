import fc from "fast-check";
import { expect, it } from "vitest";
import { openSandbox, readRequest } from "./requests.ts";

it("never exceeds the limit in any window, and always allows a request after the returned wait", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 }), async (gaps) => {
      const { clock, sandbox } = openSandbox({ rateLimit: { requests: 5, seconds: 1 } });
      const wait = async () => {
        const outcome = await sandbox.transport(readRequest("x"), { deadline: 1000 });
        return outcome.phase === "answered" ? Number(outcome.headers["retry-after"] ?? 0) : Number.NaN;
      };
      const passed: number[] = [];
      for (const gap of gaps) {
        clock.advance(gap);
        const seconds = await wait();
        clock.advance(seconds * 1000);
        if (seconds > 0) expect(await wait()).toBe(0);
        passed.push(clock.now());
      }
      for (const time of passed) {
        expect(passed.filter((other) => other > time - 1000 && other <= time).length).toBeLessThanOrEqual(5);
      }
    }),
  );
});
