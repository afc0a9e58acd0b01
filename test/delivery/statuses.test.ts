// What each ending of a create says: whether it may have been accepted, and whether the id was the reason.
import { describe, expect, it } from "vitest";
import { judgeEnding } from "../../src/delivery/attempt.ts";
import { Failure } from "../../src/failure.ts";
import type { Outcome } from "../../src/http/transport.ts";
import { createBody } from "../../src/incident/create-body.ts";
import { definition, incidentId as id, numberedId } from "../harness/builders.ts";
import { answer, lost, refusal } from "./services-by-hand.ts";

const failure = new Failure("unavailable", "it failed", { hint: "wait" });

/** How the ending of a create is judged that carries the id `sent`. */
function judge(outcome: Outcome, sent: string | undefined) {
  const body = createBody(definition(), sent, undefined);
  return judgeEnding({ outcome, failure }, { hasId: body.id !== undefined });
}

const unknown = [300, 301, 302, 303, 304, 305, 306, 309, 399, 408, 499, 500, 501, 502, 503, 504, 511, 599];
const refused = [307, 308, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 415, 418, 423, 451, 498];

describe("a create that is answered with", () => {
  it.each(unknown)("%i may have been accepted", (status) => {
    expect(judge(refusal(status), id).kind).toBe("unclear");
  });

  it.each(refused)("%i was refused", (status) => {
    expect(judge(refusal(status), id).kind).toBe("refused");
  });
});

describe("an ending of a create", () => {
  const other = numberedId(7);
  const to = (location: string, status = 303) => answer(status, "", { location });
  const shaped = (message: string) => answer(400, { statusCode: 400, error: "Bad Request", message });

  it.each<[string, Outcome, string | undefined, string]>([
    ["201 that cannot be read, with an id", answer(201, { id: other }), id, "unclear"],
    ["303 to an incident", to(`/incidents/${other}?a=b`), id, "unclear"],
    ["a refusal of the id", shaped('"id" is not allowed'), id, "id-refused"],
    ["the same without an id", shaped('"id" is not allowed'), undefined, "refused"],
    ["a refusal of another field", shaped('"name" is too long'), id, "refused"],
    ["a 400 of a gateway", answer(400, "<h1>Bad Request</h1>"), id, "refused"],
    ["a conflict", refusal(409), id, "conflict"],
    ["a conflict with an incident", to(`/incidents/${other}`, 409), id, "conflict"],
    ["a refusal that leads to an incident", to(`/incidents/${other}`, 403), id, "refused"],
    ["no answer", lost, id, "unclear"],
    ["no connection", { phase: "unsent", reason: "connection", detail: "refused" }, id, "unsent"],
  ])("%s is judged", (_, outcome, sent, kind) => {
    expect(judge(outcome, sent)).toEqual({ kind, outcome, failure });
  });
});
