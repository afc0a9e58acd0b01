import fc from "fast-check";
import { expect, it } from "vitest";
import { createRateLimit } from "../../src/sandbox/rate-limit.ts";

it("never exceeds the limit in any window, and always allows a request after the returned wait", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 }), (gaps) => {
      const take = createRateLimit({ requests: 5, seconds: 1 });
      const passed: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const wait = take(now);
        if (wait > 0) {
          now += wait * 1000;
          expect(take(now)).toBe(0);
        }
        passed.push(now);
      }
      for (const time of passed) {
        expect(passed.filter((other) => other > time - 1000 && other <= time).length).toBeLessThanOrEqual(5);
      }
    }),
  );
});
