// The operations that a service's document describes: the requests, and what their answers mean.
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/api/client.ts";
import type { Pages } from "../../src/document/contract.ts";
import type { Outcome, WireRequest } from "../../src/http/transport.ts";
import { version } from "../../src/version.ts";
import { access, answer, clientSettings, incidentId, numberedId, setting } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const incidents = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: numberedId(from + at), name: `Incident ${from + at}` }));

/** A client whose requests get these answers in turn. */
function clientWith(answers: readonly (Outcome | ((request: WireRequest) => Outcome))[]) {
  const left = [...answers];
  const requests: WireRequest[] = [];
  const settings = { ...clientSettings, accountHeader: setting("x-vendor-account") };
  const transport = async (request: WireRequest) => {
    requests.push(request);
    const next = left.shift() as Outcome | ((request: WireRequest) => Outcome);
    return typeof next === "function" ? next(request) : next;
  };
  const sent = () => requests.map(({ method, url }) => `${method} ${url.replace(access.baseUrl, "")}`);
  return { client: createClient(settings, transport, { deadline: 1000 }), requests, sent };
}

const path = "/v1/status-pages/incidents";
const self = { rel: "self", href: path };
const [toA, toB] = [{ nextId: "a" }, { nextId: "b" }];
const [pair, three] = [incidents(1, 2), incidents(1, 3)];
const untilEmpty = "3, all: ?page=1 ?page=2 ?page=3";
const cursor: Pages = {
  items: ["entries"],
  pageSize: { param: "limit", max: 2 },
  next: { kind: "cursor", param: "nextId" },
};
const numbered: Pages = { items: [], next: { kind: "page", param: "page", first: 1 } };

/** A page of a list with a cursor. */
const page = (from: number, n: number, fields: object = {}) => ({ entries: incidents(from, n), ...fields });
const one = "?limit=2";
const two = `${one} ?limit=2&nextId=a`;
const last = page(3, 1, { nextId: null });
const whole = { items: ["data"] };
const unasked: Pages = { items: ["data"], isPart: true };

/** How many entries are read of these pages, whether they are all, and the queries of the requests. */
type Row = readonly [name: string, pages: Pages, bodies: readonly unknown[], read: string];

const atBound: readonly Row[] = [
  ["ends at a repeated cursor", cursor, [page(1, 2, toA), page(3, 2, toA)], `4, perhaps more: ${two}`],
  ["ends at a page without a new id", cursor, [page(1, 2, toA), page(1, 2, toB)], `2, perhaps more: ${two}`],
  ["ends at its bound", cursor, [page(1, 4, toA), page(5, 4, toB)], `5, perhaps more: ${two}`],
  [
    "without a next page may have more than fill the page",
    { items: [], pageSize: { param: "limit", max: 3 } },
    [three],
    "3, perhaps more: ?limit=3",
  ],
];

const unaskedPages: readonly Row[] = [
  ["may have more", { items: [], isPart: true }, [three], "3, perhaps more: "],
  [
    "is complete where it has no more than its total",
    unasked,
    [{ data: three, count: 3, meta: { total_count: 3 } }],
    "3, all: ",
  ],
  ["may have more than a count of the page", unasked, [{ data: three, count: 3 }], "3, perhaps more: "],
  ["is complete where it is empty", { items: [], isPart: true }, [[]], "0, all: "],
];

const numberedPages: readonly Row[] = [
  ["counts its pages until one is empty", numbered, [incidents(1, 2), incidents(3, 1), []], untilEmpty],
  [
    "counts its pages until one is empty, whatever the others say",
    { ...numbered, items: ["data"] },
    [incidents(1, 2), incidents(3, 1), []].map((data) => ({ data, more: false, last: true })),
    untilEmpty,
  ],
  [
    "of pages whose first number is unknown begins without one, and takes the first page twice",
    { items: [], next: { kind: "page", param: "page" } },
    [incidents(1, 2), incidents(1, 2), incidents(3, 1), []],
    "3, all:  ?page=1 ?page=2 ?page=3",
  ],
];

