import { describe, expect, it } from "vitest";
import { incidentId as id } from "../../harness/builders.ts";
import { access, createWorld, incident } from "../../harness/incident.ts";
import { definition } from "../sample-definition.ts";

const other = definition.replace(/^name:.*/m, "name: Search is slow");
const files = { "x.yaml": `id: ${id}\n${definition}`, "two.yaml": `${definition}---\n${other}` };

describe("incident create --dry-run", () => {
  it("shows the request and the missing checks, and sends nothing", async () => {
    const { exitCode, stdout, stderr, requests } = await incident("create -f x.yaml --dry-run", { files });
    // It reads as the run reads.
    expect({ exitCode, sent: requests.map(({ method }) => method) }).toEqual({ exitCode: 0, sent: ["GET"] });
    expect(stdout).toBe(`POST http://127.0.0.1:1/v1/status-pages/incidents
authorization: Bearer (your API key)
accept: application/json
x-service-account: ${access.accountId}
content-type: application/json

{"name":"Checkout fails","severity":"MAJOR","services":[{"name":"Checkout","id":"3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b","accountId":"${access.accountId}"}],"incidentUpdates":[{"description":"We are looking into it.","notifySubscribers":false}],"id":"${id}"}
`);
    expect(stderr).toContain("nothing was sent");
  });

  it("shows the same body that a create sends", async () => {
    const world = createWorld({ files });
    const { stdout } = await world.run("create -f x.yaml --dry-run -o json");
    const { requests } = await world.run("create -f x.yaml");
    const sent = requests.find(({ method }) => method === "POST");
    const shown = JSON.parse(stdout);
    expect(shown.body).toBe(sent?.body);
    // The transport adds the name of the sender, which is not part of what is confirmed.
    const { "accept-encoding": _, authorization, "user-agent": sender, ...headers } = sent?.headers ?? {};
    const { command: __, confirm: ___, ...request } = shown;
    expect(request).toEqual({ method: "POST", url: sent?.url, headers, body: sent?.body });
    expect(authorization).toContain(access.apiKey);
    expect(sender).toMatch(/^incident-cli\//);
  });

  it("needs the key that the run needs, and never shows it", async () => {
    const env = { INCIDENT_CLI_API_KEY: "" };
    const without = await incident("create -f x.yaml --dry-run", { files, env });
    const withKey = await incident("create -f x.yaml --dry-run", { files });
    expect([without.exitCode, withKey.exitCode]).toEqual([2, 0]);
    expect(withKey.screen).not.toContain(access.apiKey);
  });

  it("shows several requests as an array", async () => {
    const { stdout, stderr } = await incident("create -f two.yaml --dry-run -o json", { files });
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(stderr).toBe("");
  });
});
