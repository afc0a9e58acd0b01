// What a wait before another attempt keeps of the reads of this run.
import { describe, expect, it } from "vitest";
import type { DeliveryOptions, DeliveryRequest } from "../../src/delivery/delivery-options.ts";
import { noFindings } from "../../src/delivery/next-step.ts";
import { wait } from "../../src/delivery/steps.ts";
import { allLogs } from "./all-logs.ts";

const [before, after] = allLogs(1);
const reads = { look: "absent", readBack: "absent" } as const;

describe("after a wait", () => {
  it.each([
    ["of 10 s, both reads count", 10_000, before, reads],
    [
      "of more than 10 s, the look is repeated: another machine may declare it",
      10_001,
      before,
      { readBack: "absent" },
    ],
    ["in which another process appends to the log, no read counts", 1, after, {}],
  ])("%s", async (_, delay, log, kept) => {
    const found = { attempts: 1, isUnclear: true, withoutId: true };
    const journal = { read: async () => log };
    const options = {
      journal,
      system: { signal: new AbortController().signal },
    } as unknown as DeliveryOptions;
    const progress = { log: before, findings: { ...noFindings, ...found, ...reads } } as Parameters<
      typeof wait
    >[2];
    const { key } = progress.log;
    expect(await wait(options, { key } as DeliveryRequest, progress, delay)).toEqual({
      log,
      findings: { ...found, ...kept },
    });
  });
});
