// Answers that are not what was asked for: to a create, and to a read. None is taken for the incident, and none leads
// to a second create.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/http/transport.ts";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { answer, createService, incidentOf, lost, refusal } from "../services-by-hand.ts";

const other = "00000000-0000-4000-8000-00000000abcd";
const text = definitionYaml({ id });
const files = { "x.yaml": text, "plain.yaml": definitionYaml(), "folder/x.yaml": text };
const flags = "--settle-for 1s";
const create = `create -f x.yaml -o id ${flags}`;

describe("a success of a create with the content of another incident", () => {
  it.each([
    [200, id],
    [202, id],
    [201, other],
    [200, other],
  ])("%s, under the id %s, is not this incident", async (status, given) => {
    const world = createWorld({ files });
    const wrong = incidentOf({ id: given, name: "Search fails", severity: "MINOR" });
    const { sent, transport } = createService(answer(status, wrong), (asked) =>
      asked === given && sent.length > 0 ? answer(200, wrong) : refusal(404),
    );
    const first = await world.run(create, { transport });
    expect(first).toMatchObject({ exitCode: 8, stdout: "" });
    expect(first.stderr).toContain(`incident journal settle ${id} --created`);
    expect((await world.run(create, { transport })).exitCode).toBe(8);
    expect(sent).toHaveLength(1);
  });

  it.each([
    [200, id, { name: "Search fails" }],
    [201, id, { severity: "MINOR" }],
    [201, id, { name: "Search fails", services: [] }],
    [201, other, { name: "Search fails" }],
  ])("%s, under the id %s, is this incident where the service edits %j", async (status, given, fields) => {
    const world = createWorld({ files });
    const edited = incidentOf({ id: given, ...fields });
    const { sent, transport } = createService(answer(status, edited), (asked) =>
      asked === given && sent.length > 0 ? answer(200, edited) : refusal(404),
    );
    const first = await world.run(create, { transport });
    expect(first).toMatchObject({ exitCode: 0, stdout: `${given}\n` });
    expect(first.stderr).toContain(`warning: incident ${given} differs from its definition: `);
    expect(await world.run(create, { transport })).toMatchObject({ exitCode: 0, stdout: `${given}\n` });
    expect(sent).toHaveLength(1);
  });
});

it("a 201 with the incident of an earlier create is not a new one, also where all of it is equal", async () => {
  const world = createWorld({ files });
  const resolved = incidentOf({ id: other, lastUpdateStatus: "RESOLVED" });
  const { sent, transport } = createService(answer(201, resolved), (asked) =>
    asked === other ? answer(200, resolved) : refusal(404),
  );
  const earlier = await world.run(`create -f plain.yaml -o id ${flags}`, { transport });
  expect(earlier).toMatchObject({ exitCode: 0, stdout: `${other}\n` });
  for (const _ of [1, 2]) {
    const next = await world.run(create, { transport });
    expect(next).toMatchObject({ exitCode: 8, stdout: "" });
    expect(sent).toHaveLength(2);
  }
});

describe("an answer to a read", () => {
  const wrongAnswers: [string, Outcome, number, string][] = [
    ["about another id", answer(200, incidentOf({ id: other })), 7, `another incident, ${other}`],
    ["that is a page of maintenance", answer(200, "<html>Back soon</html>"), 7, "the answer is not JSON"],
    ["that is an error in a 200", answer(200, { statusCode: 503, error: "Oops" }), 7, "is not an incident"],
    ["that leads to a page of maintenance", refusal(302, { location: "/soon" }), 7, "a redirect to /soon"],
    ["that is a 404 of a gateway", answer(404, "no such app"), 7, "answered 404, but not as the service"],
    ["that is a gateway's 404 in JSON", answer(404, { message: "no Route matched" }), 7, "no Route matched"],
    ["that is a 400", refusal(400), 7, "the service refused the request (400"],
    ["that is a 409", refusal(409), 7, "the service refused the request (409"],
    [
      "with other content",
      answer(200, incidentOf({ name: "Search fails", severity: "MINOR" })),
      6,
      'severity is "MINOR", not "MAJOR"',
    ],
  ];

  it.each(wrongAnswers)(
    "%s keeps a create from being sent, and is not its incident",
    async (_, wrong, exitCode, message) => {
      const world = createWorld({ files });
      const { sent, transport } = createService(lost, wrong);
      const result = await world.run(create, { transport });
      expect(result).toMatchObject({ exitCode, stdout: "" });
      expect(result.stderr).toContain(message);
      expect(sent).toHaveLength(0);
    },
  );

  it.each(wrongAnswers)("%s settles nothing", async (_, wrong) => {
    const world = createWorld({ files });
    const { sent, transport } = createService(lost, () => (sent.length === 0 ? refusal(404) : wrong));
    expect((await world.run(create, { transport })).exitCode).toBe(8);
    for (const line of [create, `apply -f folder ${flags}`, `journal settle ${id} ${flags}`]) {
      const result = await world.run(line, { transport });
      expect(result.exitCode, line).toBe(8);
      expect(result.stderr).toContain(`incident journal settle ${id}`);
    }
    const list = await world.run(`journal list -o json ${flags}`);
    expect(JSON.parse(list.stdout)).toMatchObject([{ id, state: "uncertain" }]);
    expect(sent).toHaveLength(1);
  });

  const reads = ["", "-o json", "--wait-for resolved --wait-timeout 1m", "--watch"];
  it.each(reads)("about another id is not the answer to get %s", async (more) => {
    const world = createWorld({ files });
    const terminal = { stdin: true, stdout: true, stderr: true, columns: 200 };
    const { transport } = createService(
      lost,
      answer(200, incidentOf({ id: other, lastUpdateStatus: "RESOLVED" })),
    );
    const result = await world.run(`get ${id} ${more}`, { transport, terminal });
    expect(result.exitCode).toBe(7);
    expect(result.stdout).not.toContain("Checkout fails");
    expect(result.stderr).toContain(`the answer is about another incident, ${other}`);
  });
});

