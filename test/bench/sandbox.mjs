// The capacity of the sandbox: creates a second with and without --data, its memory with 10,000 incidents, and the
// time of the status page with them. Run it after a build: node test/bench/sandbox.mjs
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const command = new URL("../../dist/incident.cjs", import.meta.url).pathname;
const count = 10_000;
const senders = 16;
const accountId = "11111111-2222-4333-8444-555555555555";

async function start(args) {
  const child = spawn(process.execPath, [command, "sandbox", "--rate-limit", "900000000/1", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const settings = await new Promise((resolve) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      if (said.length > 10_000) return;
      said += chunk;
      const found = [...said.matchAll(/export INCIDENT_CLI_(\w+)=(\S+)/g)];
      if (found.length === 3) resolve(Object.fromEntries(found.map(([, name, value]) => [name, value])));
    });
  });
  return { child, settings };
}

const memory = (pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] / 1024;

async function measure(name, args) {
  const { child, settings } = await start(args);
  const url = settings.BASE_URL;
  const headers = { authorization: `Bearer ${settings.API_KEY}`, "content-type": "application/json" };
  const before = memory(child.pid);
  let next = 0;
  const began = performance.now();
  const send = async () => {
    while (next < count) {
      const body = JSON.stringify({
        name: `Incident ${next++}`,
        severity: "MINOR",
        services: [{ name: "Checkout", id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b", accountId }],
        incidentUpdates: [{ description: "We are looking into it." }],
      });
      const reply = await fetch(`${url}/v1/status-pages/incidents`, { method: "POST", headers, body });
      if (reply.status !== 201) throw new Error(`${reply.status}`);
      await reply.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  const seconds = (performance.now() - began) / 1000;
  const loaded = performance.now();
  const page = await (await fetch(url)).text();
  const pageTime = performance.now() - loaded;
  console.log(
    `${name}: ${Math.round(count / seconds)} creates/s; memory ${before.toFixed(0)} → ${memory(child.pid).toFixed(0)} MB with ${count} incidents; page ${pageTime.toFixed(0)} ms, ${(page.length / 1024).toFixed(0)} KiB`,
  );
  child.kill("SIGKILL");
}

const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));
await measure("in memory", []);
await measure("with --data", ["--data", join(folder, "incidents")]);
console.log(`the file: ${(statSync(join(folder, "incidents")).size / 1024 / 1024).toFixed(1)} MiB`);
const began = performance.now();
const { child } = await start(["--data", join(folder, "incidents")]);
console.log(`started again over it in ${(performance.now() - began).toFixed(0)} ms`);
child.kill("SIGKILL");
rmSync(folder, { recursive: true });