const cursors: readonly Row[] = [
  ["ends at a null cursor", cursor, [page(1, 2, { nextId: "a b&c" }), last], `3, all: ${two}+b%26c`],
  ["ends at an empty cursor", cursor, [page(1, 2, { nextId: "" })], `2, all: ${one}`],
  [
    "is complete with the length of its last page, and without a cursor",
    cursor,
    [page(1, 2, { length: 2, nextId: "a" }), page(3, 1, { length: 1 })],
    `3, all: ${two}`,
  ],
  [
    "is complete with the length of all its pages",
    cursor,
    [page(1, 2, { length: 3, nextId: "a" }), { ...last, length: 3 }],
    `3, all: ${two}`,
  ],
  [
    "follows a cursor beside an empty page",
    cursor,
    [page(1, 2, toA), page(3, 0, toB), last],
    `3, all: ${two} ?limit=2&nextId=b`,
  ],
  ["follows a numeric cursor", cursor, [page(1, 2, { nextId: 7 }), last], `3, all: ${one} ${one}&nextId=7`],
  [
    "follows a cursor whose field has another name than its parameter",
    { items: ["entries"], next: { kind: "cursor", param: "cursor" } },
    [page(1, 2, { meta: { next_cursor: "a" } }), page(3, 1, { meta: { next_cursor: null } })],
    "3, all:  ?cursor=a",
  ],
  ["ends where has_more says so", cursor, [page(1, 2, { nextId: "a", has_more: false })], `2, all: ${one}`],
  [
    "follows an address in the answer, at the base URL of the settings",
    { items: ["entries"] },
    [page(1, 2, { next: `https://elsewhere.example/api${path}?after=2` }), page(3, 1, { next: null })],
    "3, all:  ?after=2",
  ],
  [
    "finds the cursor beside the envelope",
    { ...cursor, items: ["data", "entries"] },
    [{ data: page(1, 1), nextId: "a" }, { data: page(1, 0) }],
    `1, all: ${two}`,
  ],
];

const said: readonly Row[] = [
  ["without pages is complete", { items: [] }, [three], "3, all: "],
  ...["total", "totalCount", "total_items", "count", "length"].map((name): Row => {
    const pagination = { [name]: 4 };
    const pages = [page(1, 2, { nextId: "a", pagination }), { ...last, pagination }];
    return [`has more than was read where its ${name} says so`, cursor, pages, `3, perhaps more: ${two}`];
  }),
  ...[
    { more: true },
    { truncated: true },
    { last: false },
    { isLast: false },
    { page: 1, totalPages: 2 },
    { pagination: { current_page: 1, last_page: 2 } },
    { meta: { pagination: { total: 4 } } },
    { meta: { pagination: { next_page: 2 } } },
    { numFound: 4, start: 0 },
  ].map((fields): Row => {
    const pages = [{ data: pair, ...fields }];
    return [`may have more where it says ${JSON.stringify(fields)}`, whole, pages, "2, perhaps more: "];
  }),
  ...[{ stats: { updates: { total: 9 } } }, { account: { limits: { pages: 5 } } }].map((fields): Row => {
    const pages = [{ data: pair, ...fields }];
    return [`is complete beside ${JSON.stringify(fields)}, of something else`, whole, pages, "2, all: "];
  }),
  ...["truncated", "more", "isMore"].map((name): Row => {
    const fields = { [name]: false, last: true };
    const pages = [page(1, 2, { nextId: "a", ...fields }), { ...last, ...fields }];
    return [`goes on to its next page, whatever its ${name} says`, cursor, pages, `3, all: ${two}`];
  }),
  [
    "follows a link of a list of links",
    whole,
    [
      { data: pair, links: [self, { rel: "next", href: `${path}?page=2` }] },
      { data: incidents(3, 1), links: [self] },
    ],
    "3, all:  ?page=2",
  ],
  ["counts no object", whole, [{ data: pair, total: { toString: 1 }, pages: { valueOf: 1 } }], "2, all: "],
  [
    "is complete where its answer says that it is the last one",
    whole,
    [{ data: pair, last: true, more: false, totalPages: 1 }],
    "2, all: ",
  ],
  ...Object.entries({
    "a cursor that is an object": { nextId: { at: 1 } },
    "a cursor that is too long for an address": { nextId: "a".repeat(4097) },
    "a next page that no parameter asks for": { hasMore: true },
    "an address of another list": { nextId: null, next: "https://a.example/v1/others?cursor=a" },
  }).map(
    ([name, fields]): Row => [
      `may have more after ${name}`,
      cursor,
      [page(1, 2, fields)],
      `2, perhaps more: ${one}`,
    ],
  ),
];

