import { describe, expect, it } from "vitest";
import { createUnlessOpen, findNewest, idForGeneration } from "../../../src/delivery/batch/dedup-key.ts";
import type { Outcome, Transport } from "../../../src/http/transport.ts";
import type { OperationEvent } from "../../../src/journal/events.ts";
import { definition, definitionYaml } from "../../harness/builders.ts";
import { answering, rewriting } from "../../harness/changed-service.ts";
import { createWorld, type Result } from "../../harness/incident.ts";
import { account, at, key, openDelivery, requestOf } from "../in-memory/deliveries.ts";
import { answer, createService, incidentOf, refusal } from "../services-by-hand.ts";

const files = {
  "open.yaml": definitionYaml(),
  "other.yaml": definitionYaml({ name: "Checkout fails, 17 % of payments" }),
};
const services = ["honour", "ignore", "reject"] as const;
const line = "create -f open.yaml --dedup-key a -o id";

function idOf({ exitCode, stdout, stderr }: Result): string {
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout.trim();
}

const contentOf = (outcome: Outcome) =>
  outcome.phase === "answered" ? JSON.parse(Buffer.from(outcome.body).toString()) : undefined;

describe.each(["create -f open.yaml --dedup-key checkout", "create -f open.yaml"])("%s", (line) => {
  it.each([
    ["is not shown yet", (_: Outcome, before: Outcome) => before],
    [
      "is shown, and the status does not follow yet",
      (outcome: Outcome) => answer(200, { ...contentOf(outcome), lastUpdateStatus: "INVESTIGATING" }),
    ],
  ])("waits where the end of its incident was posted from here, and %s", async (_, late) => {
    const world = createWorld({ files, sandbox: { onlySpec: false } });
    const id = idOf(await world.run(`${line} -o id`));
    let before: Outcome | undefined;
    const behind: Transport = async (request, control) => {
      const outcome = await world.sandbox.transport(request, control);
      if (request.method !== "GET" || !request.url.endsWith(id)) return outcome;
      before ??= outcome;
      return late(outcome, before);
    };
    await world.run(`get ${id}`, { transport: behind });
    expect((await world.run(`resolve ${id} --message Solved.`)).exitCode).toBe(0);
    const again = await world.run(line, { transport: behind });
    expect(again).toMatchObject({ exitCode: 7, posts: 0 });
    expect(again.stderr).toContain("a cache or a replica may be behind");
    const update = `update ${id} --status monitoring --message Again.`;
    expect((await world.run(update, { transport: behind })).exitCode).toBe(7);
    expect(idOf(await world.run(`${line} -o id`))).not.toBe(id);
  });
});

it("the same end again is posted before, at a service that shows no status", async () => {
  const world = createWorld({ files, sandbox: { onlySpec: false } });
  const id = idOf(await world.run("create -f open.yaml -o id"));
  const withoutStatus = (name: string, value: unknown) => (/status$/i.test(name) ? undefined : value);
  const transport = rewriting(world.sandbox, (text, { url }) =>
    url.endsWith(id) ? JSON.stringify(JSON.parse(text, withoutStatus)) : undefined,
  );
  const line = `resolve ${id} --message Solved. -o id`;
  expect((await world.run(line, { transport })).exitCode).toBe(0);
  const again = await world.run(line, { transport });
  expect([idOf(again), again.posts]).toEqual([id, 0]);
});

describe.each(services)(
  "create --dedup-key, where the service's answer to ids is to %s them",
  (clientIds) => {
    const createService = () => createWorld({ files, sandbox: { clientIds } });
    const line = (file: string) => `create -f ${file}.yaml --dedup-key checkout -o id`;

    it("declares one incident while it is open, whatever the text of the alert", async () => {
      const world = createService();
      const first = await world.run(line("open"));
      const again = await world.run(line("other"));
      expect(idOf(again)).toBe(idOf(first));
      expect(again.posts).toBe(0);
      expect(again.stderr).toContain(`already open ${idOf(first)}  Checkout fails\n`);
    });

    it("declares another one once it is resolved, and again", async () => {
      const world = createWorld({ files, sandbox: { clientIds, onlySpec: false } });
      const ids: string[] = [];
      for (let round = 0; round < 6; round += 1) {
        const id = idOf(await world.run(line("open")));
        ids.push(id);
        expect((await world.run(`resolve ${id} --message Solved.`)).exitCode).toBe(0);
      }
      const last = idOf(await world.run(line("open")));
      expect(new Set([...ids, last]).size).toBe(7);
      expect(idOf(await world.run(line("other")))).toBe(last);
      const open = await world.run("journal list --open -o id");
      expect(open.stdout.trim().split("\n")).toHaveLength(1);
    });

    it("is one incident for alerts that fire at the same time", async () => {
      const world = createService();
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) => world.run(line(index % 2 === 0 ? "open" : "other"))),
      );
      expect(new Set(results.map(idOf)).size).toBe(1);
    });
  },
);

