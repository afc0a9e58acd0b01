// The folder store in real processes: one of many takes a step, and a SIGKILL at any of its system calls neither
// doubles nor loses an incident.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sequenceName } from "../../src/journal/journal.ts";
import { createSandbox } from "../../src/sandbox/app.ts";
import { serveSandbox } from "../../src/sandbox/server.ts";
import { command, node } from "../built/program.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { access, createClock, temporaryFolder } from "../harness/incident.ts";
import { isMissing } from "../harness/programs.ts";

/**
 * The system calls that change a file in an append, a claim and a note. A kill comes before the call, so a file that
 * `openat` made is met at the call after it.
 */
const calls = ["pwrite64", "fsync", "link", "unlink", "rename", "mkdir"] as const;

async function serve() {
  let posts = 0;
  const clock = { ...createClock(), now: Date.now };
  const random = { guid: () => crypto.randomUUID() };
  const onRequest = ({ method }: { readonly method: string }) => {
    if (method === "POST") posts += 1;
  };
  const sandbox = createSandbox({ ...access, clock, random, onRequest });
  const server = await serveSandbox(sandbox);
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  const file = join(folder, "x.yaml");
  writeFileSync(file, definitionYaml({ id }));
  /** The variables of a machine. */
  const machine = {
    ...process.env,
    INCIDENT_CLI_BASE_URL: server.url,
    INCIDENT_CLI_API_KEY: access.apiKey,
    INCIDENT_CLI_ACCOUNT_ID: access.accountId,
    INCIDENT_CLI_STATE_DIR: join(folder, "state"),
  };
  const create = [node, command, "create", "-f", file, "-o", "id", "--settle-for", "5s"];
  return { sandbox, machine, folder, create, posts: () => posts };
}

async function run(words: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const [file = "", ...args] = words;
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  const [exitCode] = await once(child, "close");
  return { exitCode: exitCode as number | null, output };
}

describe("the folder store in real processes", () => {
  it("lets one of 12 processes record a person's decision", async () => {
    const { create, machine } = await serve();
    const incident = (...args: string[]) => run([node, command, ...args], machine);
    // A create without an answer: its connection ends at a port that answers reads alone.
    const { createServer } = await import("node:net");
    const missing = '{"statusCode":404,"error":"Not Found"}';
    const head = `HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: ${missing.length}\r\n\r\n`;
    const deaf = createServer((socket) =>
      socket.once("data", (data) =>
        String(data).startsWith("GET") ? socket.end(head + missing) : socket.destroy(),
      ),
    ).listen(0, "127.0.0.1");
    await once(deaf, "listening");
    onTestFinished(() => void deaf.close());
    const { port } = deaf.address() as { port: number };
    const lost = await run(create, {
      ...machine,
      INCIDENT_CLI_BASE_URL: `http://127.0.0.1:${port}`,
    });
    expect(lost.exitCode, lost.output).toBe(8);
    const settling = ["journal", "settle", id, "--not-created", "--yes"];
    const all = await Promise.all(Array.from({ length: 12 }, () => incident(...settling)));
    expect(all.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    const { output } = await incident("journal", "show", id, "-o", "json");
    const { events } = JSON.parse(output) as { events: { type: string }[] };
    expect(events.map(({ type }) => type)).toEqual(["sending", "uncertain", "not-created"]);
  });

  it.skipIf(isMissing("strace"))(
    "survives a SIGKILL at every system call of a create",
    { timeout: 0 },
    async () => {
      let kills = 0;
      const cache = temporaryFolder();
      const killAtEach = async (call: (typeof calls)[number]) => {
        for (let at = 1; ; at += 1) {
          const { create, folder, machine, posts, sandbox } = await serve();
          const env = { ...machine, XDG_CACHE_HOME: cache };
          // Only calls on the state directory count: -P follows its path and the descriptors of its files.
          const key = { baseUrl: env.INCIDENT_CLI_BASE_URL, account: env.INCIDENT_CLI_ACCOUNT_ID };
          const sequence = `/journal/${sequenceName(key)}`;
          const paths = ["", "/journal", sequence, "/services"].flatMap((name) => [
            "-P",
            `${env.INCIDENT_CLI_STATE_DIR}${name}`,
          ]);
          const trace = ["-f", "-qq", "-o", join(folder, "trace"), ...paths, "-e", `trace=${call}`];
          const killed = await run(
            ["strace", ...trace, "-e", `inject=${call}:signal=KILL:when=${at}`, ...create],
            env,
          );
          const place = `${call} ${at}`;
          if (killed.exitCode === 0) break;
          kills += 1;
          let again = await run(create, env);
          if (again.exitCode === 8) {
            // Killed between the `sending` event and the first byte: nothing arrived, and a person decides.
            expect(sandbox.incidents(), place).toHaveLength(0);
            const settle = ["journal", "settle", id, "--not-created", "--yes"];
            expect((await run([node, command, ...settle], env)).exitCode, place).toBe(0);
            again = await run(create, env);
          }
          expect(again, place).toEqual({ exitCode: 0, output: expect.stringContaining(id) });
          expect({ incidents: sandbox.incidents().length, posts: posts() }, place).toEqual({
            incidents: 1,
            posts: 1,
          });
        }
      };
      await Promise.all(calls.map(killAtEach));
      expect(kills).toBeGreaterThan(6);
    },
  );
});
