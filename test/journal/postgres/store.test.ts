// The PostgreSQL store against a cluster of its own: the conformance suite, directly and through a pooler; servers that
// it refuses; and links that fail in the middle of a statement.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EventStore } from "../../../src/journal/event-store.ts";
import { appendSurely } from "../../../src/journal/journal.ts";
import type { PostgresServer } from "../../../src/journal/postgres/server.ts";
import { createTables } from "../../../src/journal/postgres/table.ts";
import { createClock } from "../../harness/incident.ts";
import {
  openPostgresStore,
  type PostgresCluster,
  startPgBouncer,
  startPostgres,
} from "../../harness/postgres.ts";
import { isMissing } from "../../harness/programs.ts";
import { openToxicLink, type ToxicLink, type Toxin } from "../../harness/toxic-link.ts";
import { appendOf, describeEventStore } from "../event-store.ts";

const log = "op-0123456789abcdef";

const users = `CREATE ROLE writer LOGIN IN ROLE incident_append; CREATE ROLE tidier LOGIN IN ROLE incident_tidy;`;

const closings: (() => void)[] = [];
let scopes = 0;

function open(url: string, scope: string, more: Partial<PostgresServer> = {}): EventStore {
  const { close, store } = openPostgresStore(url, { scope, ...more });
  closings.push(close);
  return store;
}

const freshScope = () => `scope-${++scopes}`;

