// The drill, small and with a fixed seed. DRILL_RUNS makes it long, with 8 processes for a shared journal and every kind of
// service; DRILL_FROM is the first run; DRILL_STORES is a regular expression.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing, type Program } from "../../harness/programs.ts";
import { runDrill, type Tally } from "./drill.ts";
import { type DrillStore, type StoreName, stores } from "./journals.ts";
import { type Kind, kinds } from "./service.ts";

const { env } = process;
const runs = Number(env.DRILL_RUNS ?? 1);
const seed = Number(env.DRILL_SEED ?? 20_261_122);
const isLong = env.DRILL_RUNS !== undefined;
/** Of the first ten, the one with most: an answer lost after the create, three deaths, and a push without an answer. */
const small = 9;
const from = Number(env.DRILL_FROM ?? (isLong ? 0 : small));
const isChosen = (name: string, pattern = "") => new RegExp(pattern).test(name);

/** What each journal needs, and the kinds of services of a short drill. */
const needs = {
  "one machine": [undefined, "keeps both|ignores ids"],
  git: ["git", "ignores ids"],
  postgres: ["initdb", "keeps both"],
} as const satisfies Partial<Record<StoreName, readonly [Program | undefined, kinds: string]>>;
const names = Object.keys(needs) as (keyof typeof needs)[];

async function drill(name: StoreName, kind: Kind, store: DrillStore): Promise<Tally> {
  const processes = name === "one machine" ? 1 : isLong ? 8 : 3;
  const tally = await runDrill({ seed, from, runs, processes, kind, folder: temporaryFolder(), store });
  if (isLong)
    process.stdout.write(`drill ${JSON.stringify({ store: name, kind, seed, from, runs, ...tally })}\n`);
  return tally;
}

describe.each(names.filter((name) => isChosen(name, env.DRILL_STORES)))("with a journal in %s", (name) => {
  const [program, smallKinds] = needs[name];
  const isSkipped = program !== undefined && isMissing(program);
  let store: DrillStore;
  beforeAll(async () => {
    if (!isSkipped) store = await stores[name]();
  });
  afterAll(() => store?.close());

  const chosen = (Object.keys(kinds) as Kind[]).filter((kind) => isLong || isChosen(kind, smallKinds));
  it.skipIf(isSkipped).each(chosen)(
    "declares each incident at most once, and loses none silently: %s",
    { timeout: 0 },
    async (kind) => {
      const tally = await drill(name, kind, store);
      expect(tally.troubles).toEqual([]);
      expect(tally.settled + tally.uncertain).toBe(runs);
    },
  );
});

const control = "folder of each machine";

describe.runIf(isLong && isChosen(control, env.DRILL_STORES))("machines that share no journal", () => {
  it("shows duplicates: a drill that cannot fail proves nothing", { timeout: 0 }, async () => {
    expect((await drill(control, "ignores ids", await stores[control]())).duplicates).toBeGreaterThan(0);
  });
});