describe("a list", () => {
  const unaskedRows = unaskedPages.map(([name, ...row]): Row => [`with unasked pages ${name}`, ...row]);

  it.each([...atBound, ...unaskedRows, ...numberedPages, ...cursors, ...said])(
    "%s",
    async (_, pages, bodies, read) => {
      const service = clientWith(bodies.map((body) => answer(body)));
      const { entries, isComplete } = await service.client.list("incidents", pages, { most: 5 });
      const queries = service.sent().map((line) => line.replace(`GET ${path}`, ""));
      expect(`${entries.length}, ${isComplete ? "all" : "perhaps more"}: ${queries.join(" ")}`).toBe(read);
    },
  );

  it.each([
    ["a Link", `<${path}?page=2>; rel="next", <${path}?page=9>; rel="last"`, true, `GET ${path}?page=2`],
    ["a Link with a comma", `<${path}?page=2>; title="older, open"; rel=next`, true, `GET ${path}?page=2`],
    ["a Link with a semicolon", `<${path}?page=2;a=1>; rel="next"`, true, `GET ${path}?page=2;a=1`],
    ["a long Link of nothing", "<>;rel= ".repeat(3_000), true, undefined],
    ["the Link of another path", '<https://a.example/others?page=2>; rel="next"', false, undefined],
    ["a total of entries", { "x-total-count": "3" }, false, undefined],
    ["a range of entries", { "content-range": "items 0-1/3" }, false, undefined],
    ["a next page", { "x-next-page": "2" }, false, undefined],
    ["no sign of more", { "x-has-more": "false" }, true, undefined],
    ["a sign of more", { "x-has-more": "true" }, false, undefined],
    ["an object about its pages", { "x-pagination": '{"totalCount":3}' }, false, undefined],
    ["no next page", { "x-next-page": "", "x-total-count": "2" }, true, undefined],
  ])("with %s in its headers is followed, or may have more", async (_, said, isComplete, second) => {
    const first = answer(incidents(1, 2));
    const headers = { ...first.headers, ...(typeof said === "string" ? { link: said } : said) };
    const service = clientWith([{ ...first, headers }, answer(incidents(3, 1))]);
    const list = await service.client.list("incidents", { items: [] }, { most: 5 });
    expect([list.isComplete, service.sent()[1]]).toEqual([isComplete, second]);
  });

  it("ends at the thousandth page, also where more entries are asked for", async () => {
    const service = clientWith(
      Array.from({ length: 1001 }, (_, at) => answer(page(at, 1, { nextId: `${at}` }))),
    );
    const { entries, isComplete } = await service.client.list("incidents", cursor, { most: 10_000 });
    expect([entries.length, isComplete]).toEqual([1000, false]);
  });

  it("ends at the first answer without a Link where the others have one", async () => {
    const first = answer(incidents(1, 2));
    const link = `<${path}?after=2>; rel="next"`;
    const service = clientWith([{ ...first, headers: { ...first.headers, link } }, answer(incidents(3, 1))]);
    const list = await service.client.list("incidents", { items: [], isPart: true }, { most: 5 });
    expect([list.entries.length, list.isComplete]).toEqual([3, true]);
  });

  it.each<[string, unknown, string]>([
    ["an object", {}, "has no list in entries"],
    ["an entry without an id", { entries: [{ name: "x" }] }, "has an entry without an id"],
    ["an entry that is text", { entries: ["x"] }, "has an entry that is no object"],
  ])("with %s is a failure", async (_, body, problem) => {
    const { client } = clientWith([answer(body)]);
    await expect(client.list("incidents", cursor, { most: 5 })).rejects.toThrow(`the answer ${problem}`);
  });

  it("that the service does not have says where to look", async () => {
    const { client } = clientWith([answer({ statusCode: 404, error: "Not Found" }, 404)]);
    await expect(client.list("services", cursor, { most: 5 })).rejects.toMatchObject({
      kind: "rejected",
      message: "the service has no list of its services (404: Not Found)",
    });
  });
});

