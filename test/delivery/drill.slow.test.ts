// The drill, small and with a fixed seed; `npm run drill` is the same with a thousand runs for each service.
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../harness/incident.ts";
import { type DrillOptions, type Kind, kinds, renderTallies, runDrill, type Tally } from "./drill.ts";

const runs = Number(process.env.DRILL_RUNS ?? 1);
const from = Number(process.env.DRILL_FROM ?? 0);
const seed = Number(process.env.DRILL_SEED ?? 20_261_120);
const names = Object.keys(kinds) as Kind[];

async function drill(kind: Kind, more: Partial<DrillOptions> = {}): Promise<Tally> {
  return runDrill({ seed, from, runs, kind, folder: temporaryFolder(), journal: true, ...more });
}

describe("the drill", () => {
  it("makes no duplicate and loses nothing silently, whatever the service does with ids", {
    timeout: 0,
  }, async () => {
    const tallies: [Kind, Tally][] = [];
    const queue = [...names];
    const work = async () => {
      for (let kind = queue.shift(); kind !== undefined; kind = queue.shift())
        tallies.push([kind, await drill(kind)]);
    };
    await Promise.all(names.map(work));
    tallies.sort(([a], [b]) => names.indexOf(a) - names.indexOf(b));
    if (process.env.DRILL_RUNS) {
      const troubles = tallies.flatMap(([kind, tally]) =>
        tally.troubles.map((trouble) => `${kind}: ${trouble}\n`),
      );
      process.stdout.write(`\n${renderTallies(tallies)}\nseed ${seed}\n${troubles.join("")}\n`);
    }
    for (const [kind, tally] of tallies) {
      expect(tally.troubles, kind).toEqual([]);
      expect(tally, kind).toMatchObject({ runs, duplicates: 0, silentLosses: 0, stuck: 0 });
      expect(tally.settled + tally.uncertain, kind).toBe(runs);
    }
  });

  it("shows duplicates with the journal switched off: a drill that cannot fail proves nothing", {
    timeout: 0,
  }, async () => {
    let duplicates = 0;
    for (let run = from; duplicates === 0 && run < from + 50; run += 1)
      ({ duplicates } = await drill("ignores ids", { journal: false, from: run, runs: 1 }));
    expect(duplicates).toBeGreaterThan(0);
  });
});
