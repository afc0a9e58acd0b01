// The files that each released version wrote keep their meaning: profiles, the project file, drafts and contracts. The
// journals have tests of their own, test/journal/version-*.test.ts.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { access, definitionYaml } from "./harness/builders.ts";
import { vendorText } from "./harness/contracts.ts";
import { createWorld, type World } from "./harness/incident.ts";

const released = new URL("../fixtures/released/", import.meta.url).pathname;
/** A version whose files have the format of the version before it keeps its interface alone. */
const versions = readdirSync(released).filter((version) =>
  readdirSync(join(released, version)).some((name) => name !== "interface.txt"),
);

/** A world with the files of a version, and no settings in the environment. */
function createOldWorld(version: string): World {
  const world = createWorld({
    env: { INCIDENT_CLI_BASE_URL: "", INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_ACCOUNT_ID: "" },
    terminal: { stdin: true, stdout: true, stderr: true },
    sandbox: { apiKey: `a-key-of-version-${version}`, accountId: access.accountId },
  });
  const places = {
    "config.yaml": "home/.config/incident-cli/config.yaml",
    "incident.yaml": ".incident.yaml",
    "draft.json": "home/.local/state/incident-cli/draft.json",
  };
  for (const [name, place] of Object.entries(places)) {
    mkdirSync(dirname(join(world.folder, place)), { recursive: true, mode: 0o700 });
    const text = readFileSync(join(released, version, name), "utf8");
    writeFileSync(join(world.folder, place), text, { mode: 0o600 });
  }
  return world;
}

describe.each(versions)("the files of %s", (version) => {
  it("are kept for each kind that the version wrote", () => {
    for (const name of ["journal.json", "config.yaml", "incident.yaml", "draft.json"])
      expect(existsSync(join(released, version, name)), name).toBe(true);
  });

  it("give the same settings", async () => {
    const world = createOldWorld(version);
    const { exitCode, stdout, stderr } = await world.run("config show -o json");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const { settings } = JSON.parse(stdout) as { settings: { name: string; value: string }[] };
    const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({
      profile: "production",
      baseUrl: "http://127.0.0.1:47811",
      apiKey: `…${version.slice(-4)}`,
      accountId: access.accountId,
      clientIds: "honoured",
    });
  });

  it("resume the draft, with the service of the catalog", async () => {
    const world = createOldWorld(version);
    const { screen } = await world.run("create", { answers: ["Continue it"] });
    expect(screen).toContain('? You did not finish "Checkout fails"');
    expect((await world.run("services list -o id")).stdout).toBe("3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b\n");
  });
});

describe("the contract of 0.2.0", () => {
  const contract = readFileSync(join(released, "0.2.0/incident.contract.json"), "utf8");
  const twice = definitionYaml({ incidentUpdates: "[{ description: One. }, { description: Two. }]" });

  it("is read, and checks definitions as before", async () => {
    const world = createWorld({ files: { "incident.contract.json": contract, "x.yaml": twice } });
    const { exitCode, stderr } = await world.run("validate x.yaml");
    expect(exitCode).toBe(3);
    expect(stderr).toContain("the service requires exactly 1 entry in incidentUpdates, not 2 [contract]");
    const shown = await world.run("contract show -o json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ source: { from: "openapi.json", date: "2026-11-22" } });
  });

  it("is what the same document gives now", async () => {
    const files = { "incident.contract.json": contract, "openapi.json": vendorText };
    const world = createWorld({ files });
    const { exitCode, stdout } = await world.run("contract pull --from openapi.json -o json");
    expect({ exitCode, written: JSON.parse(stdout).written }).toEqual({ exitCode: 0, written: false });
  });
});
