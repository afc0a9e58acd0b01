// `incident apply` killed at random moments and run again until it is done: every definition exactly once where
// the service honours ids; where it ignores them no duplicate, and unknown outcomes are named.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/app.ts";
import type { Faults } from "../../src/sandbox/faults.ts";
import { serveSandbox } from "../../src/sandbox/server.ts";
import { command, node } from "../built/program.ts";
import { access, machineClock, temporaryFolder } from "../harness/incident.ts";
import { randomFaults } from "../sandbox/test-sandbox.ts";
import { createDice } from "./dice.ts";

const runs = Number(process.env.DRILL_RUNS ?? 1);
const from = Number(process.env.DRILL_FROM ?? 0);
const seed = Number(process.env.DRILL_SEED ?? 20_261_120);
const definitions = 20;

/** The runs at the same time, because a run waits for most of its time. */
const lanes = 4;

const faults = [
  "create%10:drop-after-commit",
  "create%10:drop-before-commit",
  "create%10:error-after-commit",
  "create%10:slow-commit=100ms",
  "get%20:503",
  "create#3:429=0s",
];

const random = { guid: () => crypto.randomUUID(), fraction: Math.random };

async function drill(clientIds: "honour" | "ignore") {
  const tally = { definitions: 0, kills: 0, made: 0, duplicates: 0, settled: 0, uncertain: 0, unnamed: 0 };
  const cache = temporaryFolder();
  const makeRun = async (run: number) => {
    // A run depends on the seed and its number alone.
    const dice = createDice(seed * 1_000_003 + run);
    let current: Faults | undefined;
    const sandbox = createSandbox({
      ...access,
      clientIds,
      clock: machineClock,
      rateLimit: { requests: 1_000_000, seconds: 1 },
      random,
      faults: { next: (operation) => current?.next(operation) },
    });
    const server = await serveSandbox(sandbox);
    const home = temporaryFolder();
    const state = join(home, "state");
    mkdirSync(join(home, "all"));
    const ids = Array.from({ length: definitions }, () => crypto.randomUUID());
    for (const [index, id] of ids.entries()) {
      const text = `id: ${id}\nname: Run ${run}, incident ${index}\nseverity: MINOR\nservices: [{ name: S, id: ${id} }]\nincidentUpdates: [{ description: D }]\n`;
      writeFileSync(join(home, `all/${index}.yaml`), text);
    }
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      // The code cache, which holds nothing of any incident.
      XDG_CACHE_HOME: cache,
      INCIDENT_CLI_BASE_URL: server.url,
      INCIDENT_CLI_API_KEY: access.apiKey,
      INCIDENT_CLI_ACCOUNT_ID: access.accountId,
      INCIDENT_CLI_STATE_DIR: state,
    };
    const args = [
      "apply",
      "-f",
      join(home, "all"),
      "--yes",
      "--timeout",
      "500ms",
      "--settle-for",
      "400ms",
      "-o",
      "json",
    ];
    const start = () => {
      const child = spawn(node, [command, ...args], { env, stdio: ["ignore", "pipe", "ignore"] });
      let stdout = "";
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
      });
      return { child, ended: once(child, "close").then(([exitCode]) => ({ exitCode, stdout })) };
    };
    current = randomFaults([dice.pick(faults)], seed + run);
    for (let kill = 0; kill < 3; kill += 1) {
      const { child, ended } = start();
      await Promise.race([delay(60 + dice.roll() * 250), ended]);
      if (child.kill("SIGKILL")) tally.kills += 1;
      await ended;
    }
    current = undefined;
    await delay(150);
    let last = await start().ended;
    for (let again = 0; again < 3 && last.exitCode !== 0 && last.exitCode !== 8; again += 1)
      last = await start().ended;

    const results: { name: string; result: string }[] = JSON.parse(last.stdout).results;
    const made = new Map<string, number>();
    for (const { name } of sandbox.incidents()) made.set(String(name), (made.get(String(name)) ?? 0) + 1);
    tally.definitions += definitions;
    for (const { name, result } of results) {
      const count = made.get(name) ?? 0;
      tally.made += count;
      tally.duplicates += Math.max(0, count - 1);
      if (result === "uncertain") tally.uncertain += 1;
      else if (count === 1) tally.settled += 1;
      else tally.unnamed += 1;
    }
    await server.close();
    rmSync(home, { recursive: true });
  };
  let next = from;
  const work = async () => {
    while (next < from + runs) await makeRun(next++);
  };
  await Promise.all(Array.from({ length: lanes }, work));
  if (process.env.DRILL_RUNS) {
    process.stdout.write(`\napply, ids ${clientIds}d: ${JSON.stringify(tally)}\n`);
  }
  return tally;
}

describe("the drill of apply", () => {
  it("declares every definition exactly once where ids are honoured", { timeout: 0 }, async () => {
    const tally = await drill("honour");
    expect(tally).toMatchObject({ duplicates: 0, unnamed: 0 });
    // Lost before the commit, the absence cannot be proved: a person decides.
    expect(tally.settled + tally.uncertain).toBe(runs * definitions);
    expect(tally.made).toBeGreaterThanOrEqual(tally.settled);
  });

  it("makes no duplicate where ids are ignored, and names the unknown outcomes", { timeout: 0 }, async () => {
    const tally = await drill("ignore");
    expect(tally).toMatchObject({ duplicates: 0, unnamed: 0 });
    expect(tally.settled + tally.uncertain).toBe(runs * definitions);
  });
});
