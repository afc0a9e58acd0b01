import { describe, expect, it } from "vitest";
import { incidentId, serviceId } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";
import { byName, catalog, definition, sentBody } from "../sample-definition.ts";

const rest = "--name x --severity minor --message Down.";
const settings = (services: string) => `defaultProfile: shop
profiles:
  shop:
    baseUrl: http://127.0.0.1:1
    accountId: none
    apiKey: sk-secret-key-0123456789
    services: ${services}
`;
const fromProfile = { INCIDENT_CLI_BASE_URL: "", INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_ACCOUNT_ID: "" };
const configFile = "home/.config/incident-cli/config.yaml";

describe("--service", () => {
  it.each([
    ["a name of the catalog", "checkout", { name: "Checkout", id: serviceId }],
    ["NAME=GUID", `"Public API=${serviceId}"`, { name: "Public API", id: serviceId }],
    ["a name with an equals sign", `a=b=${serviceId}`, { name: "a=b", id: serviceId }],
    ["a GUID of the catalog", serviceId.toUpperCase(), { name: "Checkout", id: serviceId }],
  ])("takes %s", async (_, given, expected) => {
    const files = { ".incident.yaml": catalog };
    const { exitCode, requests } = await incident(`create ${rest} --service ${given}`, { files });
    expect(exitCode).toBe(0);
    expect(sentBody(requests).services).toMatchObject([expected]);
  });

  it("names a service of the sandbox in a rehearsal, which works there as printed", async () => {
    const world = createWorld({ env: { INCIDENT_CLI_SANDBOX: "http://127.0.0.1:1" } });
    const { exitCode, stderr } = await world.run(`create ${rest} --service Checkout`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.not.stringContaining("import") });
    const [printed] = /--service "Checkout=[^"]+"/.exec(stderr) ?? [];
    expect((await world.run(`create ${rest} ${printed}`)).exitCode).toBe(0);
    expect((await world.run("services list")).stderr).toContain(printed);
  });

  it.each([
    [
      serviceId,
      `error: --service: the catalog has no service ${serviceId}
  next: write its name as well: --service "NAME=${serviceId}"
`,
    ],
    [
      "Checkout=3f2b",
      `error: --service: "Checkout=3f2b" is not a name, an equals sign and a GUID
  next: write NAME=GUID; incident services import adds those that the service lists, or with an ID those of an incident
`,
    ],
    [
      "checkout",
      `error: --service: "checkout" is not in the catalog of services
  next: add it under "services:" in .incident.yaml, or write --service NAME=GUID; incident services import adds those that the service lists, or with an ID those of an incident
    # .incident.yaml
    services:
      checkout: { id: CHANGEME, name: checkout }
`,
    ],
  ])("explains what it cannot take: %s", async (given, text) => {
    const { exitCode, stderr, requests } = await incident(`create ${rest} --service ${given}`);
    expect({ exitCode, stderr, requests }).toEqual({ exitCode: 2, stderr: text, requests: [] });
  });
});

describe("the services of a profile", () => {
  const services = `{ checkout: { id: ${serviceId}, name: Checkout } }`;

  it("are known to files, flags and the list", async () => {
    const world = createWorld({
      files: { [configFile]: settings(services), "x.yaml": byName },
      env: fromProfile,
    });
    expect((await world.run("services list")).stdout).toBe(
      `NAME      SERVICE   ID\ncheckout  Checkout  ${serviceId}\n`,
    );
    expect((await world.run("validate x.yaml")).stdout).toBe("1 definition in 1 file: valid\n");
    const { stdout } = await world.run(`create ${rest} --service checkout --dry-run -o json`);
    expect(JSON.parse(JSON.parse(stdout).body).services).toMatchObject([{ name: "Checkout" }]);
  });

  it("stand beside those of the project, and win over them", async () => {
    const own = settings(`{ checkout: { id: ${incidentId}, name: Own } }`);
    const { stdout } = await incident("services list", {
      files: { [configFile]: own, ".incident.yaml": catalog },
      env: fromProfile,
    });
    expect(stdout).toContain(`checkout    Own         ${incidentId}`);
    expect(stdout).toContain("public-api  Public API");
  });

  it("do not count where the environment chooses another service", async () => {
    const { exitCode } = await incident("validate x.yaml", {
      files: { [configFile]: settings(services), "x.yaml": byName },
    });
    expect(exitCode).toBe(3);
  });

  it("are not written into the project's file by an import", async () => {
    const world = createWorld({ files: { "x.yaml": definition } });
    const { stdout } = await world.run("create x.yaml -o id");
    const { stderr } = await world.run(`services import ${stdout.trim()}`);
    expect(stderr).toBe("added checkout\n");
  });

  it("are checked where a name is used, without a value of the file in the message", async () => {
    const files = {
      [configFile]: settings("{ checkout: { id: sk-secret-key, name: Checkout } }"),
      "x.yaml": byName,
      "y.yaml": definition,
    };
    const { exitCode, stderr } = await incident("validate x.yaml", { files, env: fromProfile });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("config.yaml:7:33: error: this is not a GUID [not-a-guid]");
    expect(stderr).not.toContain("sk-secret-key");
    expect((await incident("validate y.yaml", { files, env: fromProfile })).exitCode).toBe(0);
  });
});

describe("files", () => {
  const files = { "x.yaml": definition, "y.yaml": definition.replace("fails", "is slow") };

  it.each(["create x.yaml y.yaml", "create -f x.yaml y.yaml", "create -f x.yaml -f y.yaml"])(
    "are named with and without -f: %s",
    async (line) => {
      const { exitCode, requests } = await incident(line, { files });
      expect({ exitCode, creates: requests.filter(({ method }) => method === "POST").length }).toEqual({
        exitCode: 0,
        creates: 2,
      });
    },
  );

  it.each(["validate -f x.yaml", "validate x.yaml", "new -f z.yaml"])(
    "are named with and without -f: %s",
    async (line) => {
      expect((await incident(line, { files })).exitCode).toBe(0);
    },
  );

  it("are not ids of incidents, which incident update changes", async () => {
    const { exitCode, stderr } = await incident(`create ${incidentId} --status resolved`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: ${incidentId} is the id of an incident, and a file is needed\n`);
    expect(stderr).toContain(`is changed by incident update ${incidentId}\n`);
  });
});
