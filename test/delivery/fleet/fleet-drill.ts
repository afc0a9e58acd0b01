// A fleet under attack: processes with empty disks declare the same incident at the same time, share a journal over a
// link that fails, are killed at random moments, and run again until they know. Counts what became of every incident.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createSandbox } from "../../../src/sandbox/app.ts";
import { createFaults, type Faults, parseFault } from "../../../src/sandbox/faults.ts";
import { serveSandbox } from "../../../src/sandbox/server.ts";
import { access } from "../../harness/incident.ts";
import { createDice, type Dice } from "../dice.ts";
import { type Kind, kinds } from "../drill.ts";

const command = join(new URL("../../..", import.meta.url).pathname, "dist/incident.cjs");

/** A shared journal, and the link to it. */
export interface SharedJournal {
  /** For INCIDENT_CLI_JOURNAL. */
  readonly location: string;
  /** Makes the link fail soon, in a way that the dice choose. */
  disturb(dice: Dice): void;
  close(): Promise<void>;
}

export interface FleetDrillOptions {
  readonly seed: number;
  readonly runs: number;
  readonly processes: number;
  readonly kind: Kind;
  /** An empty folder. */
  readonly folder: string;
  readonly openJournal: (folder: string) => Promise<SharedJournal>;
}

export interface FleetTally {
  runs: number;
  kills: number;
  made: number;
  duplicates: number;
  silentLosses: number;
  settled: number;
  uncertain: number;
  readonly troubles: string[];
}

const faults = [
  "create#1:drop-after-commit",
  "create#1:503",
  "create#1-2:429=0s",
  "create#1:slow=200ms",
] as const;

export async function runFleetDrill(options: FleetDrillOptions): Promise<FleetTally> {
  const { folder, kind, processes, runs, seed } = options;
  const dice = createDice(seed);
  let current: Faults | undefined;
  const sandbox = createSandbox({
    ...access,
    ...kinds[kind],
    clock: {
      now: Date.now,
      sleep: (milliseconds, signal) =>
        delay(milliseconds, undefined, signal && { signal }).catch(() => undefined),
    },
    rateLimit: { requests: 1_000_000, seconds: 1 },
    random: { guid: () => crypto.randomUUID() },
    faults: { next: (operation) => current?.next(operation) },
  });
  const server = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 });
  mkdirSync(join(folder, "journal"));
  const journal = await options.openJournal(join(folder, "journal"));
  const tally: FleetTally = {
    runs,
    kills: 0,
    made: 0,
    duplicates: 0,
    silentLosses: 0,
    settled: 0,
    uncertain: 0,
    troubles: [],
  };
  for (let run = 0; run < runs; run += 1) {
    const home = join(folder, `run-${run}`);
    mkdirSync(home);
    const id = crypto.randomUUID();
    const name = `Fleet ${seed}-${run}`;
    writeFileSync(
      join(home, "x.yaml"),
      `id: ${id}\nname: ${name}\nseverity: MINOR\nservices: [{ name: S, id: ${id} }]\nincidentUpdates: [{ description: D }]\n`,
    );
    const args = ["create", "-f", join(home, "x.yaml"), "-o", "id", "--timeout", "2s", "--settle-for", "1s"];
    let machines = 0;
    /** On a machine that has run nothing before. */
    const start = () => {
      machines += 1;
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        INCIDENT_CLI_BASE_URL: server.url,
        INCIDENT_CLI_API_KEY: access.apiKey,
        INCIDENT_CLI_ACCOUNT_ID: access.accountId,
        INCIDENT_CLI_JOURNAL: journal.location,
        INCIDENT_CLI_STATE_DIR: join(home, `machine-${machines}`),
      };
      const child = spawn(process.execPath, [command, ...args], { env, stdio: "ignore" });
      return { child, ended: once(child, "close") as Promise<[number | null, string | null]> };
    };
    const fault = dice.roll() < 0.5 ? parseFault(dice.pick(faults)) : undefined;
    current = fault === undefined || "problem" in fault ? undefined : createFaults([fault], seed + run);
    const exitCodes = await Promise.all(
      Array.from({ length: processes }, async () => {
        const moment = dice.roll() * 6000;
        const isKilled = dice.roll() < 0.5;
        const { child, ended } = start();
        if (dice.roll() < 0.3) journal.disturb(dice);
        if (isKilled) {
          await Promise.race([delay(moment), ended]);
          if (child.kill("SIGKILL")) tally.kills += 1;
        }
        let [exitCode] = await ended;
        // A create that is uncertain stays so until a person decides.
        for (let again = 0; again < 6 && exitCode !== 0 && (exitCode !== 8 || again < 1); again += 1)
          [exitCode] = await start().ended;
        return exitCode;
      }),
    );
    const made = sandbox.incidents().filter((incident) => incident.name === name).length;
    const isUncertain = exitCodes.includes(8);
    const isKnown = exitCodes.every((exitCode) => exitCode === 0 || exitCode === 8);
    const isLost = (exitCodes.includes(0) && made === 0) || !isKnown;
    if (made > 1 || isLost) tally.troubles.push(`run ${run}: ${made} made, exits ${exitCodes.join(" ")}`);
    tally.made += made;
    tally.duplicates += Math.max(0, made - 1);
    if (isLost) tally.silentLosses += 1;
    if (isUncertain) tally.uncertain += 1;
    else tally.settled += 1;
    rmSync(home, { recursive: true });
  }
  await journal.close();
  await server.close();
  return tally;
}
