// The single executable that INCIDENT_TEST_COMMAND names: without Node.js, and with hostile files and variables around it.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { arch, platform } from "node:process";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { access, incidentId } from "../harness/builders.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { createIdentities, proxyHost } from "../http/certificates.ts";
import { isExecutable, program } from "./program.ts";

const fixture = new URL("../../fixtures/api-outage.yaml", import.meta.url).pathname;
const declared = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";

/** Runs with an empty PATH and without the environment of this process. */
function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder: string = temporaryFolder(),
) {
  return execa(program, args, {
    cwd: folder,
    env: { PATH: "", HOME: folder, ...env },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
  });
}

/** A service over TLS for one incident; counts the requests. */
async function serveTls(identity: { readonly key: string; readonly cert: string }) {
  let requests = 0;
  const server = createServer(identity, (_, response) => {
    requests += 1;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: incidentId, name: "Checkout fails" }));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  const env = {
    INCIDENT_CLI_BASE_URL: `https://${proxyHost}:${(server.address() as AddressInfo).port}`,
    INCIDENT_CLI_API_KEY: access.apiKey,
    INCIDENT_CLI_ACCOUNT_ID: access.accountId,
  };
  return { env, requests: () => requests };
}

describe.skipIf(!isExecutable)("the single executable", () => {
  // The archive of this target is the largest. A release stops where it has more than 41 MB, and this has 40.1 MB then.
  it.runIf(platform === "linux" && arch === "x64")("has at most 119 MB", () => {
    expect(statSync(program).size).toBeLessThan(119e6);
  });

  it("checks, declares and reads an incident without Node.js", async () => {
    expect(await run(["validate", fixture])).toMatchObject({ exitCode: 0, stderr: "" });
    await withSandbox(async (service) => {
      const created = await run(["create", "-f", fixture, "-o", "id"], service);
      expect(created).toMatchObject({ exitCode: 0, stdout: declared });
      const read = await run(["get", declared, "-o", "json"], service);
      expect(JSON.parse(read.stdout)).toMatchObject({ id: declared, lastUpdateStatus: "INVESTIGATING" });
    });
  });

  it("names its runtime in incident doctor", async () => {
    expect((await run(["doctor"])).stdout).toMatch(/Node\.js +not needed: this executable contains Bun \d/);
  });

  it.each(["get --inspect", "--eval 1", "run x.js", "install", "--preload=./x.js"])(
    "does not interpret the options of its runtime: %s",
    async (line) => {
      const { exitCode, stderr } = await run(line.split(" "));
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^error: unknown (option|command)/);
    },
  );

  it("reads no file of the working directory that its runtime would read", async () => {
    const folder = temporaryFolder();
    const hostile = "http://127.0.0.1:9";
    mkdirSync(join(folder, "node_modules/undici"), { recursive: true });
    const files = {
      ".env": `INCIDENT_CLI_BASE_URL=${hostile}\nBUN_OPTIONS=--preload=./evil.js\n`,
      ".env.local": `INCIDENT_CLI_BASE_URL=${hostile}\n`,
      ".env.production": `INCIDENT_CLI_BASE_URL=${hostile}\n`,
      "bunfig.toml": `preload = ["./evil.js"]\n[run]\nbun = true\n`,
      ".bunfig.toml": `preload = ["./evil.js"]\n`,
      "tsconfig.json": `{"compilerOptions": {"paths": {"*": ["./evil.js"]}}}`,
      "package.json": `{"imports": {"#*": "./evil.js"}, "main": "./evil.js"}`,
      "node_modules/undici/index.js": `throw new Error("evil")`,
      "evil.js": `throw new Error("evil")`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await withSandbox(async (service) => {
      const shown = await run(["config", "show", "-o", "json"], {}, folder);
      expect(shown.exitCode).toBe(0);
      expect(shown.stdout + shown.stderr).not.toMatch(/127\.0\.0\.1:9|evil/);
      const created = await run(["create", "-f", fixture, "-o", "id"], service, folder);
      expect(created).toMatchObject({ exitCode: 0, stdout: declared });
    });
  });

  it("trusts the certificates of NODE_EXTRA_CA_CERTS, and no others", async () => {
    const identities = await createIdentities();
    const authority = join(temporaryFolder(), "authority.pem");
    writeFileSync(authority, identities.authority.cert);
    const right = await serveTls(identities.proxy);
    const read = ["get", incidentId, "-o", "id", "--max-retries", "0"];
    const trusting = { NODE_EXTRA_CA_CERTS: authority };
    expect(await run(read, { ...right.env, ...trusting })).toMatchObject({ exitCode: 0, stdout: incidentId });
    const unknown = await run(read, right.env);
    expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
    expect(unknown.stderr).toContain("could not be reached: unable to verify the first certificate\n");
    expect(right.requests()).toBe(1);
    for (const name of ["expired", "wrongHost", "selfSigned"] as const) {
      const wrong = await serveTls(identities[name]);
      // The variable that switches the check off in Node.js has no effect either.
      const env = { ...wrong.env, ...trusting, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
      expect(await run(read, env), name).toMatchObject({ exitCode: 2, stdout: "" });
      expect(wrong.requests(), name).toBe(0);
    }
  });

  it("does nothing in a working directory that is gone", async () => {
    await withSandbox(async (service) => {
      const folder = join(temporaryFolder(), "removed");
      const line = `mkdir ${folder}; cd ${folder}; rmdir ${folder}; exec '${program}' create -f ${fixture}`;
      const { exitCode, stderr } = await execa("sh", ["-c", line], { env: service, reject: false });
      expect(exitCode).toBe(1);
      expect(stderr).toContain("working directory was deleted");
      expect((await run(["get", declared], service)).exitCode).toBe(5);
    });
  });
});
