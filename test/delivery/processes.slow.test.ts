// Processes that race and are stopped around the moment in which a create leaves: the marker on disk,
// then the first byte. The built command and real sockets; test/http/tunnel.test.ts has the way through a proxy.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandbox } from "../../src/sandbox/app.ts";
import { serveSandbox } from "../../src/sandbox/server.ts";
import { command, node } from "../built/program.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { access, createClock, temporaryFolder } from "../harness/incident.ts";
import { proxyHost, serviceHost } from "../http/certificates.ts";
import { useServers } from "../http/fault-row.ts";
import type { Behaviour } from "../http/fault-server.ts";

/** Loaded before the command: ends or stops the process right before or right after its marker is on disk. */
const fate = `
const fs = require("node:fs");
const { FATE_SIGNAL, FATE_MOMENT, FATE_FILE } = process.env;
const link = fs.linkSync;
fs.linkSync = (from, to) => {
  const isMarker = new RegExp(FATE_FILE).test(to);
  if (isMarker && FATE_MOMENT === "before") process.kill(process.pid, FATE_SIGNAL);
  link(from, to);
  if (isMarker && FATE_MOMENT === "after") process.kill(process.pid, FATE_SIGNAL);
};
`;

interface Service {
  readonly env: Record<string, string>;
  posts(): number;
  incidents(): number;
}

async function serve(): Promise<Service> {
  let posts = 0;
  const clock = { ...createClock(), now: Date.now };
  const sandbox = createSandbox({
    ...access,
    clock,
    random: { guid: () => crypto.randomUUID() },
    onRequest: ({ method }) => {
      if (method === "POST") posts += 1;
    },
  });
  const server = await serveSandbox(sandbox);
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  writeFileSync(join(folder, "x.yaml"), definitionYaml({ id }));
  writeFileSync(join(folder, "plain.yaml"), definitionYaml());
  writeFileSync(join(folder, "fate.cjs"), fate);
  const env: Record<string, string> = {
    ...process.env,
    INCIDENT_CLI_BASE_URL: server.url,
    INCIDENT_CLI_API_KEY: access.apiKey,
    INCIDENT_CLI_ACCOUNT_ID: access.accountId,
    INCIDENT_CLI_STATE_DIR: join(folder, "state"),
    XDG_CONFIG_HOME: folder,
    FOLDER: folder,
  };
  return { env, posts: () => posts, incidents: () => sandbox.incidents().length };
}

interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(
  service: Service,
  file: string,
  more: { flags?: string[]; env?: Record<string, string>; before?: string } = {},
) {
  // Each flag is given once. The time for a look by an id: a process can start slowly.
  const defaults = { "--settle-for": "30s", "--timeout": "60s", "-o": "id" };
  const own = more.flags ?? [];
  const flags = [...Object.entries(defaults).filter(([name]) => !own.includes(name)), own].flat();
  const path = join(service.env.FOLDER as string, file);
  const line = [node, command, "create", "-f", path, ...flags];
  const child = spawn("sh", ["-c", `${more.before ?? ":"}; exec "$@"`, "sh", ...line], {
    env: { ...service.env, ...more.env },
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, "close").then(async ([exitCode, signal]): Promise<Ended> => {
    const [stdout, stderr] = await said;
    return { exitCode, signal, stdout, stderr };
  });
  return { child, ended };
}

const fated = (
  service: Service,
  signal: string,
  moment: string,
  file = "/journal/[0-9a-f]+/00000000\\.json$",
) => ({
  FATE_FILE: file,
  FATE_SIGNAL: signal,
  FATE_MOMENT: moment,
  NODE_OPTIONS: `--require ${join(service.env.FOLDER as string, "fate.cjs")}`,
});

/** Resolves when the process is stopped, as the system says it. */
async function stopped(pid: number): Promise<void> {
  for (;;) {
    if (/^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return;
    await delay(20);
  }
}

describe("ten processes at once", () => {
  it.each([
    ["with the same --key", "plain.yaml", ["--key", "build-1"]],
    ["with the same id", "x.yaml", []],
  ])("%s make one create, and all end knowing its id", async (_, file, flags) => {
    const service = await serve();
    const all = await Promise.all(Array.from({ length: 10 }, () => start(service, file, { flags }).ended));
    expect(service.posts()).toBe(1);
    expect(all.map(({ exitCode }) => exitCode)).toEqual(all.map(() => 0));
    expect(new Set(all.map(({ stdout }) => stdout)).size).toBe(1);
    expect(all[0]?.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  });
});

describe("a process that is stopped after its marker until its deadline is over", () => {
  const late = async () => {
    const service = await serve();
    const env = fated(service, "SIGSTOP", "after");
    const first = start(service, "x.yaml", { env, flags: ["--timeout", "1s"] });
    await stopped(first.child.pid as number);
    await delay(1500);
    return { first, service };
  };

  it("sends nothing in that attempt, says so in the journal, and sends in the next one", async () => {
    const { first, service } = await late();
    first.child.kill("SIGCONT");
    const ended = await first.ended;
    expect(ended).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    expect(ended.stderr).toContain("it could not be sent in time");
    expect({ posts: service.posts(), incidents: service.incidents() }).toEqual({ posts: 1, incidents: 1 });
  });

  it("answers with the incident that was declared after a person settled it", async () => {
    const { first, service } = await late();
    const settle = spawn(node, [command, "journal", "settle", id, "--not-created", "--yes"], {
      env: service.env,
    });
    expect(await once(settle, "close")).toEqual([0, null]);
    const second = await start(service, "x.yaml").ended;
    expect(second, second.stderr).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    first.child.kill("SIGCONT");
    expect(await first.ended).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    expect({ posts: service.posts(), incidents: service.incidents() }).toEqual({ posts: 1, incidents: 1 });
  });
});

describe("a process that is stopped", () => {
  const before = (service: Service) => ({ env: fated(service, "SIGSTOP", "before") });
  it.each([
    ["before its marker", "x.yaml", before],
    // The first entry of a journal is the claim.
    ["before it claims its content", "plain.yaml", before],
    ["before Node's own clock starts", "plain.yaml", () => ({ before: "kill -STOP $$" })],
  ])("%s sends nothing when it goes on after another has sent", async (_, file, options) => {
    const service = await serve();
    const first = start(service, file, options(service));
    await stopped(first.child.pid as number);
    const second = await start(service, file).ended;
    expect(second.exitCode).toBe(0);
    first.child.kill("SIGCONT");
    expect(await first.ended).toMatchObject({ exitCode: 0, stdout: second.stdout });
    expect({ posts: service.posts(), incidents: service.incidents() }).toEqual({ posts: 1, incidents: 1 });
  });

  it("after its marker is the only one that sends, whichever process comes meanwhile", async () => {
    const service = await serve();
    const first = start(service, "x.yaml", { env: fated(service, "SIGSTOP", "after") });
    await stopped(first.child.pid as number);
    const second = start(service, "x.yaml");
    await delay(1500);
    expect(service.posts()).toBe(0);
    first.child.kill("SIGCONT");
    expect(await first.ended).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    expect(await second.ended).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    expect({ posts: service.posts(), incidents: service.incidents() }).toEqual({ posts: 1, incidents: 1 });
  });
});

/** A service that answers no create, and has nothing to read. */
const silent: Behaviour = {
  requested(socket, head) {
    if (!head.startsWith("POST")) socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
  },
};

describe("Ctrl-C", () => {
  const startServer = useServers();

  it("before anything is sent ends at once, and says so", async () => {
    const service = await serve();
    // A definition with an id is looked for first, and a look soon ends.
    const { child, ended } = start(service, "plain.yaml", {
      env: { INCIDENT_CLI_BASE_URL: `https://${serviceHost}`, HTTPS_PROXY: `http://${proxyHost}:1` },
    });
    await once(child.stderr, "data");
    child.kill("SIGINT");
    const { exitCode, stderr } = await ended;
    // On a fast machine the signal comes after the first attempt, of which no byte left.
    expect({ exitCode, stderr }).toEqual({
      exitCode: 130,
      stderr: expect.stringMatching(/nothing was (?:sent|published)/),
    });
  });

  it.each([
    ["SIGINT", "SIGINT"],
    ["SIGINT", "SIGTERM"],
    ["SIGHUP", "SIGHUP"],
  ] as const)("and %s, then %s while the outcome is recorded, still tell the id", async (first, second) => {
    const service = await serve();
    const server = await startServer(silent);
    const env = {
      ...fated(service, second, "before", "/journal/[0-9a-f]+/00000002\\.json$"),
      INCIDENT_CLI_BASE_URL: `http://127.0.0.1:${server.port}`,
    };
    const { child, ended } = start(service, "plain.yaml", { env });
    await expect.poll(() => server.heads.at(-1)).toMatch(/^POST/);
    child.kill(first);
    const result = await ended;
    server.drop();
    expect(result).toMatchObject({ exitCode: 8, signal: null });
    expect(result.stderr).toMatch(/it is not known whether .* was sent at .* as [0-9a-f-]{36}/);
  });
});
