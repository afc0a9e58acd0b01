// Power failures on files in memory that lose what was not synced, and how often a create waits for the disk.
// Each of the five policies takes every fifth step, and the others take those between. power-loss.slow.test.ts has more.
import { describe, expect, it } from "vitest";
import type { Files } from "../../../src/platform/context.ts";
import { definitionYaml } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { files } from "./crash.ts";
import { losePowerEverywhere, policies } from "./power-loss.ts";

describe("a power failure during the first create", () => {
  it.each(Object.keys(policies).map((policy, row) => [policy, 1 + row] as const))(
    "on a disk that %s declares nothing twice, and forgets nothing",
    async (policy, first) => {
      const line = "create -f plain.yaml";
      const steps = { first, by: 5 };
      const given = { ...steps, line, incidents: 1, isFirst: true, clientIds: "ignore", policy } as const;
      const { doubles, failures } = await losePowerEverywhere(given);
      expect(doubles).toEqual([]);
      expect(failures).toBeGreaterThan(20);
    },
  );
});

describe("a create", () => {
  it.each([
    // The first one makes the folders of the journal and of the cache.
    ["id.yaml", "folder/1.yaml", 13, 4],
    ["plain.yaml", "batch-one.yaml", 13, 4],
  ])("of %s, then of %s, waits for the disk so often: %s, %s", async (one, other, first, later) => {
    const another = definitionYaml({ name: "Search fails" });
    const world = createWorld({ files: { ...files, "batch-one.yaml": another }, inMemory: true });
    const count = async (name: string) => {
      let syncs = 0;
      const wrapFiles = (real: Files): Files => ({
        ...real,
        fsyncSync(descriptor) {
          syncs += 1;
          real.fsyncSync(descriptor);
        },
      });
      expect((await world.run(`create -f ${name}`, { wrapFiles })).exitCode).toBe(0);
      return syncs;
    };
    expect([await count(one), await count(other)]).toEqual([first, later]);
  });
});