describe("an update", () => {
  const body = { description: "It is  fixed.", status: "RESOLVED", notifySubscribers: false } as const;
  const add = async (outcome: Outcome) => {
    const service = clientWith([outcome]);
    const ending = await service.client.addUpdate({ segment: "updates", body: {} }, incidentId, body);
    return { ...service, ending };
  };
  const id = numberedId(7);
  const shown = { description: "It is fixed.", status: "RESOLVED" };

  it.each<[string, Outcome, string | undefined]>([
    ["200 with the update", answer({ id, ...shown }), id],
    ["201 with the update in an envelope", answer({ data: { id, ...shown } }, 201), id],
    ["200 without an id", answer(shown), undefined],
    ["201 with the incident", answer({ id: incidentId, incidentUpdates: [shown] }, 201), undefined],
  ])("answered with %s is added", async (_, outcome, expected) => {
    const { ending, requests, sent } = await add(outcome);
    expect(ending).toEqual({ kind: "added", id: expected, differences: [] });
    expect(sent()).toEqual([`POST ${path}/${incidentId}/updates`]);
    expect(requests[0]?.body).toBe(JSON.stringify(body));
    expect(requests[0]?.headers["x-vendor-account"]).toBe(access.accountId);
  });

  const reset = { phase: "unanswered", reason: "reset", detail: "connection reset" } as const;
  const refused = { phase: "unsent", reason: "connection", detail: "connection refused" } as const;
  const error = (statusCode: number, text: string) => answer({ statusCode, error: text }, statusCode);
  it.each<[string, Outcome, string, string]>([
    ["no answer", reset, "uncertain", "127.0.0.1:1 did not answer: connection reset"],
    ["500", error(500, "Oops"), "uncertain", "the service answered 500: Oops"],
    ["202", answer({}, 202), "uncertain", "the answer has the unexpected status 202"],
    ["another text", answer({ id, description: "Hello" }), "uncertain", "the answer is about another update"],
    ["something else", answer({ id, type: "update" }), "uncertain", "the answer has no update"],
    [
      "another incident",
      answer({ id: numberedId(1), incidentUpdates: [shown] }),
      "uncertain",
      "the answer is about another incident",
    ],
    [
      "an incident without it",
      answer({ id: incidentId, incidentUpdates: [{ description: "Hello" }] }),
      "uncertain",
      "the answer is an incident with 1 update, and not this one",
    ],
    ["a refusal", error(400, "No status"), "rejected", "the service refused the request (400: No status)"],
    ["404", error(404, "Not Found"), "rejected", "the service refused the update (404: Not Found)"],
    ["no connection", refused, "unavailable", "127.0.0.1:1 could not be reached: connection refused"],
  ])("answered with %s has failed", async (_, outcome, kind, message) => {
    const { ending } = await add(outcome);
    expect(ending).toMatchObject({ kind: "failed", failure: { kind, message } });
  });

  it("that was not sent says that nothing was posted", async () => {
    const { ending } = await add(refused);
    expect(ending.kind === "failed" && ending.failure.hint).toMatch(/^nothing was posted; /);
  });

  it("of an id that is no GUID is not sent", async () => {
    const { client, requests } = clientWith([]);
    await expect(client.addUpdate({ segment: "updates", body: {} }, "../x", body)).rejects.toThrow(
      "not a GUID",
    );
    expect(requests).toEqual([]);
  });
});

describe("an edit", () => {
  it("goes to the incident", async () => {
    const { client, sent } = clientWith([answer({ id: incidentId, severity: "MINOR" })]);
    const edit = { method: "PATCH", properties: [] } as const;
    const ending = await client.editIncident(edit, incidentId, { severity: "MINOR" });
    expect(ending).toEqual({ kind: "edited", incident: { id: incidentId, severity: "MINOR" } });
    expect(sent()).toEqual([`PATCH ${path}/${incidentId}`]);
  });

  it("answered with another incident is not known", async () => {
    const { client } = clientWith([answer({ id: numberedId(1) })]);
    const ending = await client.editIncident({ method: "PUT", properties: [] }, incidentId, {});
    expect(ending).toMatchObject({
      kind: "failed",
      failure: { kind: "uncertain", message: `the answer is about another incident, ${numberedId(1)}` },
    });
  });

  it("answered with 404 is refused, since the incident was read right before", async () => {
    const { client } = clientWith([answer({ statusCode: 404, error: "Not Found" }, 404)]);
    const ending = await client.editIncident({ method: "PUT", properties: [] }, incidentId, {});
    const failure = { kind: "rejected", message: "the service refused the edit (404: Not Found)" };
    expect(ending).toMatchObject({ kind: "failed", failure });
  });
});

it("reads the document again where its cache has a time that is no value", async () => {
  const name = `operations-${version}-${encodeURIComponent(access.baseUrl)}.json`;
  const entry = { at: { toString: 1, valueOf: 1 }, operations: {} };
  const files = { [`home/.cache/incident-cli/${name}`]: JSON.stringify(entry) };
  const { exitCode, requests, stdout } = await incident("list -o id", {
    files,
    sandbox: { onlySpec: false },
  });
  expect({ exitCode, requests: requests.length, stdout }).toEqual({ exitCode: 0, requests: 2, stdout: "" });
});
