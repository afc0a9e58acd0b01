import { describe, expect, it } from "vitest";
import { definitionYaml, serviceId } from "../../harness/builders.ts";
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
});

it("a catalog that cannot be used is told once for several flags", async () => {
  const files = { ".incident.yaml": "services: { a: 1 }\n", "x.yaml": definition };
  const { exitCode, stderr } = await incident("create x.yaml --service a --service b", { files });
  expect(exitCode).toBe(3);
  expect(stderr.match(/cannot be used/g)).toHaveLength(1);
});

describe("files", () => {
  const files = { "x.yaml": definition, "y.yaml": definition.replace("fails", "is slow") };

  it.each(["create x.yaml y.yaml", "create -f x.yaml y.yaml", "create -f x.yaml -f y.yaml"])(
    "are named with and without -f: %s",
    async (line) => {
      expect(await incident(line, { files })).toMatchObject({ exitCode: 0, posts: 2 });
    },
  );

  it.each(["validate -f x.yaml", "validate x.yaml", "new -f z.yaml"])(
    "are named with and without -f: %s",
    async (line) => {
      expect((await incident(line, { files })).exitCode).toBe(0);
    },
  );
});

describe("an entry of services", () => {
  it("is a name of the catalog alone, also where the catalog has an id twice", async () => {
    const own = `services:\n  checkout: { id: ${serviceId}, name: Checkout }\n  mail: { id: ${serviceId}, name: Mail of EU }\n`;
    const files = (service: string) => ({
      ".incident.yaml": own,
      "x.yaml": definitionYaml({ services: `[${service}]` }),
    });
    const twice = await incident("validate x.yaml", { files: files("mail") });
    expect(twice.stderr).toContain(
      'the catalog has this id for checkout, and here it stands for "Mail of EU"',
    );
    const shown = await incident("validate x.yaml", { files: files("Mail of EU") });
    expect(shown.stderr).toContain("did you mean mail?");
  });
});
