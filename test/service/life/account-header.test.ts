// A service whose account header has a name of its own: the base URL, the key and the account are enough for every command.
import { describe, expect, it } from "vitest";
import { answer, definitionYaml, incidentId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "./life-services.ts";

const [, open] = lifeServices[1] as (typeof lifeServices)[number];
const files = {
  "x.yaml": definitionYaml({ id: incidentId }),
  ".incident.yaml": "services: { search: { name: Search, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6c } }",
};

async function openVendor(accountHeader = "x-vendor-account") {
  const service = await open({ ids: "replaced", accountHeader });
  const env = { ...service.env, INCIDENT_CLI_ACCOUNT_HEADER: undefined };
  const fresh = () => createWorld({ env, transport: service.transport, files });
  return { ...service, env, fresh };
}

describe("three variables, from an empty disk", () => {
  it.each([
    "doctor",
    "get ID",
    "list",
    "gate --severity critical",
    "services import ID",
    "update ID --status monitoring --message Wait",
    "update ID --severity minor",
    "resolve ID --message Over",
    "create --name Another --severity minor --service search --message Wait --dedup-key a",
    "apply -f x.yaml",
    "get ID --wait-for investigating",
  ])("are enough for %s", async (line) => {
    const { fresh, incidents } = await openVendor();
    const created = await fresh().run("create -f x.yaml");
    expect(created).toMatchObject({ exitCode: 0 });
    const [incident] = incidents();
    const { exitCode, stderr } = await fresh().run(line.replace("ID", incident?.id ?? ""));
    expect(stderr).not.toMatch(/\b403\b/);
    expect(exitCode, stderr).toBe(0);
  });

  it("are named where a read is refused, and the document does not say the header", async () => {
    const { env } = await openVendor();
    const refused = { statusCode: 401, error: "Unauthorized", message: "Bad Token" };
    const transport = async () => answer(refused, 401);
    const { exitCode, stderr } = await createWorld({ env, transport }).run(`get ${incidentId}`);
    expect(exitCode).toBe(4);
    expect(stderr).toContain("the service names its account header otherwise than x-service-account");
    expect(stderr).toContain("set INCIDENT_CLI_ACCOUNT_HEADER");
  });
});

describe("a required header whose name says nothing of an account", () => {
  const lines = [
    "list",
    "gate --severity critical",
    "services import",
    "update ID --status monitoring --message Wait",
    "update ID --severity minor",
    "contract pull",
    "doctor",
  ];

  it.each(lines)("is that of the account where the setting names it: %s", async (line) => {
    const { fresh, incidents } = await openVendor("x-tenant");
    const env = { INCIDENT_CLI_ACCOUNT_HEADER: "X-Tenant" };
    expect(await fresh().run("create -f x.yaml", { env })).toMatchObject({ exitCode: 0 });
    const { exitCode, stderr } = await fresh().run(line.replace("ID", incidents()[0]?.id ?? ""), { env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringContaining("not in its") });
  });

  it.each([
    ["list", 4],
    ["update ID --status monitoring --message Wait", 4],
    ["update ID --severity minor", 4],
    ["doctor", 4],
    ["gate", 4],
  ])("is the setting that the refusal names where none does: %s", async (line, exitCode) => {
    const { fresh } = await openVendor("x-tenant");
    const result = await fresh().run(line.replace("ID", incidentId));
    const said = `${result.stdout}${result.stderr}`.replaceAll(/\s+/g, " ");
    expect({ exitCode: result.exitCode, said }).toEqual({
      exitCode,
      said: expect.stringContaining("INCIDENT_CLI_ACCOUNT_HEADER, or accountHeader in the profile"),
    });
  });
});
