// A create that the service refuses: its words stand at the lines of the definition.
import { describe, expect, it } from "vitest";
import { answer, createService } from "../../delivery/services-by-hand.ts";
import { definitionYaml, incidentId as id, serviceId } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const files = {
  "x.yaml": `id: ${id}
name: Checkout fails
severity: MAJOR
services:
  - name: Checkout
    id: ${serviceId}
incidentUpdates:
  - description: We are looking into it.
`,
  "catalog.yaml": definitionYaml({ services: "[checkout]" }),
  ".incident.yaml": `services:\n  checkout: { name: Checkout, id: ${serviceId} }\n`,
  "folder/x.yaml": definitionYaml({ id }),
  "folder/y.yaml": definitionYaml({ id: serviceId, name: "Refunds fail" }),
};

const refusing = (status: number, body: unknown) => createService(() => answer(status, body));

describe("a refused create", () => {
  it("without an account shows the line, the words and the ways to give one", async () => {
    const { exitCode, stderr } = await incident("create -f x.yaml --account none", { files });
    expect(exitCode).toBe(6);
    expect(stderr).toBe(`not notifying subscribers (Checkout)
x.yaml:5:5: error: the service refuses this: services[0].accountId is required [refused]
  5 |   - name: Checkout
    |     ^^^^^^^^^^^^^^
  fix: set the account in the settings, or write accountId into the service

error: the service refused the request (400: services[0].accountId is required)
  next: correct the part that it names, then run it again; incident contract pull saves the service's rules, so that validate can find such errors

the text for customers:
  Checkout fails

  We are looking into it.
`);
  });

  it.each<[string, number, unknown, string, string]>([
    [
      "x.yaml",
      400,
      { statusCode: 400, error: "Bad Request", message: '"severity" must be one of [HIGH]' },
      "3:11",
      '"severity" must be one of [HIGH]',
    ],
    [
      "x.yaml",
      422,
      { title: "Not valid", detail: '"incidentUpdates[0].description" is too short' },
      "8:18",
      '"incidentUpdates[0].description" is too short',
    ],
    ["x.yaml", 400, "incidentUpdates must contain 2 items", "8:3", "incidentUpdates must contain 2 items"],
    [
      "catalog.yaml",
      400,
      { message: '"services[0].team" is required' },
      "3:12",
      '"services[0].team" is required',
    ],
    ["x.yaml", 400, { message: '"region" is required' }, "1:1", '"region" is required'],
  ])("%s: %i %j is shown at %5$s", async (file, status, body, position, words) => {
    const { transport } = refusing(status, body);
    const { exitCode, stderr } = await incident(`create -f ${file}`, { files, transport });
    expect(exitCode).toBe(6);
    expect(stderr).toContain(`${file}:${position}: error: the service refuses this: ${words} [refused]\n`);
  });

  it("is data in JSON as well", async () => {
    const { transport } = refusing(422, { message: '"name" is too long' });
    const { stderr } = await incident("create -f x.yaml -o json", { files, transport });
    const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
    expect(error).toMatchObject({
      kind: "rejected",
      message: 'the service refused the request (422: "name" is too long)',
      diagnostics: [{ code: "refused", location: { file: "x.yaml", start: { line: 2, column: 7 } } }],
    });
  });

  it("shows control characters of the service escaped", async () => {
    const { transport } = refusing(422, { message: '"name" is \u001b[2JToo\u202elong' });
    const { stderr } = await incident("create -f x.yaml", { files, transport });
    for (const hidden of ["\u001b", "\u202e"]) expect(stderr).not.toContain(hidden);
    expect(stderr).toContain("Too");
  });

  it("names the definition of a batch that it is about", async () => {
    const world = createWorld({
      files: { ...files, "bad.yaml": definitionYaml({ name: "Pinned", services: "[checkout]" }) },
    });
    const { transport } = createService((body) =>
      body.name === "Pinned" ? answer(400, { message: '"services[0].id" must be known' }) : answer(201, body),
    );
    const { exitCode, stderr } = await world.run("create -f x.yaml -f bad.yaml", { transport });
    expect(exitCode).toBe(9);
    expect(stderr).toContain(
      'bad.yaml:3:12: error: the service refuses this: "services[0].id" must be known',
    );
  });

  it("in an apply shows the lines of every file", async () => {
    const { transport } = refusing(422, { message: '"severity" is unknown' });
    const { exitCode, stderr } = await incident("apply -f folder", { files, transport });
    expect(exitCode).toBe(6);
    expect(
      stderr.match(/^folder\/[xy]\.yaml:3:11: error: the service refuses this: "severity" is unknown/gm),
    ).toHaveLength(2);
  });

  it("that names no field has no diagnostic, and the text there is", async () => {
    const { transport } = refusing(400, "no such tenant");
    const { stderr } = await incident("create -f x.yaml", { files, transport });
    expect(stderr).toContain("error: the service refused the request (400: no such tenant)");
    expect(stderr).not.toContain("[refused]");
  });
});
