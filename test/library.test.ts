import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import type * as inner from "../src/incident/definition.ts";
import {
  checkDefinitions,
  createClient,
  createSandbox,
  type Definition,
  isFailure,
  parseContract,
} from "../src/library.ts";
import { definitionYaml } from "./harness/builders.ts";
import { contractWith, vendorText } from "./harness/contracts.ts";
import { createWorld } from "./harness/incident.ts";

const text = readFileSync(new URL("../fixtures/api-outage.yaml", import.meta.url), "utf8");
const [definition] = checkDefinitions(text).definitions as [Definition];

/** The failure that rejects a promise. */
async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isFailure(error)) throw new Error(`not a failure: ${String(error)}`);
  return error;
}

describe("the library", () => {
  it("has the same type of a definition as the schema", () => {
    expectTypeOf<Definition>().toEqualTypeOf<inner.Definition>();
  });

  it("checks definitions like validate", () => {
    const { definitions, diagnostics } = checkDefinitions("name: x\nseverity: MAJRO\n", "a.yaml");
    expect(definitions).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain("unknown-severity");
    expect(diagnostics.find(({ code }) => code === "unknown-severity")?.location).toMatchObject({
      file: "a.yaml",
      start: { line: 2, column: 11 },
    });
  });

  it("accepts bytes and several documents", () => {
    const { definitions, diagnostics } = checkDefinitions(new TextEncoder().encode(`${text}\n---\n${text}`));
    expect({ count: definitions.length, diagnostics }).toEqual({ count: 2, diagnostics: [] });
  });

  it("declares an incident in a sandbox of the same process, and reads it", async () => {
    const sandbox = createSandbox();
    const client = createClient(sandbox);
    const created = await client.createIncident(definition);
    expect(created).toMatchObject({
      id: definition.id,
      name: definition.name,
      lastUpdateStatus: "INVESTIGATING",
    });
    expect(await client.getIncident(created.id)).toEqual(created);
    expect(sandbox.incidents()).toHaveLength(1);
  });

  it("connects to a sandbox that listens", async () => {
    const sandbox = createSandbox({
      apiKey: "another-key",
      accountId: "22222222-2222-4333-8444-555555555555",
    });
    const server = await sandbox.serve();
    try {
      const { apiKey, accountId } = sandbox;
      const client = createClient({ baseUrl: server.baseUrl, apiKey, accountId });
      expect((await client.createIncident(definition)).id).toBe(definition.id);
    } finally {
      await server.close();
    }
  });

  it.each([
    ["create:drop-after-commit", "uncertain", 1],
    ["create:drop-before-commit", "uncertain", 0],
    ["create:503", "uncertain", 0],
    ["create:403", "credentials", 0],
  ])("classifies %s, and sends once", async (fault, kind, created) => {
    const sandbox = createSandbox({ faults: [fault] });
    const failure = await failureOf(createClient(sandbox).createIncident(definition));
    expect({ kind: failure.kind, created: sandbox.incidents().length }).toEqual({ kind, created });
    expect(failure.hint).not.toBe("");
  });

  it("rejects for a missing incident", async () => {
    const failure = await failureOf(createClient(createSandbox()).getIncident(definition.id as string));
    expect(failure).toMatchObject({ kind: "missing", exitCode: 5, retryable: false });
  });

  it.each([
    ["a base URL that would send the key unencrypted", { baseUrl: "http://api.example.com" }],
    ["an account that is not a GUID", { accountId: "me" }],
    ["a key with a line break", { apiKey: "a\nb" }],
    ["an invalid header name", { accountHeader: "x y" }],
    ["another service than the pinned sandbox", { env: { INCIDENT_CLI_SANDBOX: "http://127.0.0.1:9" } }],
  ])("rejects %s before sending", (_, wrong) => {
    const options = { baseUrl: "https://api.example.com", apiKey: "key", accountId: "none" };
    expect(() => createClient({ ...options, ...wrong })).toThrow(/createClient's|sandbox/);
  });

  it("rejects an invalid fault", () => {
    expect(() => createSandbox({ faults: ["create:nonsense"] })).toThrow(TypeError);
  });

  it("ends with its timeout, and with its signal", async () => {
    const sandbox = createSandbox({ faults: ["get:no-answer"] });
    const late = await failureOf(
      createClient({ ...sandbox, timeout: 20 }).getIncident(definition.id as string),
    );
    expect(late.kind).toBe("unavailable");
    const cancelled = createClient({ ...sandbox, signal: AbortSignal.abort() });
    expect((await failureOf(cancelled.getIncident(definition.id as string))).kind).toBe("interrupted");
  });
});

describe("a contract in the library", () => {
  /** The text of the file that the command writes. */
  async function pulled(): Promise<string> {
    const world = createWorld({ files: { "openapi.json": vendorText } });
    expect((await world.run("contract pull --from openapi.json")).exitCode).toBe(0);
    return readFileSync(`${world.folder}/incident.contract.json`, "utf8");
  }

  it("adds what the service requires, at its place", async () => {
    const contract = await parseContract(await pulled());
    expect(contract.source).toMatchObject({ from: "openapi.json", date: "2026-11-20" });
    const twice = definitionYaml({ incidentUpdates: "[{ description: One. }, { description: Two. }]" });
    const { definitions, diagnostics } = checkDefinitions(twice, "a.yaml", { contract });
    expect(diagnostics).toMatchObject([
      {
        code: "contract",
        level: "error",
        message: "the service requires exactly 1 entry in incidentUpdates, not 2",
        location: { file: "a.yaml", start: { line: 4, column: 18 } },
      },
    ]);
    expect(definitions).toEqual([]);
    expect(checkDefinitions(twice).diagnostics).toEqual([]);
    expect(checkDefinitions(definitionYaml(), "a.yaml", { contract }).diagnostics).toEqual([]);
  });

  it("fills in the account, unless there is none", async () => {
    const contract = await parseContract(await pulled());
    const accountId = "22222222-2222-4333-8444-555555555555";
    const codesFor = (options: object) =>
      checkDefinitions(definitionYaml(), "a.yaml", { contract, ...options }).diagnostics.map(
        ({ message }) => message,
      );
    expect(codesFor({ accountId })).toEqual([]);
    expect(codesFor({ accountId: "none" })).toEqual([
      "the service requires accountId in entry 1 of services",
    ]);
  });

  it("judges its patterns", async () => {
    const contract = await parseContract(contractWith({ properties: { name: { pattern: "^[A-Z]+$" } } }));
    const { diagnostics } = checkDefinitions(definitionYaml(), "a.yaml", { contract });
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining("^[A-Z]+$")]);
  });

  it.each([
    ["{", "the contract is not JSON"],
    [vendorText, "the contract"],
  ])("is refused where it is another text: %.12j", async (text, message) => {
    const failure = await failureOf(parseContract(text));
    expect(failure).toMatchObject({ kind: "usage", message: expect.stringContaining(message) });
    expect(failure.hint).toContain("incident contract pull");
  });
});
