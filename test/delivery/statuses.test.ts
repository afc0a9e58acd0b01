// What each ending of a create says: whether it may have been accepted, and whether the id was the reason.
import { describe, expect, it } from "vitest";
import { judgeEnding } from "../../src/delivery/attempt.ts";
import { Failure } from "../../src/failure.ts";
import type { Outcome } from "../../src/http/transport.ts";
import { numberedId } from "../harness/builders.ts";
import { answer, lost, refusal } from "./services-by-hand.ts";

const failure = new Failure("unavailable", "it failed", { hint: "wait" });

const judge = (outcome: Outcome, hasId = true) => judgeEnding({ outcome, failure }, { hasId });

const unknown = [300, 301, 302, 303, 304, 305, 306, 309, 399, 408, 499, 500, 501, 502, 503, 504, 511, 599];
const refused = [307, 308, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 415, 418, 423, 451, 498];

describe("a create that is answered with", () => {
  it.each(unknown)("%i may have been accepted", (status) => {
    expect(judge(refusal(status)).kind).toBe("unclear");
  });

  it.each(refused)("%i was refused", (status) => {
    expect(judge(refusal(status)).kind).toBe("refused");
  });
});

describe("an ending of a create", () => {
  const other = numberedId(7);
  const to = (location: string, status = 303) => answer(status, "", { location });
  const shaped = (message: string) => answer(400, { statusCode: 400, error: "Bad Request", message });

  it.each<[string, Outcome, string, boolean?]>([
    ["201 that cannot be read, with an id", answer(201, { id: other }), "unclear"],
    ["303 to an incident", to(`/incidents/${other}?a=b`), "unclear"],
    ["a refusal of the id", shaped('"id" is not allowed'), "id-refused"],
    ["the same without an id", shaped('"id" is not allowed'), "refused", false],
    ["a refusal of another field", shaped('"name" is too long'), "refused"],
    ["a 400 of a gateway", answer(400, "<h1>Bad Request</h1>"), "refused"],
    ["a conflict", refusal(409), "conflict"],
    ["a conflict with an incident", to(`/incidents/${other}`, 409), "conflict"],
    ["a refusal that leads to an incident", to(`/incidents/${other}`, 403), "refused"],
    ["no answer", lost, "unclear"],
    ["no connection", { phase: "unsent", reason: "connection", detail: "refused" }, "unsent"],
  ])("%s is judged", (_, outcome, kind, hasId) => {
    expect(judge(outcome, hasId)).toEqual({ kind, outcome, failure });
  });
});
