// The exactly-once promise under attack: real client processes that are killed and stopped at random moments,
// against services that lose answers, fail before and after the commit, and do different things with ids; then
// the same command again until it knows. Counts the outcome of every intended incident.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { createSandbox } from "../../src/sandbox/app.ts";
import type { Faults } from "../../src/sandbox/faults.ts";
import { serveSandbox } from "../../src/sandbox/server.ts";
import { command, node } from "../built/program.ts";
import { access, machineClock } from "../harness/incident.ts";
import { faultsOf } from "../sandbox/test-sandbox.ts";
import { createDice } from "./dice.ts";
import { startTunnel } from "./tunnel.ts";

/** What a service does with the id of a create. */
export const kinds = {
  "honours ids, refuses a second": { clientIds: "honour", onDuplicateId: "conflict" },
  "honours ids, replaces the first": { clientIds: "honour", onDuplicateId: "upsert" },
  "honours ids, keeps both": { clientIds: "honour", onDuplicateId: "create-again" },
  "ignores ids": { clientIds: "ignore", onDuplicateId: "conflict" },
  "refuses ids": { clientIds: "reject", onDuplicateId: "conflict" },
} as const;
export type Kind = keyof typeof kinds;

export const faults = [
  "create#1:drop-before-commit",
  "create#1:drop-after-commit",
  "create#1:error-after-commit",
  "create#1:502",
  "create#1:503",
  "create#1:slow-commit=150ms",
  "create#1:no-answer",
  "create#1:truncated",
  "create#1:html",
  "create#1-2:429=0s",
  "create#1:slow=100ms",
  "get#1-2:503",
  "get#1:drop-before-commit",
] as const;

/** A create that no fault meets takes as long as one at a real service, so that many deaths fall into the sending. */
const latency = "create:slow=120ms";

/** A death in flight happens at most so many milliseconds after the request arrived. */
const inFlight = 160;

/** How often a create is run again at most. */
const longestRow = 30;

/** What became of the incidents of one kind of service. */
export interface Tally {
  runs: number;
  /** The runs that send what a preview showed, with its digest: every second one. */
  confirmed: number;
  /** The process died or stood still between its marker and the record of the answer. */
  hitTheSend: number;
  made: number;
  duplicates: number;
  /** The last run said that it is declared, and it is not; or that nothing was created, and it was. */
  silentLosses: number;
  /** The last run knew that it is declared. */
  settled: number;
  /** The last run said that it does not know. */
  uncertain: number;
  /** Uncertain after the longest row of runs, although the incident is there and the service honours ids. */
  stuck: number;
  /** The runs that broke the promise, with their events. */
  readonly troubles: string[];
}

export interface DrillOptions {
  readonly seed: number;
  /** The number of the first run. A run depends on the seed and its number alone, so that it can be repeated. */
  readonly from: number;
  readonly runs: number;
  readonly kind: Kind;
  /** An empty folder. */
  readonly folder: string;
  /** Without one, the service has no list either: a look at it would find what an earlier run declared. */
  readonly journal: boolean;
}

