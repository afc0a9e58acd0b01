// What each status of an answer to a create says: whether the next run may send the create again.
import { describe, expect, it } from "vitest";
import { judgeEnding } from "../../src/delivery/endings.ts";
import { Failure } from "../../src/failure.ts";
import type { Outcome } from "../../src/http/transport.ts";
import { createBody } from "../../src/incident/create-body.ts";
import { definition, definitionYaml, incidentId as id, numberedId } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { answer, createService, lost, refusal } from "./services-by-hand.ts";

const command = "create -f x.yaml --state-dir state --settle-for 1s --max-retries 0";

/** How often the same command sends when it is run twice. */
async function sendsOf(status: number) {
  const world = createWorld({ files: { "x.yaml": definitionYaml({ id }) } });
  const { sent, transport } = createService(() => refusal(status));
  const { exitCode } = await world.run(command, { transport });
  await world.run(command, { transport });
  return { isUncertain: exitCode === 8, sends: sent.length };
}

const unknown = [300, 301, 302, 303, 304, 305, 306, 309, 399, 408, 499, 500, 501, 502, 503, 504, 511, 599];
const refused = [
  307, 308, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 415, 418, 423, 451, 498,
];

describe("a create that is answered with", () => {
  it.each(unknown)("%i may have been accepted, so that it is not sent again", async (status) => {
    expect(await sendsOf(status)).toEqual({ isUncertain: true, sends: 1 });
  });

  it.each(refused)("%i was refused, so that the next run sends it again", async (status) => {
    expect(await sendsOf(status)).toEqual({ isUncertain: false, sends: 2 });
  });
});

describe("an ending of a create", () => {
  const other = numberedId(7);
  const to = (location: string, status = 303) => answer(status, "", { location });
  const shaped = (message: string) => answer(400, { statusCode: 400, error: "Bad Request", message });

  it.each<[string, Outcome, string | undefined, string, string[]]>([
    ["201 that cannot be read, with an id", answer(201, { id: other }), id, "unclear", [other]],
    ["202 with an id twice", answer(202, { id: other }, { location: `/a/${other}` }), id, "unclear", [other]],
    ["300 with an id in its body", answer(300, { id: other }), id, "unclear", []],
    ["503 with an id in its body", answer(503, { id: other }), id, "unclear", []],
    ["303 to an incident", to(`/incidents/${other}?a=b`), id, "unclear", [other]],
    ["303 to an incident elsewhere", to(`https://elsewhere.example/${other}`), id, "unclear", []],
    ["303 to another page", to(`/incidents/${other}/updates`), id, "unclear", []],
    ["303 to nothing", to("http://["), id, "unclear", []],
    ["a refusal of the id", shaped('"id" is not allowed'), id, "id-refused", []],
    ["the same without an id", shaped('"id" is not allowed'), undefined, "refused", []],
    ["a refusal of another field", shaped('"name" is too long'), id, "refused", []],
    ["a 400 of a gateway", answer(400, "<h1>Bad Request</h1>"), id, "refused", []],
    ["a conflict", refusal(409), id, "conflict", []],
    ["a conflict with an incident", to(`/incidents/${other}`, 409), id, "conflict", []],
    ["a refusal that leads to an incident", to(`/incidents/${other}`, 403), id, "refused", []],
    ["no answer", lost, id, "unclear", []],
    ["no connection", { phase: "unsent", reason: "refused", detail: "refused" }, id, "unsent", []],
  ])("%s is judged", (_, outcome, sent, kind, ids) => {
    const failure = new Failure("unavailable", "it failed", { hint: "wait" });
    const body = createBody(definition(), sent, undefined);
    expect(judgeEnding({ kind: "failed", outcome, failure }, body, "http://127.0.0.1:1")).toEqual({
      kind,
      outcome,
      failure,
      ids,
    });
  });
});
