// A create or an update that is answered with a 500 or a 503: two looks, thirty seconds apart, and then once more.
import { describe, expect, it } from "vitest";
import type { Answered, Transport, WireRequest } from "../../../src/http/transport.ts";
import { incidentsPath, serviceDocument } from "../../document/service-documents.ts";
import { answer, definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { createWorld, type World } from "../../harness/incident.ts";
import { type LifeService, lifeServices, servicesInTurn } from "../../service/life/life-services.ts";
import { incidentOf, refusal } from "../services-by-hand.ts";

const files = {
  "x.yaml": definitionYaml({ id: incidentId }),
  "plain.yaml": definitionYaml(),
  "five.yaml": definitionYaml({ incidentUpdates: "[{ description: 5 % fail., status: INVESTIGATING }]" }),
  "seven.yaml": definitionYaml({ incidentUpdates: "[{ description: 7 % fail., status: INVESTIGATING }]" }),
  "quoted.yaml": definitionYaml({ name: "Checkout is at 50 %" }),
  "a.yaml": definitionYaml({ name: "A", id: numberedId(1) }),
  "b.yaml": definitionYaml({ name: "B", id: numberedId(2) }),
};

interface Failing {
  readonly status: number;
  /** Whether the service has carried it out. */
  readonly isCommitted: boolean;
}

/** The service, with these answers to the first requests that change something. */
function failing({ transport }: { readonly transport: Transport }, failures: readonly Failing[]): Transport {
  const left = [...failures];
  return async (request, control) => {
    const failure = request.method === "POST" ? left.shift() : undefined;
    if (failure === undefined) return transport(request, control);
    if (failure.isCommitted) await transport(request, control);
    else await control.beforeSend?.();
    return { phase: "answered", status: failure.status, headers: {}, body: new Uint8Array() };
  };
}

const unmade = (status: number): Failing => ({ status, isCommitted: false });
const carriedOut = (status: number): Failing => ({ status, isCommitted: true });

/** The document is known, and whether ids are kept. */
async function worldAt({ env, transport }: LifeService): Promise<World> {
  const world = createWorld({ env, transport, files });
  for (const line of ["list", "create a.yaml", "create b.yaml"])
    expect((await world.run(line)).exitCode).toBe(0);
  return world;
}

describe.each(servicesInTurn("kept"))("at %s with ids %s, a create", (_name, ids, open) => {
  const start = async () => {
    const service = await open({ ids });
    const world = await worldAt(service);
    const run = async (file: string, failures: readonly Failing[]) => {
      const begun = world.clock.monotonic();
      const result = await world.run(`create ${file} -o id`, { transport: failing(service, failures) });
      const seconds = (world.clock.monotonic() - begun) / 1000;
      const made = service.incidents().filter(({ name }) => name === "Checkout fails");
      return { ...result, made, seconds };
    };
    /** Another process, which ends once its create is answered. */
    const breakOff = async (line: string, failure: Failing) => {
      const ended = new AbortController();
      const transport = failing(service, [failure]);
      let isSent = false;
      const { exitCode } = await world.run(line, {
        signal: ended.signal,
        transport: async (request, control) => {
          if (isSent) ended.abort("SIGTERM");
          isSent ||= request.method === "POST";
          return transport(request, control);
        },
      });
      expect(exitCode).toBe(8);
    };
    return { breakOff, run };
  };

  it.each([
    ["x.yaml", 503],
    ["x.yaml", 500],
    ["plain.yaml", 503],
  ])("of %s that meets a %i is sent once more, and told", async (file, status) => {
    const { run } = await start();
    const { exitCode, made, posts, seconds, stderr, stdout } = await run(file, [unmade(status)]);
    expect({ exitCode, posts, stdout, made: made.length }).toEqual({
      exitCode: 0,
      posts: 2,
      stdout: `${made[0]?.id}\n`,
      made: 1,
    });
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(stderr).toContain("did not find");
    expect(stderr).toContain("sending it once more");
  });

  it.each([
    ["x.yaml", 503],
    ["plain.yaml", 500],
  ])("of %s that was carried out, and is answered with a %i, is found", async (file, status) => {
    const { run } = await start();
    const { exitCode, made, posts, stdout } = await run(file, [carriedOut(status)]);
    expect({ exitCode, posts, made: made.length }).toEqual({ exitCode: 0, posts: 1, made: 1 });
    expect(stdout).toBe(`${made[0]?.id}\n`);
  });

  it("is sent once more only: two such answers are for a person", async () => {
    const { run } = await start();
    const { exitCode, made, posts } = await run("x.yaml", [unmade(503), unmade(503), unmade(503)]);
    expect({ exitCode, posts, made }).toEqual({ exitCode: 8, posts: 2, made: [] });
    const again = await run("x.yaml", []);
    expect({ exitCode: again.exitCode, posts: again.posts }).toEqual({ exitCode: 8, posts: 0 });
  });

  it.each([502, 504, 408])("is not sent again after a %i", async (status) => {
    const { run } = await start();
    const { exitCode, posts } = await run("x.yaml", [unmade(status)]);
    expect({ exitCode, posts }).toEqual({ exitCode: 8, posts: 1 });
  });

  it("of an alert is found in the words that were sent, where the next one has others", async () => {
    const { breakOff, run } = await start();
    await breakOff("create five.yaml --dedup-key checkout", carriedOut(503));
    const { exitCode, made, posts } = await run("seven.yaml --dedup-key checkout", []);
    expect({ exitCode, posts, made: made.length }).toEqual({ exitCode: 0, posts: 0, made: 1 });
  });

  it("goes on in another process where an id that is kept shows what the first one did, else a person does", async () => {
    const { breakOff, run } = await start();
    await breakOff("create x.yaml", unmade(503));
    const { exitCode, made, posts } = await run("x.yaml", []);
    const expected = ids === "kept" ? { exitCode: 0, posts: 1, made: 1 } : { exitCode: 8, posts: 0, made: 0 };
    expect({ exitCode, posts, made: made.length }).toEqual(expected);
  });
});

describe.each(lifeServices)("at %s, an update", (_name, open) => {
  it.each([unmade(503), carriedOut(500)])("that meets %o is posted once", async (failure) => {
    const service = await open({ ids: "replaced" });
    const world = await worldAt(service);
    const id = service.incidents()[0]?.id ?? "";
    const line = `update ${id} --status MONITORING --message Better.`;
    const { exitCode } = await world.run(line, { transport: failing(service, [failure]) });
    expect(exitCode).toBe(0);
    const texts = service.incidents()[0]?.incidentUpdates.map(({ description }) => description);
    expect(texts?.filter((text) => text === "Better.")).toHaveLength(1);
  });
});

it("is for a person where nothing can find a create: no list, and no id that is known to be kept", async () => {
  const world = createWorld({ files, faults: ["create#1:503"] });
  expect(await world.run("create plain.yaml")).toMatchObject({ exitCode: 8, posts: 1 });
});

const impatient = lifeServices.flatMap(([name, open]) =>
  ["", "--deadline 3s"].map((deadline) => [name, deadline, open] as const),
);

describe.each(impatient)("at %s, %s, where no look can prove that it is not there", (_, deadline, open) => {
  const start = async (change: (outcome: Answered, request: WireRequest) => Answered) => {
    const service = await open({ ids: "replaced" });
    const world = await worldAt(service);
    const changed: Transport = async (request, control) => {
      const outcome = await service.transport(request, control);
      return outcome.phase === "answered" ? change(outcome, request) : outcome;
    };
    /** The line, and the line again: of the first run with a deadline, only the second one has two looks. */
    const run = async (line: string) => {
      const transport = failing({ transport: changed }, [carriedOut(503)]);
      const begun = await world.run(`${line} ${deadline}`, { transport });
      expect(begun.exitCode).toBe(8);
      const { exitCode, posts } = await world.run(line, { transport });
      return { exitCode, posts: begun.posts + posts };
    };
    return { run, service };
  };
  const quoting = (answered: Answered) => ({
    ...answered,
    body: Buffer.from(Buffer.from(answered.body).toString().replaceAll("%", "percent")),
  });

  it("a create is for a person: the list has further pages", async () => {
    let first: Answered | undefined;
    const { run } = await start((answered, { method, url }) => {
      if (method !== "GET" || !new URL(url).pathname.endsWith("/incidents")) return answered;
      first ??= answered;
      const link = `<${url.split("?")[0]}?page=2>; rel="next"`;
      return { ...first, headers: { ...first.headers, link } };
    });
    expect(await run("create plain.yaml")).toEqual({ exitCode: 8, posts: 1 });
  });

  it("a create is for a person: a new incident has other texts", async () => {
    const { run } = await start(quoting);
    expect(await run("create quoted.yaml")).toEqual({ exitCode: 8, posts: 1 });
  });

  it("an update is for a person: a new update has another text", async () => {
    const { run, service } = await start(quoting);
    const line = `update ${service.incidents()[0]?.id} --status MONITORING --message "It is 50 % over."`;
    expect(await run(line)).toEqual({ exitCode: 8, posts: 1 });
  });

  it("an update is for a person: the incident shows a part of its updates, and another status", async () => {
    const { run, service } = await start((answered) => {
      const text = Buffer.from(answered.body).toString();
      return { ...answered, body: Buffer.from(text.replace(/("incidentUpdates":\[\{[^}]*\}).*?\]/, "$1]")) };
    });
    const line = `update ${service.incidents()[0]?.id} --status MONITORING --message Better.`;
    expect(await run(line)).toEqual({ exitCode: 8, posts: 1 });
  });
});

