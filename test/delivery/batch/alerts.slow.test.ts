// An alert that fires 500 times at once, from eight processes with one journal, is one incident on each kind of service.
// The processes run the code of the command, over real sockets and files. ALERT_KINDS=all runs every kind of service.
import { join } from "node:path";
import { execa } from "execa";
import { rolldown } from "rolldown";
import { expect, it, onTestFinished } from "vitest";
import { createSandbox } from "../../../src/sandbox/app.ts";
import { createScript } from "../../../src/sandbox/script.ts";
import { serveSandbox } from "../../../src/sandbox/server.ts";
import { node } from "../../built/program.ts";
import { serviceId } from "../../harness/builders.ts";
import { access, createClock, temporaryFolder } from "../../harness/incident.ts";
import { type Kind, kinds } from "../drill.ts";

const tested: readonly Kind[] =
  process.env.ALERT_KINDS === "all"
    ? (Object.keys(kinds) as Kind[])
    : ["honours ids, keeps both", "refuses ids"];

const processes = 8;
const hour = 3_600_000;

interface Alert {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A service whose incidents are resolved an hour after their creation. */
async function serve(kind: Kind) {
  let elapsed = 0;
  let created = 0;
  const random = { guid: () => crypto.randomUUID() };
  const sandbox = createSandbox({
    ...access,
    ...kinds[kind],
    clock: { ...createClock(), now: () => Date.now() + elapsed },
    random,
    rateLimit: { requests: 1_000_000, seconds: 1 },
    script: createScript([{ after: hour, status: "RESOLVED", description: "It works again." }], random),
    onRequest: ({ method, status }) => {
      if (method === "POST" && status === 201) created += 1;
    },
  });
  const server = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  return {
    url: server.url,
    created: () => created,
    resolve: () => {
      elapsed += 2 * hour;
    },
  };
}

/** The code of an alert process as one file, and a folder for its state. */
async function build() {
  const folder = temporaryFolder();
  const bundle = await rolldown({
    input: join(import.meta.dirname, "alert-process.ts"),
    platform: "node",
    logLevel: "silent",
  });
  const file = join(folder, "alert-process.mjs");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  return { folder, file };
}

it.each(tested)(
  "is one incident while it is open, and another once it is resolved, where the service %s",
  async (kind) => {
    const { file, folder } = await build();
    const service = await serve(kind);
    const env = {
      HOME: folder,
      INCIDENT_CLI_BASE_URL: service.url,
      INCIDENT_CLI_API_KEY: access.apiKey,
      INCIDENT_CLI_ACCOUNT_ID: access.accountId,
    };
    // A loaded machine is slow, and no time-out is tested here.
    const line =
      `create --timeout 100s --settle-for 100s --dedup-key checkout --severity major --service Checkout=${serviceId} -o json`.split(
        " ",
      );
    const text = ["--name", "Checkout fails, alert {n}", "--message", "{n} payments have failed."];

    /** Fires alerts in all processes at once. Gives the incidents that they name, with how each was answered. */
    async function fire(each: number) {
      const results = await Promise.all(
        Array.from({ length: processes }, async (_, index) => {
          const args = [file, String(index * each), String(each), ...line, ...text];
          const { stdout } = await execa(node, args, { env, extendEnv: false, cwd: folder });
          return JSON.parse(stdout) as Alert[];
        }),
      );
      const alerts = results.flat();
      expect(alerts.length).toBe(processes * each);
      expect(alerts.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
      const answers = alerts.map(({ stdout }) => JSON.parse(stdout) as { id: string; how: string });
      const declared = answers.filter(({ how }) => how === "declared").length;
      return { declared, ids: [...new Set(answers.map(({ id }) => id))] };
    }

    const first = await fire(63);
    expect({ created: service.created(), declared: first.declared, ids: first.ids.length }).toEqual({
      created: 1,
      declared: 1,
      ids: 1,
    });
    service.resolve();
    const second = await fire(8);
    expect({ created: service.created(), declared: second.declared, ids: second.ids.length }).toEqual({
      created: 2,
      declared: 1,
      ids: 1,
    });
    expect(second.ids).not.toEqual(first.ids);
  },
  120_000,
);
