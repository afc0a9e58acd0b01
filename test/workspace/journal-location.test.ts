// Where a journal can be kept, what is shown of its location, and who may choose it.
import { describe, expect, it } from "vitest";
import { parseJournalLocation, secretsOf, withoutLogin } from "../../src/workspace/journal-location.ts";
import { access, config, definitionYaml, unset } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const parse = (value: string) => parseJournalLocation({ value, origin: "INCIDENT_CLI_JOURNAL" });
const refs = "refs/incident";
const password = "CANARY/4f9e";
const profile = (fields: string) =>
  `defaultProfile: a\nprofiles:\n  a:\n    baseUrl: ${access.baseUrl}\n    accountId: ${access.accountId}\n    apiKey: ${access.apiKey}\n${fields}`;

describe("a journal's location", () => {
  it.each([
    ["folder", { kind: "folder" }],
    ["git:", { kind: "git", url: undefined, refs }],
    ["git", { kind: "git", url: undefined, refs }],
    [
      "git:#refs/heads/incident-journal",
      { kind: "git", url: undefined, refs: "refs/heads/incident-journal" },
    ],
    ["git+https://h.example/a/b.git", { kind: "git", url: "https://h.example/a/b.git", refs }],
    ["git+ssh://git@h.example/a/b", { kind: "git", url: "ssh://git@h.example/a/b", refs }],
    ["git+file:///srv/j.git#refs/x", { kind: "git", url: "file:///srv/j.git", refs: "refs/x" }],
    ["git+http://127.0.0.1:80/j", { kind: "git", url: "http://127.0.0.1:80/j", refs }],
    ["postgres://u:p@h/db", { kind: "postgres", url: "postgres://u:p@h/db" }],
    ["postgresql:///db?host=/run", { kind: "postgres", url: "postgresql:///db?host=/run" }],
  ])("can be %s", (value, expected) => {
    expect(parse(value)).toEqual({ ...expected, origin: "INCIDENT_CLI_JOURNAL", shown: withoutLogin(value) });
  });

  it.each([
    ["gitx", "is not a location"],
    ["/srv/journal", "is not a location"],
    ["https://h.example/j.git", "has a scheme that is not supported (https:)"],
    ["git:/srv/j.git", "has a scheme that is not supported (git:)"],
    ["git://h.example/j.git", "has a scheme that is not supported (git:)"],
    ["git+ext://sh", "has a scheme that is not supported (git+ext:)"],
    ["git:#main", "names refs that git cannot have"],
    ["git:#refs/../x", "names refs that git cannot have"],
    ["git+https://h.example/j?x=1", "has a query"],
  ])("cannot be %s", (value, problem) => {
    expect(() => parse(value)).toThrow(`the journal from INCIDENT_CLI_JOURNAL ${problem}`);
  });

  it.each([
    ["git+https://u:p%40ss@h.example/j", "git+https://u:…@h.example/j", ["p%40ss", "p@ss"]],
    ["git+https://ghp_0123456789abcdef@h.example/j", "git+https://…@h.example/j", ["ghp_0123456789abcdef"]],
    // A short name can be a token, or a word that answers have as well.
    ["git+https://short@h.example/j", "git+https://…@h.example/j", []],
    ["git+ssh://git@h.example/j", "git+ssh://git@h.example/j", []],
    [
      "postgres://u:a:b@h/db?password=c&sslmode=require",
      "postgres://u:…@h/db?password=…&sslmode=require",
      ["a:b", "c"],
    ],
    ["git:", "git:", []],
  ])("shows no password of %s", (value, shown, secrets) => {
    expect(withoutLogin(value)).toBe(shown);
    expect(secretsOf(value)).toEqual(secrets);
  });
});

describe("the choice of a journal", () => {
  const files = { "x.yaml": definitionYaml(), [config]: profile("    journal: nowhere\n") };

  it("is the profile's, and no create is sent where it cannot be used", async () => {
    const { exitCode, requests, stderr } = await incident("create -f x.yaml", { files, env: unset });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toMatch(/the journal from \S+config.yaml:7 is not a location/);
  });

  it.each([
    ["create -f x.yaml --no-journal", unset],
    ["create -f x.yaml --no-journal --dedup-key k", { ...unset, CI: "true" }],
  ])("does not matter to %s", async (line, env) => {
    expect((await incident(line, { files, env, faults: ["create:ignore-id"] })).exitCode).toBe(0);
  });

  it("is the environment's first", async () => {
    const env = { ...unset, INCIDENT_CLI_JOURNAL: "folder" };
    expect((await incident("create -f x.yaml", { files, env })).exitCode).toBe(0);
  });

  it("is shown without its password, in a file that others cannot read", async () => {
    const journal = `    journal: git+https://u:${encodeURIComponent(password)}@h.example/j\n`;
    const { screen } = await incident("config show", { files: { [config]: profile(journal) }, env: unset });
    expect(screen).toMatch(/^journal +git\+https:\/\/u:…@h\.example\/j +\S+config.yaml:7$/m);
    expect(screen).not.toContain("4f9e");
  });
});