describe.skipIf(isMissing("initdb"))("a journal in PostgreSQL", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres();
    cluster.sql(createTables);
    cluster.sql(users);
  });
  afterEach(() => {
    for (const close of closings.splice(0)) close();
  });
  afterAll(() => cluster?.remove());

  describeEventStore("PostgreSQL, as a role that appends and tidies up", () => {
    const scope = freshScope();
    return { open: () => open(cluster.url("tidier"), scope), isShared: true };
  });

  it("is appended to and read by a role that can neither change nor delete an event", async () => {
    const scope = freshScope();
    const store = open(cluster.url("writer"), scope);
    expect(await store.append([appendOf(0, "a", { isUnsettled: true })])).toEqual(["ours"]);
    expect(await store.append([appendOf(0, "b"), appendOf(1, "b")])).toEqual(["taken", "ours"]);
    for (const statement of [
      "UPDATE incident_journal SET entry = NULL",
      "DELETE FROM incident_journal",
      "INSERT INTO incident_journal (scope, sequence, number, entry, is_snapshot) VALUES ('x', 'x', 0, '{}', true)",
    ])
      expect(() => cluster.sql(`SET ROLE incident_append; ${statement}`)).toThrow("permission denied");
    const events = [
      { writer: "a", step: 0 },
      { writer: "b", step: 1 },
    ];
    expect(await store.read(log)).toEqual({ first: 0, events });
  });

  it("is shortened by a role that tidies up, and by no other; the numbers stay taken", async () => {
    const scope = freshScope();
    const [writer, tidier] = [open(cluster.url("writer"), scope), open(cluster.url("tidier"), scope)];
    cluster.sql(
      `INSERT INTO incident_journal (scope, sequence, number, entry)
       SELECT '${scope}', 'other', n, json_build_object('writer', 'w' || n, 'journal', 2, 'at', n, 'appends', json_build_array(
         json_build_object('log', '${log}', 'number', n, 'isUnsettled', false, 'event', json_build_object('writer', 'w' || n))))
       FROM generate_series(0, 259) AS n`,
    );
    await writer.read(log);
    const left = () =>
      cluster.sql(
        `SELECT count(*), count(entry), count(*) FILTER (WHERE is_snapshot) FROM incident_journal WHERE scope = '${scope}'`,
      );
    await writer.sweep(0);
    expect(left()).toBe("260|260|0");
    expect((await tidier.read(log)).events).toHaveLength(260);
    await tidier.sweep(0);
    expect(left()).toBe("261|1|1");
    expect(await writer.append([appendOf(260, "late")])).toEqual(["ours"]);
    // Of an operation that nobody knows, everything stays.
    expect((await open(cluster.url("writer"), scope).read(log)).events).toHaveLength(261);
  });

  describe.skipIf(isMissing("pgbouncer"))("behind PgBouncer in transaction mode", () => {
    let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
    beforeAll(async () => {
      pooler = await startPgBouncer(cluster);
    });
    afterAll(() => pooler?.stop());

    describeEventStore("PostgreSQL behind a pooler", () => {
      const scope = freshScope();
      return { open: () => open(pooler.url, scope), isShared: true };
    });
  });

  it("keeps text as it is: bytes that are no text, and parts of characters, in a database of any encoding", async () => {
    cluster.sql("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'");
    cluster.sql(createTables, "latin");
    const store = open(cluster.url("postgres", "latin"), freshScope());
    const event = { writer: "a", text: "\u0000 \ud800 \u{1f525} é \\u0041 \\ '" };
    expect(await store.append([appendOf(0, "a", { event })])).toEqual(["ours"]);
    expect((await store.read(log)).events).toEqual([event]);
  });

  it("keeps the journals of two scopes apart", async () => {
    const url = cluster.url();
    const [one, two] = [open(url, freshScope()), open(url, freshScope())];
    expect(await one.append([appendOf(0, "a")])).toEqual(["ours"]);
    expect(await two.append([appendOf(0, "b")])).toEqual(["ours"]);
    expect((await one.read(log)).events).toEqual([{ writer: "a", step: 0 }]);
  });

  it("trusts no log with a gap", async () => {
    const scope = freshScope();
    const store = open(cluster.url(), scope);
    for (const number of [0, 1, 2]) await store.append([appendOf(number, "a")]);
    cluster.sql(`DELETE FROM incident_journal WHERE scope = '${scope}' AND number = 1`);
    await expect(open(cluster.url(), scope).read(log)).rejects.toThrow("cannot be trusted: it is gone");
  });

  describe("whose link fails", () => {
    let link: ToxicLink;
    beforeAll(async () => {
      link = await openToxicLink(cluster.port);
    });
    afterEach(() => {
      link.toxin = "passes";
    });
    afterAll(() => link?.close());
    const brief = { connectTimeout: 1500, queryTimeout: 1500 };
    const openThroughLink = (scope: string) =>
      open(`postgres://postgres@127.0.0.1:${link.port}/postgres`, scope, brief);

    it.each<[Toxin, number]>([
      ["cuts answers", 1],
      ["swallows answers", 1],
      ["cuts requests", 0],
      ["swallows requests", 0],
    ])(
      "%s: an append is unknown, and settled by reading back once the link is mended",
      async (toxin, arrived) => {
        const scope = freshScope();
        const store = openThroughLink(scope);
        // Connected before the link fails.
        await store.read(log);
        link.toxin = toxin;
        expect(await store.append([appendOf(0, "me")])).toEqual(["unknown"]);
        const direct = open(cluster.url(), scope);
        expect((await direct.read(log)).events).toHaveLength(arrived);
        link.toxin = "passes";
        const clock = createClock();
        const broken: EventStore = {
          ...store,
          append: async (appends) => {
            link.toxin = attempts++ === 0 ? toxin : "passes";
            const results = await store.append(appends);
            link.toxin = "passes";
            return results;
          },
        };
        let attempts = 0;
        await store.read(log);
        expect(await appendSurely({ store: broken, clock }, appendOf(arrived, "me"))).toBe("ours");
        expect((await direct.read(log)).events).toHaveLength(arrived + 1);
      },
    );

    it("is a failure before the statement was sent, and says that nothing was sent", async () => {
      link.toxin = "cuts requests";
      const failure = { kind: "unavailable", retryable: true };
      const store = openThroughLink(freshScope());
      await expect(store.append([appendOf(0, "me")])).rejects.toMatchObject(failure);
      await expect(store.read(log)).rejects.toMatchObject(failure);
    });

    it("does not wait for a server that says nothing", async () => {
      link.toxin = "swallows requests";
      const store = openThroughLink(freshScope());
      await expect(store.append([appendOf(0, "me")])).rejects.toThrow("no answer within 1.5 s");
    });
  });
});