describe("an answer to a create that names another id", () => {
  it.each([
    ["of another incident", JSON.stringify(incidentOf({ id: other, name: "Search", severity: "MINOR" }))],
    ["and breaks off", `{"id":"${other}","name":"Check`],
    ["and is no JSON", `{"id":"${other}",}`],
  ])("%s proves nothing, and is settled by a person", async (_, body) => {
    const world = createWorld({ files });
    const { sent, transport } = createService(() => answer(201, body));
    const first = await world.run(create, { transport });
    expect(first).toMatchObject({ exitCode: 8, stdout: "" });
    expect(first.stderr).toContain(`incident journal settle ${id} --created`);
    expect((await world.run(create, { transport })).exitCode).toBe(8);
    const settle = `journal settle ${id} --created --service-id ${other} --yes ${flags}`;
    expect((await world.run(settle, { transport })).exitCode).toBe(0);
    const open: typeof transport = async ({ url }) =>
      url.endsWith(other) ? answer(200, incidentOf({ id: other })) : refusal(404);
    expect(await world.run(create, { transport: open })).toMatchObject({ exitCode: 0, stdout: `${other}\n` });
    expect((await world.run(`gate ${flags}`, { transport: open })).exitCode).toBe(12);
    expect(sent).toHaveLength(1);
  });
});

describe("a body that is too much", () => {
  it.each([500, 403])("of %s is stored in part, and the journal stays readable", async (statusCode) => {
    const world = createWorld({ files });
    const message = "x".repeat(16_000_000);
    const { transport } = createService(() => answer(statusCode, { statusCode, error: "Error", message }));
    const first = await world.run(create, { transport });
    expect(first.exitCode).toBe(statusCode === 500 ? 8 : 4);
    expect(first.stderr.length).toBeLessThan(50_000);
    const folder = join(world.folder, "home/.local/state/incident-cli/journal");
    const sizes = fs.readdirSync(folder).map((name) => fs.statSync(join(folder, name)).size);
    expect(Math.max(...sizes)).toBeLessThan(10_000);
    expect((await world.run(`journal show ${id} ${flags}`)).exitCode).toBe(0);
  });

  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const bodies: [string, string][] = [
    ["is deep", JSON.stringify(incidentOf({ more: 0 })).replace('"more":0', `"more":${deep}`)],
    [
      "is deep where it is drawn",
      JSON.stringify(incidentOf({ created_at: 0 })).replace('"created_at":0', `"created_at":${deep}`),
    ],
    [
      "has words of prototypes",
      JSON.stringify(incidentOf({ constructor: 1, toString: 2, hasOwnProperty: 3 })).replace(
        "{",
        '{"__proto__":{"x":1},',
      ),
    ],
    ["has 5 MB", JSON.stringify(incidentOf({ more: "x".repeat(5_000_000) }))],
  ];
  it.each(bodies)("of a 201 that %s: the id is recorded and told", async (_, body) => {
    for (const format of ["table", "json", "markdown", "id"]) {
      const world = createWorld({ files });
      const { sent, transport } = createService(answer(201, body), () =>
        sent.length === 0 ? refusal(404) : answer(200, body),
      );
      const first = await world.run(`create -f x.yaml -o ${format} ${flags}`, { transport });
      expect(first, format).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(id) });
      if (format === "json") expect(JSON.parse(first.stdout)).toMatchObject({ id });
      const again = await world.run(create, { transport });
      expect(again, format).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
      expect(sent).toHaveLength(1);
    }
  });
});
