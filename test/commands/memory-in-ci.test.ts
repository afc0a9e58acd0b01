// A runner of CI that forgets its disk: what needs a journal that outlives it is refused before anything is read, or told.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { access, createWorld, incident } from "../harness/incident.ts";
import { lifeServices } from "../service/life/life-services.ts";

const root = new URL("../..", import.meta.url).pathname;
const files = { "a.yaml": definitionYaml({ id: incidentId }) };
const inProfile = {
  "home/.config/incident-cli/config.yaml": `defaultProfile: a
profiles:
  a:
    baseUrl: ${access.baseUrl}
    accountId: ${access.accountId}
    apiKey: ${access.apiKey}
    journal: folder
`,
};
const ofProfile = {
  INCIDENT_CLI_BASE_URL: undefined,
  INCIDENT_CLI_API_KEY: undefined,
  INCIDENT_CLI_ACCOUNT_ID: undefined,
};

describe("apply", () => {
  it("is refused in CI without a journal that outlives the runner, before anything is read or sent", async () => {
    const { exitCode, requests, stderr, stdout } = await incident("apply -f a.yaml", {
      env: { CI: "true" },
      files: { "a.yaml": "no definition" },
    });
    expect({ exitCode, requests, stdout }).toEqual({ exitCode: 2, requests: [], stdout: "" });
    expect(stderr).toContain("error: apply in CI needs a journal that outlives the runner");
    expect(stderr).toContain('permissions: { contents: write }\n    env: { INCIDENT_CLI_JOURNAL: "git:" }');
    expect(stderr).toContain(
      "INCIDENT_CLI_JOURNAL: git+https://gitlab-ci-token:$CI_JOB_TOKEN@$CI_SERVER_FQDN/$CI_PROJECT_PATH.git",
    );
    expect(stderr).toContain("INCIDENT_CLI_JOURNAL=folder");
  });

  it("names the lines to add in JSON as well", async () => {
    const { stderr } = await incident("apply -f a.yaml -o json", { env: { CI: "1" }, files });
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ kind: "usage", exitCode: 2, example: expect.stringContaining('"git:"') });
  });

  it.each([
    ["of the environment, on a runner that keeps its disk", { INCIDENT_CLI_JOURNAL: "folder" }, {}],
    ["of the profile", ofProfile, inProfile],
  ])("declares in CI with a journal %s", async (_, env, more) => {
    const result = await incident("apply -f a.yaml", {
      env: { CI: "true", ...env },
      files: { ...files, ...more },
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("1 created") });
  });

  it("keeps the folder outside of CI", async () => {
    expect(await incident("apply -f a.yaml", { env: { CI: "" }, files })).toMatchObject({ exitCode: 0 });
  });

  it("is told by a dry run, which goes on", async () => {
    const { exitCode, stderr } = await incident("apply -f a.yaml --dry-run", { env: { CI: "true" }, files });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      "warning: apply in CI needs a journal that outlives the runner: set INCIDENT_CLI_JOURNAL",
    );
  });
});

describe("an alert", () => {
  const [, open] = lifeServices[1] as (typeof lifeServices)[number];
  const create = "create a.yaml --dedup-key checkout";
  const warning = "this runner forgets its journal";

  it.each([
    ["replaced", { CI: "true" }, true],
    ["kept", { CI: "true" }, false],
    ["replaced", { CI: "true", INCIDENT_CLI_JOURNAL: "folder" }, false],
    ["replaced", {}, false],
  ] as const)(
    "is told that its key is forgotten where ids are %s, with %j: %s",
    async (ids, env, isWarned) => {
      const service = await open({ ids });
      const { transport } = service;
      const world = createWorld({
        transport,
        env: { ...service.env, ...env },
        files: { "a.yaml": definitionYaml() },
      });
      const { exitCode, stderr } = await world.run(create);
      expect({ exitCode, isWarned: stderr.includes(warning) }).toEqual({ exitCode: 0, isWarned });
      if (isWarned) expect(stderr).toContain("share a journal with INCIDENT_CLI_JOURNAL");
    },
  );

  it.each([
    [{ CI: "true" }, true],
    [{}, false],
  ])(
    "is told that its incident may still be open where its end finds none, with %j: %s",
    async (env, isWarned) => {
      const service = await open({ ids: "replaced" });
      const world = createWorld({
        transport: service.transport,
        env: { ...service.env, ...env },
        files: {
          "incident-templates/alertmanager.yaml": readFileSync(
            `${root}fixtures/incident-templates/alertmanager.yaml`,
            "utf8",
          ),
          "end.json": readFileSync(`${root}fixtures/alerts/alertmanager-resolved.json`, "utf8"),
        },
      });
      const { exitCode, stderr } = await world.run("create --template alertmanager --vars end.json");
      expect({ exitCode, isWarned: stderr.includes(warning) }).toEqual({ exitCode: 0, isWarned });
    },
  );
});
