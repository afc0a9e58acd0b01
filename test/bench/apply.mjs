// Prints what `incident apply` takes for many definitions, as a ratio to a bare loop that posts the same bodies,
// several at a time, and fsyncs one file for each; and, with --window, how close it comes to the service's limit
// of 600 requests in 60 seconds. Usage: node test/bench/apply.mjs [--window]
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "undici";

const command = "dist/incident.cjs";
const concurrency = 8;
const { NODE_EXTRA_CA_CERTS: _, ...base } = process.env;
const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));
const meter = join(folder, "meter.cjs");
writeFileSync(
  meter,
  'process.on("exit", () => require("node:fs").writeFileSync(process.env.METER, String(process.resourceUsage().maxRSS)));',
);

async function startSandbox(rateLimit) {
  const args = [command, "sandbox", "--port", "0", ...(rateLimit ? ["--rate-limit", rateLimit] : [])];
  const child = spawn(process.execPath, args, { env: base, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const ready = new Promise((resolve) => {
    child.stderr.on("data", (chunk) => {
      if (said.includes("incident create -f FILE")) return;
      said += chunk;
      if (said.includes("incident create -f FILE")) resolve();
    });
  });
  await ready;
  const env = Object.fromEntries(
    [...said.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  return { env, stop: () => stop(child) };
}

async function stop(child) {
  child.kill();
  await once(child, "exit");
}

function bodies(count) {
  return Array.from({ length: count }, () => {
    const id = crypto.randomUUID();
    return {
      name: `Checkout fails for some customers (${id})`,
      severity: "MAJOR",
      services: [{ name: "Checkout", id }],
      incidentUpdates: [{ description: "We are looking into failed payments.", notifySubscribers: false }],
      id,
    };
  });
}

async function apply(count, sandbox, more = []) {
  const definitions = join(folder, `definitions-${count}`);
  mkdirSync(definitions);
  for (const body of bodies(count)) writeFileSync(join(definitions, `${body.id}.json`), JSON.stringify(body));
  const env = {
    ...base,
    ...sandbox.env,
    INCIDENT_CLI_STATE_DIR: join(folder, `state-${count}`),
    METER: join(folder, "rss"),
    NODE_OPTIONS: `--require ${meter}`,
  };
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [command, "apply", "-f", definitions, "--yes", "-o", "json", ...more],
    {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const [exitCode] = await once(child, "close");
  const milliseconds = performance.now() - start;
  const { summary } = JSON.parse(stdout);
  if (exitCode !== 0) throw new Error(`apply ended with ${exitCode}: ${JSON.stringify(summary)}`);
  const { readFileSync } = await import("node:fs");
  return { milliseconds, megabytes: Number(readFileSync(env.METER, "utf8")) / 1024, summary };
}

async function bareLoop(count, sandbox) {
  const list = bodies(count);
  const client = new Client(sandbox.env.INCIDENT_CLI_BASE_URL, { pipelining: 1 });
  const clients = Array.from({ length: concurrency }, () => new Client(sandbox.env.INCIDENT_CLI_BASE_URL));
  await client.close();
  mkdirSync(join(folder, `bare-${count}`));
  const start = performance.now();
  let next = 0;
  await Promise.all(
    clients.map(async (own) => {
      while (next < list.length) {
        const body = list[next++];
        const descriptor = openSync(join(folder, `bare-${count}`, body.id), "wx");
        writeSync(descriptor, JSON.stringify(body));
        fsyncSync(descriptor);
        closeSync(descriptor);
        const answer = await own.request({
          method: "POST",
          path: "/v1/status-pages/incidents",
          headers: {
            authorization: `Bearer ${sandbox.env.INCIDENT_CLI_API_KEY}`,
            "x-service-account": sandbox.env.INCIDENT_CLI_ACCOUNT_ID,
            "content-type": "application/json",
          },
          body: JSON.stringify(body),
        });
        if (answer.statusCode !== 201) throw new Error(`the sandbox answered ${answer.statusCode}`);
        await answer.body.dump();
      }
      await own.close();
    }),
  );
  return performance.now() - start;
}

try {
  const open = await startSandbox("1000000/1");
  console.log(`Node ${process.version}, ${concurrency} at a time, without a limit`);
  for (const count of [500, 5000]) {
    const bare = await bareLoop(count, open);
    const { megabytes, milliseconds } = await apply(count, open, ["--rate-limit", "1000000/1"]);
    const ratio = (milliseconds / bare).toFixed(2);
    console.log(
      `${String(count).padStart(5)} definitions: ${(milliseconds / 1000).toFixed(1)} s, bare loop ${(bare / 1000).toFixed(1)} s, ${ratio} ×, ${megabytes.toFixed(0)} MB`,
    );
  }
  await open.stop();
  if (process.argv.includes("--window")) {
    for (const count of [600, 1200]) {
      const limited = await startSandbox();
      const { milliseconds, summary } = await apply(count, limited);
      // A definition takes a read and a create; what does not fit into a window waits for the next.
      const least = (Math.ceil((2 * count) / 600) - 1) * 60;
      console.log(
        `${String(count).padStart(5)} definitions at 600 in 60 s: ${(milliseconds / 1000).toFixed(1)} s (at least ${least} s), ${JSON.stringify(summary)}`,
      );
      await limited.stop();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