export async function runDrill(options: DrillOptions): Promise<Tally> {
  const { seed, from, runs, kind, folder, journal } = options;
  let current: Faults | undefined;
  let onCreate = () => {};
  const random = { guid: () => crypto.randomUUID(), fraction: Math.random };
  const sandbox = createSandbox({
    ...access,
    ...kinds[kind],
    onlySpec: !journal,
    clock: machineClock,
    rateLimit: { requests: 1_000_000, seconds: 1 },
    random,
    faults: {
      next: (operation) => {
        if (operation === "create") onCreate();
        return current?.next(operation);
      },
    },
  });
  const server = await serveSandbox(sandbox);
  const tunnel = await startTunnel(Number(new URL(server.url).port), folder);
  const tally: Tally = {
    runs,
    confirmed: 0,
    hitTheSend: 0,
    made: 0,
    duplicates: 0,
    silentLosses: 0,
    settled: 0,
    uncertain: 0,
    stuck: 0,
    troubles: [],
  };
  let length = 250;

  for (let run = from; run < from + runs; run += 1) {
    const dice = createDice(seed * 1_000_003 + run);
    const home = join(folder, `run-${run}`);
    mkdirSync(home, { recursive: true });
    const state = join(home, "state");
    const name = `Drill ${seed}-${run}`;
    const mode = dice.pick(["id", "key", "content"] as const);
    const id = crypto.randomUUID();
    writeFileSync(
      join(home, "x.yaml"),
      `${mode === "id" ? `id: ${id}\n` : ""}name: ${name}\nseverity: MINOR\nservices: [{ name: S, id: ${id} }]\nincidentUpdates: [{ description: D }]\n`,
    );
    const args = ["create", "-f", join(home, "x.yaml"), "--timeout", "500ms", "--settle-for", "400ms"];
    if (mode === "key") args.push("--key", name);
    if (!journal) args.push("--no-journal");
    const way = dice.roll() < 0.2 ? tunnel.env : { INCIDENT_CLI_BASE_URL: server.url };
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      // The code cache, which holds nothing of any incident.
      XDG_CACHE_HOME: join(folder, "cache"),
      INCIDENT_CLI_API_KEY: access.apiKey,
      INCIDENT_CLI_ACCOUNT_ID: access.accountId,
      INCIDENT_CLI_STATE_DIR: state,
      ...way,
    };
    // Without a journal, a confirmation is refused.
    const isConfirmed = journal && run % 2 === 1;
    if (isConfirmed) {
      const preview = [command, ...args, "--dry-run"];
      const { stdout } = await execa(node, [...preview, "-o", "json"], { env, extendEnv: false });
      const [{ command: words, confirm }] = [JSON.parse(stdout)].flat();
      const isKeyed = mode === "content" && words.includes("--key");
      if (isKeyed) args.push("--key", words[words.indexOf("--key") + 1]);
      args.push("--confirm", confirm);
      tally.confirmed += 1;
    }
    args.push("-o", "id");
    const start = () => {
      const child = spawn(node, [command, ...args], { env, stdio: "ignore" });
      return { child, ended: once(child, "close") as Promise<[number | null, string | null]> };
    };

    const fault = dice.roll() < 0.7 ? dice.pick(faults) : undefined;
    const specs = fault === undefined ? [latency] : [fault, latency];
    current = faultsOf(specs);
    const chosen = dice.pick(["none", "kill", "kill", "kill", "stop", "both"] as const);
    // Two that start at different times and have no id or key may well mean two incidents.
    const isNamed = mode !== "content" || isConfirmed;
    const fate = chosen === "both" && !isNamed ? "kill" : chosen;
    // Half of the deaths wait until the service has the request: they fall between the marker and the record.
    const isInFlight = dice.roll() < 0.5;
    const moment = dice.roll() * (isInFlight ? inFlight : length * 1.2);
    const arrival = new Promise<void>((resolve) => {
      onCreate = resolve;
    });
    const before = performance.now();
    const first = start();
    const second = fate === "both" ? start() : undefined;
    if (fate === "kill" || fate === "stop") {
      await Promise.race([isInFlight ? arrival.then(() => delay(moment)) : delay(moment), first.ended]);
      first.child.kill(fate === "kill" ? "SIGKILL" : "SIGSTOP");
      if (fate === "kill") await first.ended;
      if (lastEvent(join(state, "journal")) === "sending") tally.hitTheSend += 1;
    } else {
      await first.ended;
      await second?.ended;
      // What a create takes here and now, so that the next moments fall into it.
      if (fate === "none" && fault === undefined) length = 0.7 * length + 0.3 * (performance.now() - before);
    }

    const countMade = () => sandbox.incidents().filter((incident) => incident.name === name).length;
    let isLost = false;
    const runAgain = async () => {
      const [code] = await start().ended;
      if (code === 7 && countMade() > 0) isLost = true;
      return code;
    };
    let exitCode = await runAgain();
    if (fate === "stop") {
      first.child.kill("SIGCONT");
      await first.ended;
    }
    const canFind = () => countMade() > 0 && kinds[kind].clientIds === "honour";
    // 7 says that nothing was created, and that it is safe to run again: also many times, on a loaded machine. So is 8
    // where the service can find the incident by its id: a look can end before a slow machine has the answer.
    for (let again = 0; again < longestRow && exitCode !== 0; again += 1) {
      if (exitCode === 8 && again > 0) await delay(200);
      exitCode = await runAgain();
      if (exitCode === 8 && again > 1 && !canFind()) break;
    }

    const made = countMade();
    if ((exitCode === 0 && made === 0) || (exitCode !== 0 && exitCode !== 8 && made > 0)) isLost = true;
    const isStuck = exitCode === 8 && canFind();
    if (made > 1 || isLost || isStuck) {
      const what = `${mode}${isConfirmed ? ", confirmed" : ""}, ${fate} at ${Math.round(moment)} ms${isInFlight ? " of the request" : ""}, ${specs.join(", ")}`;
      tally.troubles.push(`run ${run}: ${made} made, exit ${exitCode}: ${what}`);
    }
    tally.made += made;
    tally.duplicates += Math.max(0, made - 1);
    if (exitCode === 0) tally.settled += 1;
    if (exitCode === 8) tally.uncertain += 1;
    if (isLost) tally.silentLosses += 1;
    if (isStuck) tally.stuck += 1;
    if (exitCode !== 0 && exitCode !== 8)
      throw new Error(`run ${run} of seed ${seed} ended with ${exitCode}`);
    rmSync(home, { recursive: true });
  }
  await tunnel.stop();
  await server.close();
  return tally;
}

/** The type of the last event of the journal; undefined where there is none, or it cannot be read. */
function lastEvent(folder: string): string | undefined {
  try {
    const [last] = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .slice(-1);
    return last && JSON.parse(readFileSync(join(folder, last), "utf8")).events.at(-1).event.type;
  } catch {
    return undefined;
  }
}

export function renderTallies(tallies: readonly (readonly [string, Tally])[]): string {
  const columns = [
    ["runs", "runs"],
    ["confirmed", "confirmed"],
    ["hitTheSend", "hit the send"],
    ["made", "made"],
    ["duplicates", "duplicates"],
    ["silentLosses", "silent losses"],
    ["settled", "settled"],
    ["uncertain", "uncertain"],
    ["stuck", "stuck"],
  ] as const;
  const width = Math.max(...tallies.map(([name]) => name.length));
  const lines = tallies.map(([name, tally]) =>
    [name.padEnd(width), ...columns.map(([key, title]) => String(tally[key]).padStart(title.length))].join(
      "  ",
    ),
  );
  return [["service".padEnd(width), ...columns.map(([, title]) => title)].join("  "), ...lines].join("\n");
}
