// The drill of a fleet, small, with a fixed seed and a kind of service for each journal. `FLEET_RUNS` makes it long, with
// 8 processes and every kind; `FLEET_FROM` is the first run; `FLEET_STORES` and `FLEET_KINDS` are regular expressions;
// `FLEET_LANES` is the number of simultaneous runs.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing, type Program } from "../../harness/programs.ts";
import { type Kind, kinds } from "../drill.ts";
import { type FleetTally, runFleetDrill } from "./fleet-drill.ts";
import { type FleetStore, type StoreName, stores } from "./journals.ts";

const { env } = process;
const runs = Number(env.FLEET_RUNS ?? 1);
const from = Number(env.FLEET_FROM ?? 0);
const lanes = Number(env.FLEET_LANES ?? 2);
const seed = Number(env.DRILL_SEED ?? 20_261_122);
const processes = Number(env.FLEET_PROCESSES ?? (env.FLEET_RUNS === undefined ? 4 : 8));
const chosen = <T extends string>(names: readonly T[], pattern = ""): readonly T[] =>
  names.filter((name) => new RegExp(pattern).test(name));
const allKinds = Object.keys(kinds) as Kind[];

const shared = { git: "git", postgres: "initdb" } as const satisfies Partial<Record<StoreName, Program>>;
const chosenStores = chosen(Object.keys(shared) as (keyof typeof shared)[], env.FLEET_STORES);
const smallKinds = { git: "ignores ids", postgres: "keeps both" } as const;

async function drill(name: StoreName, kind: Kind, store: FleetStore, count = runs): Promise<FleetTally> {
  const folder = temporaryFolder();
  const tally = await runFleetDrill({
    seed,
    from,
    runs: count,
    lanes,
    processes,
    kind,
    folder,
    store,
  });
  if (env.FLEET_RUNS !== undefined)
    process.stdout.write(`fleet ${JSON.stringify({ store: name, kind, seed, from, ...tally })}\n`);
  return tally;
}

describe.each(chosenStores)("a fleet that shares a journal in %s", (name) => {
  const isSkipped = isMissing(shared[name]);
  let store: FleetStore;
  beforeAll(async () => {
    if (!isSkipped) store = await stores[name]();
  });
  afterAll(() => store?.close());

  const pattern = env.FLEET_KINDS ?? (env.FLEET_RUNS ? "" : smallKinds[name]);
  it.skipIf(isSkipped).each(chosen(allKinds, pattern))(
    "declares each incident at most once, and loses none silently: %s",
    { timeout: 0 },
    async (kind) => {
      const tally = await drill(name, kind, store);
      expect(tally.troubles).toEqual([]);
      expect(tally).toMatchObject({ runs, duplicates: 0, silentLosses: 0, stuck: 0 });
      expect(tally.settled + tally.uncertain).toBe(runs);
    },
  );
});

const control = "folder of each machine";

describe.runIf(chosen([control], env.FLEET_STORES).length > 0)("a fleet that shares no journal", () => {
  it("shows duplicates: a drill that cannot fail proves nothing", { timeout: 0 }, async () => {
    const { duplicates } = await drill(control, "ignores ids", await stores[control](), Math.min(runs, 20));
    expect(duplicates).toBeGreaterThan(0);
  });
});
