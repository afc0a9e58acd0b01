import { describe, expect, it } from "vitest";
import { incidentId as id } from "../../harness/builders.ts";
import { access, incident } from "../../harness/incident.ts";
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

  it("needs the key that the run needs, and never shows it", async () => {
    const env = { INCIDENT_CLI_API_KEY: "" };
    expect((await incident("create -f x.yaml --dry-run", { files, env })).exitCode).toBe(2);
    const withKey = await incident("create -f x.yaml --dry-run", { files });
    expect(withKey.exitCode).toBe(0);
    expect(withKey.screen).not.toContain(access.apiKey);
  });

  it("shows the end of a text of any length, which the digest covers", async () => {
    const text = definition.replace("looking into it.", `${"looking ".repeat(3000)}. The end`);
    const { exitCode, stdout } = await incident("create -f x.yaml --dry-run", { files: { "x.yaml": text } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('looking . The end","notifySubscribers":false}]');
  });
});
