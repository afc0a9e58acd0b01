// `incident schema --for`: the files that the command accepts and refuses, in a real language server.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceYaml } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";
import { type LanguageServer, startYamlServer } from "../../harness/language-server.ts";

describe("an editor with incident schema --for", () => {
  let server: LanguageServer;
  beforeAll(async () => {
    server = await startYamlServer({ validate: true, schemaStore: { enable: false } });
  });
  afterAll(() => server.stop());

  async function messagesOf(kind: string, text: string): Promise<readonly string[]> {
    const world = createWorld();
    const { exitCode, stdout } = await world.run(`schema --for ${kind}`);
    expect(exitCode).toBe(0);
    writeFileSync(join(world.folder, "schema.json"), stdout);
    const line = "# yaml-language-server: $schema=./schema.json\n";
    const found = await server.check(pathToFileURL(join(world.folder, `${kind}.yaml`)).href, line + text);
    return found.map(({ message }) => message);
  }

  it.each([
    [
      "project",
      `profile: a\ndefinitions: [incidents]\nservices:\n  checkout: ${serviceYaml}\npolicy: { notify: [CRITICAL] }\n`,
    ],
    ["profile", "defaultProfile: a\nprofiles:\n  a: { baseUrl: https://api.example.com, accountId: none }\n"],
  ])("underlines nothing in a %s file that the command accepts", async (kind, text) => {
    expect(await messagesOf(kind, text)).toEqual([]);
  });

  it.each([
    ["project", "definition: [incidents]\n", "Property definition is not allowed."],
    ["project", "policy: { notify: [URGENT] }\n", 'Valid values: "CRITICAL", "MAJOR", "MEDIUM", "MINOR"'],
    ["profile", "profiles: { a: { apiKeyCommand: pass } }\n", 'Incorrect type. Expected "array".'],
  ])("underlines the mistake in a %s file: %s", async (kind, text, message) => {
    expect((await messagesOf(kind, text)).join("\n")).toContain(message);
  });
});

it("names the kinds of files for a misspelt one", async () => {
  const { exitCode, stderr } = await incident("schema --for projekt");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("project");
});