describe("a service that contradicts itself", () => {
  const solvedOf = (id: unknown) => answer(200, incidentOf({ id, lastUpdateStatus: "RESOLVED" }));
  const line = "create -f open.yaml --dedup-key a";

  it("and shows every id as resolved ends the search", async () => {
    const { transport } = createService(() => refusal(400), solvedOf);
    const result = await createWorld({ files }).run(line, { transport });
    expect(result).toMatchObject({ exitCode: 7, posts: 0 });
    expect(result.stderr).toContain(
      "error: the journal did not have 100 incidents of the dedup key, which the service shows as resolved\n",
    );
  });

  it("and shows one incident for every id ends the search", async () => {
    const { transport } = createService(refusal(400), answer(200, incidentOf({ id: key.id })));
    const result = await createWorld({ files }).run(line, { transport });
    expect(result).toMatchObject({ exitCode: 7, posts: 0 });
    expect(result.stderr).toContain(`the answer is about another incident, ${key.id}`);
  });
});

it("says in JSON how it was answered", async () => {
  const world = createWorld({ files });
  const line = "create -f open.yaml --dedup-key a -o json";
  const first = JSON.parse((await world.run(line)).stdout);
  const again = JSON.parse((await world.run(line)).stdout);
  expect(first).toMatchObject({ how: "declared", name: "Checkout fails" });
  expect(again).toEqual({ ...first, how: "open" });
});

it("does not send again while the outcome of a create is unknown", async () => {
  const world = createWorld({
    files,
    faults: ["create:drop-before-commit"],
    sandbox: { clientIds: "ignore" },
  });
  const line = "create -f open.yaml --dedup-key a --settle-for 1s";
  expect((await world.run(line)).exitCode).toBe(8);
  const again = await world.run(line.replace("open", "other"));
  expect(again).toMatchObject({ exitCode: 8, posts: 0 });
});

it("goes on with the newest incident where an older one was deleted, and settled as not created", async () => {
  const world = createWorld({ files, sandbox: { onlySpec: false } });
  const first = idOf(await world.run(line));
  expect((await world.run(`resolve ${first} --message Solved.`)).exitCode).toBe(0);
  const second = idOf(await world.run(line));
  const transport = answering(world.sandbox, ({ url }) => (url.endsWith(first) ? refusal(404) : undefined));
  world.clock.advance(3_600_000);
  const settled = await world.run(`journal settle ${first} --not-created --yes`, { transport });
  expect(settled, settled.stderr).toMatchObject({ exitCode: 0 });
  const again = await world.run(line, { transport });
  expect([idOf(again), again.posts]).toEqual([second, 0]);
});

it("is open while the outcome of an update that does not end it is unknown", async () => {
  const faults = ["update#1:drop-before-commit"];
  const world = createWorld({ files, faults, sandbox: { onlySpec: false } });
  const id = idOf(await world.run(line));
  const update = `update ${id} --status monitoring --message Better. --settle-for 1s`;
  expect((await world.run(update)).exitCode).toBe(8);
  expect(idOf(await world.run(line))).toBe(id);
});

it("sends nothing where the newest incident cannot be read", async () => {
  const world = createWorld({ files, faults: ["get#2-9:503"] });
  await world.run("create -f open.yaml --dedup-key a");
  const again = await world.run("create -f open.yaml --dedup-key a");
  expect(again).toMatchObject({ exitCode: 7, posts: 0 });
});

