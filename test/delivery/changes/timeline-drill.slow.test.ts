// Timelines of five updates under attack: `incident apply` is killed while its requests are on the way, answers are lost,
// and it runs again until it knows, at services that keep and that replace ids. No update is there twice, and all stand in
// the order of the file. `npm run drill` makes five hundred.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { incidentFacts } from "../../../src/incident/wire.ts";
import { createSandbox } from "../../../src/sandbox/app.ts";
import type { Faults } from "../../../src/sandbox/faults.ts";
import { serveSandbox } from "../../../src/sandbox/server.ts";
import { command, node } from "../../built/program.ts";
import { access, machineClock, temporaryFolder } from "../../harness/incident.ts";
import { faultsOf } from "../../sandbox/test-sandbox.ts";
import { createDice } from "../dice.ts";

/** Of both services together: each sends six requests, so that a long drill has fewer than of creates. */
const timelines = process.env.DRILL_RUNS === undefined ? 2 : Math.ceil(Number(process.env.DRILL_RUNS) / 2);
const seed = Number(process.env.DRILL_SEED ?? 20_261_124);
const from = Number(process.env.DRILL_FROM ?? 0);

/** The fourth has the text of the second. */
const updates = [
  "IDENTIFIED: We know the cause.",
  "MONITORING: We are watching it.",
  "IDENTIFIED: It is back.",
  "MONITORING: We are watching it.",
  "RESOLVED: It is over.",
];
const first = "INVESTIGATING: We are looking into it.";

const endings = [
  "drop-after-commit",
  "drop-before-commit",
  "error-after-commit",
  "slow-commit=150ms",
  "truncated",
  "503",
] as const;

/** The timelines at the same time at each service, because a timeline waits for most of its time. */
const lanes = 3;

/** The longest row of runs of one timeline. */
const longestRow = 12;

