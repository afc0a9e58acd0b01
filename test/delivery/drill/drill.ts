// The exactly-once promise under attack: processes declare the same incident at the same time, on one machine or on several
// with empty disks and a shared journal, over a link that fails, at services that lose answers and do different things with
// ids. They are killed at random moments, and run again until they know. Counts what became of every incident.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createDice, type Dice } from "../dice.ts";
import { type Disturbance, type DrillStore, pickDisturbance } from "./journals.ts";
import { createMachines, type Machine } from "./machines.ts";
import { faults, type Kind, kinds, openService } from "./service.ts";

export interface DrillOptions {
  readonly seed: number;
  /** The number of the first run: a run depends on the seed and its number alone. */
  readonly from: number;
  readonly runs: number;
  readonly processes: number;
  readonly kind: Kind;
  /** An empty folder. */
  readonly folder: string;
  readonly store: DrillStore;
}

/** What became of the incidents of one kind of service. */
export interface Tally {
  kills: number;
  duplicates: number;
  /** The last run knew that it is declared. */
  settled: number;
  /** The last run said that it does not know. */
  uncertain: number;
  /** The runs that broke the promise: with a duplicate, with an incident that is told and not there, or without an end. */
  readonly troubles: string[];
}

/** When a process of the first wave is killed. */
type Death =
  | { readonly at: "never" }
  /** As a part of the time that a create takes. */
  | { readonly at: "time"; readonly part: number }
  /** After the service got a create. */
  | { readonly at: "send"; readonly milliseconds: number };

interface RunPlan {
  readonly id: string;
  readonly mode: "id" | "key" | "alert" | "content";
  readonly fault: string | undefined;
  readonly deaths: readonly Death[];
  /** Milliseconds after which all processes die once the service got a create. */
  readonly powerFailure: number | undefined;
  readonly disturbances: readonly {
    readonly part: number;
    readonly milliseconds: number;
    readonly disturbance: Disturbance;
  }[];
}

/** Milliseconds that the service takes for a create, so that many deaths fall into it. */
const latency = 250;

const atOnce = 2;

/** How often a process runs again at most while the link fails, and after that. */
const longestRow = { disturbed: 6, mended: 30 } as const;

function planRun(dice: Dice, processes: number): RunPlan {
  const digits = Array.from({ length: 12 }, () => dice.below(16).toString(16)).join("");
  const list = <T>(length: number, each: () => T) => Array.from({ length }, each);
  return {
    id: `0f1ee700-0000-4000-8000-${digits}`,
    // Two that start at different times and have no id or key may well mean two incidents.
    mode: dice.pick(["id", "key", "alert", processes === 1 ? "content" : "id"]),
    fault: dice.roll() < 0.6 ? dice.pick(faults) : undefined,
    deaths: list(processes, () => {
      const at = dice.pick(["never", "time", "send"] as const);
      if (at === "time") return { at, part: dice.roll() * 1.2 };
      return at === "send" ? { at, milliseconds: dice.roll() * latency * 1.2 } : { at };
    }),
    powerFailure: dice.roll() < 0.4 ? dice.roll() * latency : undefined,
    disturbances: list(dice.below(4), () => ({
      part: dice.roll() * 1.2,
      milliseconds: 50 + dice.roll() * 500,
      disturbance: pickDisturbance(dice),
    })),
  };
}

export async function runDrill(options: DrillOptions): Promise<Tally> {
  const { from, processes, runs } = options;
  const tally: Tally = { kills: 0, duplicates: 0, settled: 0, uncertain: 0, troubles: [] };
  let next = from;
  /** Milliseconds that a create takes here and now. */
  const span = { milliseconds: processes === 1 ? 400 : 1500 };
  const work = async () => {
    while (next < from + runs) await makeRun(options, next++, span, tally);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return tally;
}

async function makeRun(
  { folder, kind, processes, seed, store }: DrillOptions,
  run: number,
  span: { milliseconds: number },
  tally: Tally,
): Promise<void> {
  const dice = createDice(seed ^ Math.imul(run + 1, 0x9e3779b1));
  const { deaths, disturbances, fault, id, mode, powerFailure } = planRun(dice, processes);
  const label = `${Object.keys(kinds).indexOf(kind)}-${seed}-${run}`;
  const home = join(folder, `run-${label}`);
  mkdirSync(join(home, "journal"), { recursive: true });
  const journal = await store.open(join(home, "journal"), `run-${label}`);
  const service = await openService({ kind, hasList: journal.hasList, latency, fault });
  const name = `Drill ${label}`;
  const start = createMachines({ ...journal, home, id, name, mode, baseUrl: service.url });
  const exits: Awaited<Machine["ended"]>[] = [];
  const kill = (machine: Machine) => {
    if (machine.kill()) tally.kills += 1;
  };
  let isOver = false;

  void service.created.then(async () => {
    if (powerFailure === undefined) return;
    await delay(powerFailure);
    if (!isOver) for (const machine of start.all()) kill(machine);
  });

  const disturbing = disturbances.map(async ({ disturbance, milliseconds, part }) => {
    await delay(part * span.milliseconds);
    if (isOver || journal.link === undefined) return;
    journal.link.disturb(disturbance);
    await delay(milliseconds);
    journal.link.mend();
  });
  await Promise.all(
    deaths.map(async (death) => {
      const before = performance.now();
      const machine = start();
      const moment = death.at === "time" ? delay(death.part * span.milliseconds) : service.created;
      if (death.at !== "never") {
        const isDue = moment.then(() => (death.at === "send" ? delay(death.milliseconds) : undefined));
        await Promise.race([isDue, machine.ended]);
        kill(machine);
      }
      let exit = await machine.ended;
      if (death.at === "never" && exit.code === 0)
        span.milliseconds = 0.8 * span.milliseconds + 0.2 * (performance.now() - before);
      // A create that is uncertain stays so until a person decides.
      for (let row = 0; row < longestRow.disturbed && exit.code !== 0 && exit.code !== 8; row += 1)
        exit = await start().ended;
      exits.push(exit);
    }),
  );
  isOver = true;
  await Promise.all(disturbing);
  let last = await start().ended;
  for (let row = 0; row < longestRow.mended && last.code !== 0; row += 1) {
    if (last.code === 8 && row >= 2) break;
    await delay(200);
    last = await start().ended;
  }
  exits.push(last);

  const made = service.made(name);
  const isLost = exits.some(({ code, stdout }) => code === 0 && !made.includes(stdout.trim()));
  const isUnknown = last.code === 8 && made.length > 0 && kinds[kind].clientIds === "honour";
  const isStuck = isUnknown || (last.code !== 0 && last.code !== 8) || start.isStuck();
  if (made.length > 1 || isLost || isStuck) {
    const said = exits.map(({ code, reason, stderr }) =>
      code === 0 ? code : `${code ?? reason} (${/^error: .*/m.exec(stderr) ?? ""})`,
    );
    const failing = disturbances.map(({ disturbance }) => JSON.stringify(disturbance)).join(" ");
    tally.troubles.push(
      `run ${run}: ${made.length} made, exits ${said.join(" ")}; ${mode}, fault ${fault}, link ${failing}`,
    );
  }
  tally.duplicates += Math.max(0, made.length - 1);
  if (last.code === 0) tally.settled += 1;
  if (last.code === 8) tally.uncertain += 1;
  await journal.close();
  await service.close();
  rmSync(home, { recursive: true, force: true });
}
