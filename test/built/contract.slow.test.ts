// The built command against a service on hapi, and against documents that are served in other ways: everything over
// sockets.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { execa } from "execa";
import Joi from "joi";
import { describe, expect, it, onTestFinished } from "vitest";
import { renderYaml } from "../../src/source/yaml/write.ts";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { nodeAt, vendorDocument, vendorText } from "../harness/contracts.ts";
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
    expect(stdout).toMatch(/^ok {6}key +the service accepts the key from .*config\.yaml:5/m);
  });
});

type Answer = (response: ServerResponse, path: string) => void;

/** A server that answers every path in the same way. */
async function serve(answer: Answer): Promise<string> {
  const server = createServer(({ url = "" }, response) => answer(response, url));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sends =
  (status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** The document of the vendor's kind with other operations, until it has so many bytes. */
function largeDocument(size: number): string {
  const document = vendorDocument();
  const paths = nodeAt(document, "paths");
  const operation = { post: { description: `One.\n${"x".repeat(800)}`, responses: {} } };
  const count = size / JSON.stringify(operation).length;
  for (let number = 0; number < count; number += 1) paths[`/v1/other/${number}`] = operation;
  // As published: with raw control characters.
  return JSON.stringify(document).replaceAll("\\n", "\n");
}

describe("a document that is served", () => {
  it.each<[string, () => Answer]>([
    ["as YAML", () => sends(200, renderYaml(vendorDocument()), { "content-type": "application/yaml" })],
    ["as a gzip file", () => sends(200, gzipSync(vendorText), { "content-type": "application/gzip" })],
    ["with 35 MB", () => sends(200, largeDocument(35e6))],
  ])("%s is pulled", async (_, answerOf) => {
    const run = openMachine(await serve(answerOf()));
    const { exitCode, stdout, stderr } = await run("contract pull");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining("wrote incident.contract.json"),
    });
    expect(stdout).toContain("incidentUpdates: maxItems 1");
  });

  it.each<[string, Answer, number, string]>([
    [
      "401",
      sends(401, '{"statusCode":401,"error":"Unauthorized"}'),
      4,
      ": the key was refused (401: Unauthorized)",
    ],
    ["404", sends(404, "Not Found"), 7, ": URL answered 404, but not as the service does"],
    ["406", sends(406, ""), 6, ": the service refused the request (406)"],
    ["HTML", sends(200, "<!doctype html><title>API</title>"), 6, " is HTML or XML, and not JSON or YAML"],
    [
      "a redirect to another host",
      sends(302, "", { location: "https://docs.example.com/openapi.json" }),
      7,
      ": the service answered with a redirect to https://docs.example.com/openapi.json, which is not followed",
    ],
    [
      "a redirect on the same host",
      sends(308, "", { location: "/docs/v1.json" }),
      7,
      ": the service answered with a redirect to /docs/v1.json, which is not followed",
    ],
    [
      "less than it announces",
      (response) => {
        response.writeHead(200, { "content-length": "1000000" });
        response.write('{"openapi":', () => response.destroy());
      },
      7,
      ": the answer was not read to its end",
    ],
  ])("as %s is refused in one sentence", async (_, answer, exitCode, problem) => {
    const url = await serve(answer);
    const result = await openMachine(url)("contract pull");
    expect(result).toMatchObject({ exitCode, stdout: "" });
    expect(result.stderr.split("\n")[0]).toBe(`error: ${url}/openapi.json${problem.replace("URL", url)}`);
  });
});