async function drill(ids: "honour" | "ignore") {
  const tally = {
    ...{ timelines: 0, processes: 0, killed: 0, lost: 0, posted: 0 },
    ...{ duplicates: 0, disorder: 0, silentLosses: 0, settledByPerson: 0 },
  };
  const troubles: string[] = [];
  const cache = temporaryFolder();
  const work = async (lane: number) => {
    let current: Faults | undefined;
    let onChange = () => {};
    const random = { guid: () => crypto.randomUUID(), fraction: Math.random };
    const sandbox = createSandbox({
      ...access,
      clientIds: ids,
      updateIds: ids,
      onlySpec: false,
      clock: machineClock,
      rateLimit: { requests: 1_000_000, seconds: 1 },
      random,
      faults: {
        next: (operation) => {
          if (operation === "create" || operation === "update") onChange();
          return current?.next(operation);
        },
      },
    });
    const server = await serveSandbox(sandbox);
    for (let run = from + lane; run < from + timelines / 2; run += lanes) {
      // A run depends on the seed and its number alone.
      const dice = createDice(seed * 1_000_003 + run);
      const home = temporaryFolder();
      const state = join(home, "state");
      const id = crypto.randomUUID();
      const name = `Timeline ${seed}-${run}`;
      const write = (count: number) => {
        const entries = [first, ...updates.slice(0, count)].map((text) => {
          const [status, description] = text.split(": ");
          return `  - { status: ${status}, description: ${description} }\n`;
        });
        const text = `id: ${id}\nname: ${name}\nseverity: MINOR\nservices: [{ name: S, id: ${id} }]\nincidentUpdates:\n`;
        writeFileSync(join(home, "x.yaml"), text + entries.join(""));
      };
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        XDG_CACHE_HOME: cache,
        INCIDENT_CLI_BASE_URL: server.url,
        INCIDENT_CLI_API_KEY: access.apiKey,
        INCIDENT_CLI_ACCOUNT_ID: access.accountId,
        INCIDENT_CLI_STATE_DIR: state,
      };
      const start = (...args: string[]) => {
        const child = spawn(node, [command, ...args], { env, stdio: ["ignore", "pipe", "ignore"] });
        let stdout = "";
        child.stdout.on("data", (chunk) => {
          stdout += chunk;
        });
        tally.processes += 1;
        return { child, ended: once(child, "close").then(([exitCode]) => ({ exitCode, stdout })) };
      };
      const waits = ["--timeout", "10s", "--settle-for", "1s"];
      const apply = () => start("apply", "-f", home, "--yes", ...waits, "-o", "json");
      const declared = () => sandbox.incidents().filter((incident) => incident.name === name);
      const shown = () =>
        declared()
          .flatMap((incident) => incidentFacts({ ...incident }).updates)
          .map(({ description, status }) => `${status}: ${description}`);

      /**
       * A person looks at the status page: each update that the journal knows is there, and perhaps one more. The service
       * may have given the incident another id.
       */
      const settle = async () => {
        const { stdout } = await start("journal", "list", "-o", "json").ended;
        const entries = JSON.parse(stdout) as { id: string; state: string }[];
        const known = entries.filter(({ state }) => state === "created").length;
        for (const { id: operation, state } of entries) {
          if (state !== "sending" && state !== "uncertain") continue;
          const isThere = shown().length > known;
          const own = operation === id ? declared().flatMap((each) => ["--service-id", each.id]) : [];
          const answer = isThere ? ["--created", ...own] : ["--not-created"];
          await start("journal", "settle", operation, ...answer, "--yes").ended;
          tally.settledByPerson += 1;
        }
      };

      let exitCode = 0;
      // The file has two updates, and later all.
      for (const count of [2, updates.length]) {
        write(count);
        const place = 1 + dice.below(count);
        const isLost = dice.roll() < 0.6;
        const fault = `update#${place}:${dice.pick(endings)}`;
        if (isLost) tally.lost += 1;
        current = faultsOf([...(isLost ? [fault] : []), "update:slow=20ms"]);
        const { child, ended } = apply();
        if (dice.roll() < 0.6) {
          // While this request is on the way, or a moment later.
          const chosen = 1 + dice.below(count);
          const later = dice.roll() * 60;
          let seen = 0;
          const arrival = new Promise<void>((resolve) => {
            onChange = () => {
              seen += 1;
              if (seen === chosen) resolve();
            };
          });
          await Promise.race([arrival.then(() => delay(later)), ended]);
          if (child.kill("SIGKILL")) tally.killed += 1;
        }
        ({ exitCode } = await ended);
        onChange = () => {};
        for (let again = 0; again < longestRow && exitCode !== 0; again += 1) {
          if (exitCode === 8 && again > 1) await settle();
          ({ exitCode } = await apply().ended);
        }
        current = undefined;
      }
      const there = shown();
      const expected = [first, ...updates];
      const more = (text: string) =>
        there.filter((each) => each === text).length - expected.filter((each) => each === text).length;
      const doubles = [...new Set(there)].reduce((sum, text) => sum + Math.max(0, more(text)), 0);
      tally.timelines += 1;
      tally.posted += there.length;
      tally.duplicates += doubles;
      if (exitCode === 0 && there.length < expected.length) tally.silentLosses += 1;
      if (doubles === 0 && there.join() !== expected.join()) tally.disorder += 1;
      if (exitCode !== 0 || there.join() !== expected.join())
        troubles.push(`run ${run}, exit ${exitCode}: ${there.join(" | ")}`);
      rmSync(home, { recursive: true });
    }
    await server.close();
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
  if (process.env.DRILL_RUNS) process.stdout.write(`\ntimelines, ids ${ids}d: ${JSON.stringify(tally)}\n`);
  return { tally, troubles };
}

const title =
  "posts every update of a timeline once and in order, where ids are kept and where they are replaced";
it(title, { timeout: 0 }, async () => {
  for (const { tally, troubles } of await Promise.all([drill("honour"), drill("ignore")])) {
    expect(troubles).toEqual([]);
    expect(tally).toMatchObject({ duplicates: 0, disorder: 0, silentLosses: 0 });
    expect(tally.posted).toBe((updates.length + 1) * tally.timelines);
  }
});
