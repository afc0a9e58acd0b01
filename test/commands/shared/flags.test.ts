// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { describe, expect, it } from "vitest";
import { serviceId } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";
import { byName, catalog, definition, sentBody } from "../sample-definition.ts";

const files = {
  ".incident.yaml": catalog,
  "x.yaml": definition,
  "name.yaml": byName,
  "bare.yaml": "services: [checkout]\n",
  "two.yaml": `${definition}---\n${definition}`,
  "history.yaml": `${definition.replace(/^incidentUpdates.*\n/m, "")}incidentUpdates:\n- description: a\n- description: b\n`,
};
const checkout = {
  name: "Checkout",
  id: serviceId,
  accountId: "11111111-2222-4333-8444-555555555555",
  created_at: "2026-01-02",
};

describe("flags override the file", () => {
  it.each([
    ["--name Other", { name: "Other" }],
    ["--severity minor", { severity: "MINOR" }],
    ["--service checkout", { services: [checkout] }],
    ["--service public-api --service checkout", { services: [{ name: "Public API" }, { name: "Checkout" }] }],
    ["--message Fixed.", { incidentUpdates: [{ description: "Fixed." }] }],
    [
      "--status Monitoring",
      { incidentUpdates: [{ description: "We are looking into it.", status: "MONITORING" }] },
    ],
    ["--notify", { incidentUpdates: [{ description: "We are looking into it.", notifySubscribers: true }] }],
    ["--no-notify", { incidentUpdates: [{ notifySubscribers: false }] }],
    ["--name '${region}'", { name: "${region}" }],
  ])("%s", async (flags, expected) => {
    const { exitCode, requests } = await incident(`create -f x.yaml ${flags}`, { files });
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject(expected);
  });

  it("and set fields that the file omits", async () => {
    const { exitCode, requests } = await incident(
      "create -f bare.yaml --name x --severity MAJOR --message Down. --notify",
      { files },
    );
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject({
      name: "x",
      services: [checkout],
      incidentUpdates: [{ description: "Down.", notifySubscribers: true }],
    });
  });
});
