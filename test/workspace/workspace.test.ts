// The files around a run: the project's file with a catalog and a policy, the contract, and the profile.
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import type { Files } from "../../src/platform/context.ts";
import { access, serviceId } from "../harness/builders.ts";
import { contractWith } from "../harness/contracts.ts";
import { createWorld } from "../harness/incident.ts";

const project = `profile: shop
definitions: [incidents]
services:
  checkout: { id: ${serviceId}, name: Checkout }
  billing: { id: 9a1d3c52-7425-40de-944b-e07fc1f90ae7, name: Billing }
policy:
  name: { maxLength: 100 }
`;
const profile = `profiles:
  shop:
    baseUrl: ${access.baseUrl}
    accountId: ${access.accountId}
    apiKey: ${access.apiKey}
`;
const definition = `id: 4f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b
name: Down
severity: MAJOR
services: [checkout, billing]
incidentUpdates:
  - description: We are looking into it.
`;

describe("in a project with a catalog, a policy, a contract and a profile", () => {
  it.each([
    "validate",
    "create incidents/x.yaml",
    "create incidents/x.yaml --dry-run",
    "apply --yes",
    "gate -f incidents",
  ])("incident %s reads each file once", async (line) => {
    const opened: string[] = [];
    const counting = (files: Files): Files => ({
      ...files,
      openSync: (path, ...rest) => {
        opened.push(basename(String(path)));
        return files.openSync(path, ...rest);
      },
    });
    const { exitCode, stderr } = await createWorld({
      wrapFiles: counting,
      sandbox: { onlySpec: false },
      env: { INCIDENT_CLI_BASE_URL: "", INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_ACCOUNT_ID: "" },
      files: {
        ".incident.yaml": project,
        "incident.contract.json": contractWith({ type: "object" }),
        "home/.config/incident-cli/config.yaml": profile,
        "incidents/x.yaml": definition,
      },
    }).run(line);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) });
    const ofProject = [".incident.yaml", "config.yaml", "incident.contract.json", "x.yaml"];
    expect(opened.filter((name) => ofProject.includes(name)).sort()).toEqual(ofProject);
  });
});

it("--no-project continues beside a project's file that cannot be read", async () => {
  const denied = (files: Files): Files => ({
    ...files,
    openSync: (path, ...rest) => {
      if (basename(String(path)) === ".incident.yaml")
        throw Object.assign(new Error("denied"), { code: "EACCES" });
      return files.openSync(path, ...rest);
    },
  });
  const world = createWorld({
    wrapFiles: denied,
    files: {
      ".incident.yaml": project,
      "x.yaml": definition.replace("[checkout, billing]", `[{ id: ${serviceId}, name: Checkout }]`),
    },
  });
  expect((await world.run("validate x.yaml")).exitCode).toBe(2);
  expect((await world.run("create x.yaml --no-project")).exitCode).toBe(0);
});
