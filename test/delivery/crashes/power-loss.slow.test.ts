// Power failures during creates and applies on files that lose what was not synced, the first ones of a machine
// and later ones, at services that keep ids and that ignore them; and how often a create waits for the disk. Each pair of
// these is tested, at every sixteenth step, and all together at each; CASES=all tests each combination at each step.
import { describe, expect, it } from "vitest";
import type { Files } from "../../../src/platform/context.ts";
import { definitionYaml } from "../../harness/builders.ts";
import { isComplete } from "../../harness/cases.ts";
import { createWorld } from "../../harness/incident.ts";
import { files } from "./crash.ts";
import { losePowerEverywhere, policies } from "./power-loss.ts";

const lines = [
  ["create -f id.yaml", 1],
  ["create -f plain.yaml", 1],
  ["create -f batch.yaml", 2],
  ["apply -f folder --yes", 3],
] as const;

const worlds = (["ignore", "honour"] as const).flatMap((clientIds) =>
  [true, false].map((isFirst) => ({ clientIds, isFirst })),
);

const cases = Object.keys(policies).flatMap((policy, row) =>
  lines.flatMap(([line, incidents], column) =>
    worlds
      .filter((_, at) => isComplete || at === (row + column) % worlds.length)
      .map((world) => ({
        ...world,
        policy,
        line,
        incidents,
        ...(!isComplete && { first: 1 + ((4 * row + 3 * column) % 16), by: 16 }),
      })),
  ),
);

describe("a power failure", () => {
  it.each(
    cases.map(
      (each) => [`${each.line}, ${each.isFirst ? "first" : "later"}, ids: ${each.clientIds}`, each] as const,
    ),
  )("declares nothing twice, and forgets nothing: %s, %j", async (_, given) => {
    const { doubles, failures } = await losePowerEverywhere(given);
    expect(doubles).toEqual([]);
    expect(failures).toBeGreaterThan(15);
  });
});

describe("a create", () => {
  it.each([
    // The first one makes the folders of the journal. The cache waits for nothing.
    ["id.yaml", "folder/1.yaml", 10, 4],
    ["plain.yaml", "batch-one.yaml", 10, 4],
  ])("of %s, then of %s, waits for the disk so often: %s, %s", async (one, other, first, later) => {
    const another = definitionYaml({ name: "Search fails" });
    const world = createWorld({ files: { ...files, "batch-one.yaml": another }, isFirstOfDay: true });
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