describe("the newest incident of a key", () => {
  const { baseUrl } = key;
  const service = { baseUrl, account };
  const ids = Array.from({ length: 20 }, (_, generation) => idForGeneration(service, "a", generation));
  const { content } = requestOf();
  const sending = { type: "sending", at, withId: true, deadline: 0, content } as const;
  const byReading = { type: "created", at, by: "reading", serviceId: ids[0] ?? "", content } as const;
  const isOver = { lastUpdateStatus: "RESOLVED" };

  /** A service with these generations, and whether each is open; what is sent is added. */
  function openKey(
    states: readonly (boolean | undefined)[],
    setup: Partial<Parameters<typeof openDelivery>[0]> = {},
    isKept = true,
  ) {
    const there = new Map(states.map((isOpen, generation) => [ids[generation], isOpen]));
    const asked: string[] = [];
    const read = (id: string) => {
      asked.push(`read ${ids.indexOf(id)}`);
      const isOpen = there.get(id);
      return isOpen === undefined ? refusal(404) : answer(200, incidentOf({ id, ...(isOpen ? {} : isOver) }));
    };
    const { transport } = createService((body) => {
      asked.push(`create ${ids.indexOf(String(body.id))}`);
      if (isKept) there.set(String(body.id), true);
      return answer(201, incidentOf({ ...body }));
    }, read);
    const delivery = openDelivery({ transport, ...setup });
    const options = { ...delivery.options, isNew: true };
    return { ...delivery, asked, options };
  }

  it("is gone on to where the journal has lost those before it", async () => {
    const { asked, options } = openKey([false, false, false, false, false, true]);
    const { delivered, outcome } = await createUnlessOpen(options, definition(), "a");
    expect({ delivered, outcome }).toMatchObject({
      delivered: [{ incident: incidentOf({ id: ids[5] }), how: "found" }],
      outcome: "open",
    });
    const twice = [0, 1, 2, 3, 4].flatMap((generation) => [generation, generation]);
    expect(asked).toEqual([...twice, 5].map((generation) => `read ${generation}`));
  });

  interface Row {
    /** Whether each generation is open. */
    readonly states?: readonly boolean[];
    /** The log of the first one. */
    readonly events?: readonly OperationEvent[];
    readonly setup?: object;
  }
  const ignored = { learned: ["ignored", "ignored"] };

  const openFirst = { id: ids[0], open: incidentOf({ id: ids[0] }) };
  it.each(
    Object.entries<Row & { is: unknown }>({
      "is unknown where there is none": { is: undefined },
      "is unknown where the journal does not have it": { states: [true], is: undefined },
      "is not known, where ids are ignored": { events: [sending], setup: ignored, is: { id: ids[0] } },
      "is the one declared from here": { states: [true], events: [sending, byReading], is: openFirst },
      "was declared from here after an unknown outcome, and is over": {
        states: [false],
        events: [sending, byReading],
        is: { id: ids[0] },
      },
    }),
  )("%s", async (_, { states = [], events = [], setup, is }) => {
    const { append, options } = openKey(states, setup);
    for (const event of events) await append(event, { ...service, id: ids[0] ?? "" });
    const found = await findNewest(options, "a");
    expect(found && { id: found.log.key.id, open: found.open, over: found.over }).toEqual(is);
  });

  it("is open with a start time that two runs noted at once, of it and of one that is over", async () => {
    const alertStarts = ["08:00"];
    const { append, options } = openKey([false, true]);
    for (const id of ids.slice(0, 2))
      for (const event of [
        sending,
        { ...byReading, serviceId: id },
        { type: "fired", at, alertStarts } as const,
      ])
        await append(event, { ...service, id });
    expect(await findNewest({ ...options, alertStarts }, "a")).toMatchObject({
      open: { id: ids[1] },
      over: undefined,
    });
  });

  it("has the same id whatever the case of the account", () => {
    const letters = { baseUrl, account: "abcdef00-0000-4000-8000-000000000000" };
    const capitals = { baseUrl, account: letters.account.toUpperCase() };
    expect(idForGeneration(capitals, "a", 0)).toBe(idForGeneration(letters, "a", 0));
  });
});
