// The machines of the drill: each runs the built command once, on an empty disk, or all on the same one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { command, node } from "../../built/program.ts";
import { access, definitionYaml } from "../../harness/builders.ts";

/** Milliseconds after which a process counts as one that never ends. */
const longestProcess = 300_000;

export interface MachineOptions {
  /** The folder of all machines. */
  readonly home: string;
  /** Of the incident. */
  readonly id: string;
  readonly name: string;
  /** How the incident is recognized. */
  readonly mode: "id" | "key" | "alert" | "content";
  readonly baseUrl: string;
  /** For INCIDENT_CLI_JOURNAL. */
  readonly location: string;
  /** Whether all have the disk of one machine. */
  readonly isOneMachine: boolean;
}

export interface Machine {
  readonly ended: Promise<{
    readonly code: number | null;
    readonly reason: string | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
  /** Whether it was still running. */
  kill(): boolean;
}

/** Gives a function that starts a machine, all that were started so far, and whether a process had to be ended. */
export function createMachines(options: MachineOptions) {
  const { baseUrl, home, id, isOneMachine, location, mode, name } = options;
  const file = join(home, "x.yaml");
  writeFileSync(file, definitionYaml({ name, ...(mode === "id" && { id }) }));
  const args = ["create", "-f", file, "-o", "id", "--timeout", "2s", "--settle-for", "1s"];
  if (mode === "key") args.push("--key", name);
  if (mode === "alert") args.push("--dedup-key", name);
  const cache = join(home, "../cache");
  const machines: Machine[] = [];
  let isStuck = false;

  const start = (): Machine => {
    const disk = join(home, `machine-${isOneMachine ? 0 : machines.length}`);
    mkdirSync(disk, { recursive: true });
    const env = {
      PATH: process.env.PATH,
      HOME: disk,
      // The code cache, which holds nothing of any incident.
      XDG_CACHE_HOME: cache,
      TMPDIR: disk,
      INCIDENT_CLI_BASE_URL: baseUrl,
      INCIDENT_CLI_API_KEY: access.apiKey,
      INCIDENT_CLI_ACCOUNT_ID: access.accountId,
      INCIDENT_CLI_JOURNAL: location,
      INCIDENT_CLI_STATE_DIR: join(disk, "state"),
    };
    const child = spawn(node, [command, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const timer = setTimeout(() => {
      isStuck = true;
      child.kill("SIGKILL");
    }, longestProcess);
    const ended = once(child, "close").then(async ([code, reason]) => {
      clearTimeout(timer);
      const [stdout, stderr] = await said;
      return { code, reason, stdout, stderr };
    });
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    const machine = { ended, kill: () => isRunning() && child.kill("SIGKILL") };
    machines.push(machine);
    return machine;
  };
  return Object.assign(start, { all: () => machines, isStuck: () => isStuck });
}
