// The profile that a project's file names, and paths. fixtures/words/answered.txt has what `config show` prints.
import { expect, it } from "vitest";
import { config, incidentId, unset } from "../../harness/builders.ts";
import { access, createWorld, incident } from "../../harness/incident.ts";

const profiles = `profiles:\n  one: { baseUrl: ${access.baseUrl}, accountId: none, apiKey: ${access.apiKey} }\n`;

it("a project's file chooses a profile by its name", async () => {
  const files = { [config]: profiles, ".incident.yaml": "profile: one\n" };
  const { requests } = await incident(`get ${incidentId}`, { env: unset, files });
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${access.apiKey}`);
});

it("config show shortens the home directory at the beginning of a path, and not in an address", async () => {
  const world = createWorld();
  const journal = `git+file://${world.folder}/home/ops.git`;
  const { screen } = await world.run("config show", { env: { INCIDENT_CLI_JOURNAL: journal } });
  expect(screen).toContain(` ${journal} `);
  expect(screen).toMatch(/^stateDirectory +~\/\.local\/state\/incident-cli /m);
});

it("config show hides the login in each address", async () => {
  const env = {
    INCIDENT_CLI_BASE_URL: "https://operator:hunter2-secret@incidents.example",
    INCIDENT_CLI_WEB_URL: "https://hunter2-secret-token@incidents.example/{id}",
  };
  expect((await incident("config show -o json", { env })).screen).not.toContain("hunter2-secret");
});
