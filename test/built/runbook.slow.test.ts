// The runbook for on-call, with the built command in a sandbox that loses answers or fails. It really waits for the end of
// the incident.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, expect, it } from "vitest";
import { temporaryRoot } from "../harness/temporary-root.ts";
import { shellCommand } from "./program.ts";

const fixtures = join(import.meta.dirname, "../../fixtures");
const runbook = "./runbooks/on-call.sh";
const call = `${runbook} alertmanager alerts/alertmanager.json echo deployed`;

/** The folders of all rehearsals, and their code cache. */
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(temporaryRoot, "incident-runbook-"));
  return () => rmSync(root, { recursive: true, force: true });
});

interface Rehearsal {
  /** Of the sandbox. */
  readonly flags?: readonly string[];
  readonly line?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a line of a shell in a sandbox. */
async function rehearse({ env, flags = [], line = call }: Rehearsal) {
  const folder = mkdtempSync(join(root, "rehearsal-"));
  for (const name of ["alerts", "incident-templates", "runbooks"]) {
    cpSync(join(fixtures, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/incident"), `#!/bin/sh\nexec ${shellCommand} "$@"\n`);
  chmodSync(join(folder, "bin/incident"), 0o755);
  const args = ["sandbox", ...flags, "--", "sh", "-c", line];
  const { all, exitCode, stdout } = await execa(join(folder, "bin/incident"), args, {
    cwd: folder,
    all: true,
    reject: false,
    stdin: "ignore",
    extendEnv: false,
    env: {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      HOME: folder,
      XDG_CACHE_HOME: join(root, "cache"),
      PAUSE: "0",
      SETTLE_FOR: "1s",
      ...env,
    },
  });
  const [, counts] = /^sandbox: \d+ requests, (.*)$/m.exec(all) ?? [];
  return { all, counts, exitCode, stdout: stdout.replace(/[\da-f-]{36}/g, "ID").split("\n") };
}

const once = "1 incident, 1 added update, 0 duplicates";

/** The runbook, while another process waits for the incident and leads it on. It ends with the runbook. */
const meanwhile = (change: string, line = call) => `
(until id=$(incident list -o id) && [ -n "$id" ]; do sleep 1; done
until incident ${change}; do sleep 1; done) > /dev/null 2>&1 &
${line}
code=$?
kill $! 2> /dev/null
exit $code`;
const resolved = meanwhile('resolve "$id" --message "It works again."');

// Several at once, because most of their time is a pause of `get --wait-for`.
it.concurrent("deploys after the incident, also where the service cannot be read for a while", async () => {
  // The runbook runs the create five times, and each reads once at least.
  const rehearsed = await rehearse({ flags: ["--fault=get#1-4:503"], line: resolved });
  expect(rehearsed).toMatchObject({ exitCode: 0, counts: once, stdout: ["incident ID", "deployed"] });
});

it.concurrent("ends with 8 where the outcome of the create is unknown, and sends nothing when it runs again", async () => {
  const line = `${call}; first=$?; ${call}; test $? = $first && exit $first`;
  const { all, counts, exitCode } = await rehearse({ flags: ["--fault=create:drop-before-commit"], line });
  expect({ counts, exitCode }).toEqual({
    counts: "0 incidents, 0 duplicates, the command ended with 8",
    exitCode: 8,
  });
  expect(all.match(/POST/g)?.length).toBe(1);
  expect(all).toMatch(/incident journal settle [-\w]{36} --created/);
  expect(all).not.toContain("deployed");
});

it.concurrent("does not deploy while the incident goes on", async () => {
  const { all, exitCode } = await rehearse({ env: { WAIT_TIMEOUT: "2s" } });
  expect({ exitCode, deployed: all.includes("deployed") }).toEqual({ exitCode: 10, deployed: false });
  expect(all).toMatch(/error: not RESOLVED within 2 s/);
});

it.concurrent("does not deploy past the gate", async () => {
  const env = { WAIT_FOR: "monitoring" };
  const { all, exitCode } = await rehearse({
    line: meanwhile('update "$id" --status monitoring --message "We watch a fix."'),
    env,
  });
  expect({ exitCode, deployed: all.includes("deployed") }).toEqual({ exitCode: 12, deployed: false });
  expect(all).toContain("error: blocked: 1 known incident is open");
});

it.concurrent("says how it is used", async () => {
  const { all, exitCode } = await rehearse({ line: runbook });
  expect(exitCode).toBe(2);
  expect(all).toContain("usage: on-call.sh TEMPLATE BODY_FILE [DEPLOY_COMMAND...]");
});
