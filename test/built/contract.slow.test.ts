// The built command against a service on hapi, over sockets.
import { execa } from "execa";
import Joi from "joi";
import { describe, expect, it, onTestFinished } from "vitest";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { accountId, apiKey } from "../sandbox/requests.ts";
import { startHapiServer } from "../service/hapi-server.ts";
import { command, node } from "./program.ts";

/** Runs the command in a folder of its own, with the settings of the service. */
function openMachine(url: string, settings: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    INCIDENT_CLI_BASE_URL: url,
    INCIDENT_CLI_API_KEY: apiKey,
    INCIDENT_CLI_ACCOUNT_ID: accountId,
    ...settings,
  };
  return async (line: string, input = "") => {
    const options = { cwd: home, env, extendEnv: false, input, reject: false } as const;
    const { exitCode, stdout, stderr } = await execa(node, [command, ...line.split(" ")], options);
    return { exitCode, stdout, stderr };
  };
}

async function startService(...options: Parameters<typeof startHapiServer>): Promise<string> {
  const server = await startHapiServer(...options);
  onTestFinished(() => server.close());
  return server.url;
}

describe("the built command with a service on hapi", () => {
  it("is warned by doctor, pulls the contract, and agrees with doctor and check", async () => {
    const url = await startService({ rules: { body: { name: Joi.string().max(100).required() } } });
    const run = openMachine(url);
    const warned = await run("doctor");
    expect(warned.exitCode).toBe(6);
    expect(warned.stdout).toMatch(/^wrong {3}contract .*; run incident contract pull: from then on/m);
    const pulled = await run("contract pull");
    expect(pulled).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(
        "\nwrote incident.contract.json; commit it, so that everyone checks against it\nthis service can do nothing else; not in its document: list, update, edit, list services",
      ),
    });
    expect(pulled.stdout).toMatch(/^name: maxLength 100$/m);
    expect(pulled.stdout).toMatch(/^services\[\]\.accountId is required$/m);
    const content = await run("doctor");
    expect(content).toMatchObject({ exitCode: 0, stderr: "" });
    expect(content.stdout).toContain("requires no more than the built-in rules and incident.contract.json");
    expect(await run("contract check")).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: expect.stringContaining(
        `this service can do nothing else; not in its document: list, update, edit, list services\n${url}/openapi.json matches incident.contract.json`,
      ),
    });
    expect(await run("create -f - -o id", definitionYaml({ id: incidentId }))).toMatchObject({
      exitCode: 0,
      stdout: incidentId,
    });
  });

  it("finds with contract check what another version of the service requires", async () => {
    const run = openMachine(await startService());
    await run("contract pull");
    const next = await startService({ rules: { body: { name: Joi.string().max(10).required() } } });
    const document = await (await fetch(`${next}/openapi.json`)).text();
    const { exitCode, stdout } = await run("contract check --from -", document);
    expect(exitCode).toBe(11);
    expect(stdout).toMatch(/^new +name: maxLength 10$/m);
  });

  it("logs in, and doctor uses the profile", async () => {
    const run = openMachine(await startService(), { INCIDENT_CLI_API_KEY: "" });
    expect((await run("login --api-key-stdin", "another-key-0123456789\n")).exitCode).toBe(4);
    expect(await run("login --api-key-stdin", `${apiKey}\n`)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("the key works; stored as profile default"),
    });
    const { stdout } = await run("doctor --profile default");
    expect(stdout).toMatch(/^ok {6}service +the service accepts the key from .*config\.yaml:5/m);
  });
});
