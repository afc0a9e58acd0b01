// Measures runners that declare an incident at the same moment over one journal in git, whose host takes 0.7 s for a push and
// 0.3 s for a fetch. Each create appends twice. Prints when the first, the middle and the last of them ended, the pushes and
// the exit codes. Needs dist/ and git.
// Usage: node test/bench/runners.mjs [COUNT…]
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "./sandbox.mjs";

const counts = process.argv.slice(2).map(Number);
const command = join(process.cwd(), "dist/incident.cjs");
const { NODE_EXTRA_CA_CERTS: _, ...base } = process.env;
const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));
const sandbox = await startSandbox(folder);

/** Stands in for ssh: waits, then runs the command of the host here. */
function slowHost(place) {
  const ssh = join(place, "ssh");
  const lines = [
    "#!/bin/sh",
    "for command; do :; done",
    `case $command in git-receive-pack*) echo push >> '${place}/pushes'; sleep 0.7;; *) sleep 0.3;; esac`,
    'exec sh -c "$command"',
  ];
  writeFileSync(ssh, `${lines.join("\n")}\n`, { mode: 0o755 });
  execFileSync("git", ["init", "-q", "--bare", join(place, "journal.git")]);
  return { GIT_SSH_COMMAND: ssh, INCIDENT_CLI_JOURNAL: `git+ssh://git@localhost${place}/journal.git` };
}

async function create(env, start) {
  const definition = `id: ${randomUUID()}
name: Checkout fails
severity: MAJOR
services: [{ id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b, name: Checkout }]
incidentUpdates: [{ description: We are looking. }]
`;
  const child = spawn(process.execPath, [command, "create", "-f", "-", "-o", "id"], {
    env,
    stdio: ["pipe", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(definition);
  const [exitCode] = await once(child, "close");
  if (exitCode !== 0) console.log(stderr);
  return { exitCode, seconds: (performance.now() - start) / 1000 };
}

async function measure(count) {
  const place = join(folder, String(count));
  mkdirSync(place);
  const env = { ...base, ...sandbox.env, ...slowHost(place) };
  const start = performance.now();
  const runs = Array.from({ length: count }, (_, index) => {
    const state = join(place, `state-${index}`);
    return create({ ...env, HOME: state, INCIDENT_CLI_STATE_DIR: state }, start);
  });
  const ended = (await Promise.all(runs)).toSorted((one, other) => one.seconds - other.seconds);
  const pushes = existsSync(join(place, "pushes"))
    ? readFileSync(join(place, "pushes"), "utf8").length / 5
    : 0;
  const at = (index) => `${ended[index].seconds.toFixed(1)} s`;
  console.log(
    `${count} runners: the first ended after ${at(0)}, half of them after ${at(Math.ceil(count / 2) - 1)}, the last after ${at(count - 1)}; ` +
      `${pushes} pushes; exit codes ${[...new Set(ended.map(({ exitCode }) => exitCode))].join(", ")}`,
  );
}

try {
  for (const count of counts.length > 0 ? counts : [1, 4, 12]) await measure(count);
} finally {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
}
