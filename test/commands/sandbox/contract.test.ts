// `incident sandbox --contract`: the documents that it takes and refuses, and the incidents that it keeps.
import { describe, expect, it } from "vitest";
import { renderYaml } from "../../../src/source/yaml/render-yaml.ts";
import { definitionYaml, incidentId } from "../../harness/builders.ts";
import { type Json, nodeAt, vendorDocument, vendorWith } from "../../harness/contracts.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const create = "incident create -f x.yaml -o id";

const rehearse = (document: Json, line = `-- ${create}`, files: Record<string, string> = {}) =>
  incident(`sandbox --contract openapi.yaml ${line}`, {
    files: { "x.yaml": definitionYaml({ id: incidentId }), "openapi.yaml": renderYaml(document), ...files },
  });

describe("the document of --contract", () => {
  it("can be YAML", async () => {
    const accepted = await rehearse(vendorDocument());
    expect(accepted).toMatchObject({ exitCode: 0, stdout: `${incidentId}\n` });
    const refused = await rehearse(vendorWith("IncidentCreate properties name", { maxLength: 5 }));
    expect(refused.exitCode).toBe(6);
    expect(refused.stderr).toContain(
      "x.yaml:2:7: error: the service refuses this: name is invalid: the service requires at most 5 characters in name, not 14",
    );
  });

  it("is no fault of a rehearsal", async () => {
    const { exitCode, stdout } = await rehearse(vendorDocument(), "-- incident doctor");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^note +contract +incidentUpdates: exactly 1 entry/m);
  });

  it("is refused at the start for a reference to nothing, wherever it is", async () => {
    const document = vendorWith("Service properties name", { $ref: "#/components/schemas/Gone" });
    const { exitCode, stderr } = await rehearse(document);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: openapi.yaml has a reference at #/components/schemas/Service/properties/name, which leads nowhere in it
  next: name the service's OpenAPI document, or a file of incident contract pull, with --contract; nothing was started
`,
    });
  });

  it("has its unchecked patterns named at the start", async () => {
    const { exitCode, stderr } = await rehearse(
      vendorWith("IncidentCreate properties name", { pattern: "^(?!X)" }),
    );
    expect(exitCode).toBe(0);
    expect(stderr.split("\n")[0]).toBe(
      "warning: the pattern at #/components/schemas/IncidentCreate/properties/name cannot be matched in linear time, and the sandbox does not check it: ^(?!X)",
    );
  });
});

/** The vendor's document with a form as the body of a create. */
function withForm(): Json {
  const document = vendorDocument();
  const { post } = nodeAt(document, "paths /v1/status-pages/incidents") as { post: Json };
  post.requestBody = { content: { "application/x-www-form-urlencoded": {} } };
  return document;
}

describe("a document that the sandbox cannot be the service of", () => {
  it.each([
    ["has no POST /v1/status-pages/incidents", { openapi: "3.1.0", paths: {} }],
    ["has a create without a JSON body, which a sandbox cannot serve", withForm()],
  ])("is refused: it %s", async (problem, document) => {
    const { exitCode, stderr } = await rehearse(document as Json);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: openapi.yaml ${problem}`);
  });
});

describe("the contract of a project", () => {
  const pulled = async (document: Json) => {
    const world = createWorld({
      files: { "x.yaml": definitionYaml({ id: incidentId }), "openapi.yaml": renderYaml(document) },
    });
    expect(await world.run("contract pull --from openapi.yaml")).toMatchObject({ exitCode: 0 });
    return world;
  };
  const short = vendorWith("IncidentCreate properties name", { maxLength: 5 });
  const send = "incident create -f x.yaml -o id --no-project";

  it("is that of the sandbox, without a flag and with its file", async () => {
    const world = await pulled(short);
    for (const flag of ["", "--contract incident.contract.json"]) {
      const { exitCode, stderr } = await world.run(`sandbox ${flag} -- ${send}`);
      expect(exitCode).toBe(6);
      expect(stderr).toContain(
        "the service refuses this: name is invalid: the service requires at most 5 characters in name, not 14",
      );
    }
  });

  it("is left out with --no-project", async () => {
    const world = await pulled(short);
    expect(await world.run(`--no-project sandbox -- ${send}`)).toMatchObject({
      exitCode: 0,
      stdout: `${incidentId}\n`,
    });
  });

  it("matches the document that the sandbox then publishes", async () => {
    const world = await pulled(vendorDocument());
    const { exitCode, stderr } = await world.run("sandbox -- incident contract check");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining("matches incident.contract.json"),
    });
  });
});
