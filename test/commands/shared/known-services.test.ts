import { describe, expect, it } from "vitest";
import { serviceId } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";
import { catalog, definition, sentBody } from "../sample-definition.ts";

const rest = "--name x --severity minor --message Down.";

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

  it.each([
    [
      serviceId,
      `error: --service: the catalog has no service "${serviceId}"
  next: write its name and its GUID, as NAME=GUID; incident services import adds those that the service lists, or with an ID those of an incident
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
});