describe("a create that is answered with a 503, at a service with ids and pages of its own", () => {
  interface Shape {
    /** The dates of the incidents that it has, in the order of its list. */
    readonly dates: readonly string[];
    readonly isNewestFirst?: boolean;
    /** What an answer says of the next page. */
    readonly next?: (at: string | null) => object;
    readonly isCommitted: boolean;
    /** The place of an incident of a person with the same content. */
    readonly equalAt?: number;
  }

  /** Runs a create there. A page has three incidents. */
  async function createAt({
    dates,
    isNewestFirst = false,
    next = (at) => ({ nextId: at }),
    isCommitted,
    equalAt,
  }: Shape) {
    const held = dates.map((date, at) =>
      incidentOf({
        id: numberedId(701 + at),
        ...(at !== equalAt && { name: `Incident ${at}` }),
        created_at: date,
      }),
    );
    let posts = 0;
    const transport: Transport = async (request, control) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/openapi.json") return answer(serviceDocument());
      if (request.method === "POST") {
        await control.beforeSend?.();
        posts += 1;
        const created = incidentOf({ id: numberedId(800 + posts), created_at: "2026-11-20" });
        if (isCommitted) held[isNewestFirst ? "unshift" : "push"](created);
        return refusal(503);
      }
      const found = held.find(({ id }) => pathname.endsWith(id));
      if (pathname !== incidentsPath) return found ? answer(found) : refusal(404);
      const from = Number(searchParams.get("nextId") ?? 0);
      const end = from + 3 < held.length ? String(from + 3) : null;
      return answer({ entries: held.slice(from, from + 3), ...next(end) });
    };
    const { exitCode, stdout } = await createWorld({ transport, files }).run("create plain.yaml -o id");
    return { exitCode, posts, stdout };
  }

  const old = ["2026-01-01", "2026-01-01", "2026-01-02", "2026-01-03"];
  const found = { exitCode: 0, posts: 1, stdout: `${numberedId(801)}\n` };
  const unknown = { exitCode: 8, posts: 1, stdout: "" };
  const more = (at: string | null) => ({ hasMore: at !== null });

  it.each([
    ["on the last page of a list with the oldest first", old],
    ["on the last page of a list where each has the same date", Array(7).fill("2026-11-20")],
  ])("is found %s", async (_, dates) => {
    expect(await createAt({ dates, isCommitted: true })).toEqual(found);
  });

  it.each([
    ["the oldest first, and names no next page that can be asked for", old, more],
    ["the oldest first, and repeats its first page", old, (at: string | null) => ({ nextId: at && "0" })],
    ["each with the same date, and names no next page", Array(7).fill("2026-11-20"), more],
  ])("is unknown where the list has %s", async (_, dates, next) => {
    expect(await createAt({ dates, next, isCommitted: true })).toEqual(unknown);
  });

  it.each([
    ["the oldest first", old],
    ["the newest first", old.toReversed()],
  ])("is sent once more where the whole list, with %s, lacks it", async (_, dates) => {
    expect(await createAt({ dates, isCommitted: false })).toMatchObject({ posts: 2 });
  });

  it.each([
    ["sent once more", old.toReversed(), { posts: 2 }],
    ["for a person, as that may be it", ["2026-11-23", "2026-11-22", "2026-11-21", "2026-11-20"], unknown],
  ])("is not taken for an equal one of a later page: %s", async (_, dates, end) => {
    expect(await createAt({ dates, equalAt: 3, isCommitted: false })).toMatchObject(end);
  });

  it("is for a person where it is on a later page than old ones, in a list sorted by severity", async () => {
    expect(await createAt({ dates: old.toReversed(), isCommitted: true })).toEqual(unknown);
  });

  it("is not sent once more where a later page has another one that is as new", async () => {
    const dates = [...old.toReversed(), "2026-11-20"];
    expect(await createAt({ dates, isCommitted: false })).toEqual(unknown);
  });

  it("is found at the beginning of a list that cannot be read to its end, and not sent once more without it", async () => {
    const shape = { dates: old.toReversed(), isNewestFirst: true, next: more };
    expect(await createAt({ ...shape, isCommitted: true })).toEqual(found);
    expect(await createAt({ ...shape, isCommitted: false })).toEqual(unknown);
  });
});
