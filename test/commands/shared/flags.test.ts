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

  it.each([
    ["two.yaml --name x", "the flags that set fields are ambiguous: there are several definitions"],
    ["x.yaml -f name.yaml --severity minor", "are ambiguous: there are several definitions"],
    ["history.yaml --message x", "are ambiguous: the definition has 2 updates"],
    ["history.yaml --status resolved", "are ambiguous: the definition has 2 updates"],
    ["history.yaml --no-notify", "are ambiguous: the definition has 2 updates"],
    ["x.yaml --severity high", '--severity: "high" is not a severity'],
    ["x.yaml --status fixed", '--status: "fixed" is not a status'],
    ["x.yaml --name ' '", "--name: name is blank"],
    ["x.yaml --message ' '", "--message: description is blank"],
    ["x.yaml --service chekout", "did you mean checkout?"],
    [
      "x.yaml --severity high --service chekout --status fixed",
      '--service: "chekout" is not in the catalog of services: write one of checkout, public-api, or write --service NAME=GUID; did you mean checkout?; --severity: "high" is not a severity: write one of CRITICAL, MAJOR, MEDIUM, MINOR; --status: "fixed" is not a status: write one of',
    ],
    ["x.yaml --notify --no-notify", "option '--notify' cannot be used with option '--no-notify'"],
    ["x.yaml -o curl", "table, json, id, markdown"],
  ])("but are ambiguous for -f %s, which is a usage error", async (line, text) => {
    const { exitCode, stdout, stderr, requests } = await incident(`create -f ${line}`, { files });
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: "", requests: [] });
    expect(stderr).toContain(text);
    expect(stderr).toContain("next:");
  });
});

describe("flags alone", () => {
  it.each([
    ["--name x", "--severity, --service and --message must be given"],
    ["--status resolved", "--name, --severity, --service and --message must be given"],
    [
      "--name x --severity major --service checkout --status resolved",
      "without a file, --message must be given",
    ],
  ])("are a usage error where a field is missing: %s", async (flags, text) => {
    const { exitCode, stderr, requests } = await incident(`create ${flags}`, { files });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toContain(text);
  });
});
