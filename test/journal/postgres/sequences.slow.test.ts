// The journal in PostgreSQL against a cluster of its own: the conformance suite, directly and through a pooler; servers that
// it refuses; and links that fail in the middle of a statement.
import * as files from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSession } from "../../../src/journal/postgres/connection.ts";
import { createTables } from "../../../src/journal/postgres/sequences.ts";
import { type PostgresServer, resolveServer } from "../../../src/journal/postgres/server.ts";
import type { Sequence, Sequences } from "../../../src/journal/sequence.ts";
import {
  openPostgresSequences,
  type PostgresCluster,
  startPgBouncer,
  startPostgres,
} from "../../harness/postgres.ts";
import { isMissing } from "../../harness/programs.ts";
import { openToxicLink, type ToxicLink, type Toxin } from "../../harness/toxic-link.ts";
import { describeSequences, entryOf, fill, name, writersOf } from "../conformance.ts";

const users = `CREATE ROLE writer LOGIN IN ROLE incident_append; CREATE ROLE tidier LOGIN IN ROLE incident_tidy;`;

const closings: (() => void)[] = [];
let scopes = 0;

function openAll(url: string, scope: string, more: Partial<PostgresServer> = {}): Sequences {
  const { close, sequences } = openPostgresSequences(url, { scope, ...more });
  closings.push(close);
  return sequences;
}

function open(...args: Parameters<typeof openAll>): Sequence {
  return openAll(...args).open(name);
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

  describeSequences("PostgreSQL, as a role that appends and tidies up", () => {
    const scope = freshScope();
    return { open: () => openAll(cluster.url("tidier"), scope) };
  });

  it("is appended to and read by a role that can neither change nor delete an entry", async () => {
    const scope = freshScope();
    const sequence = open(cluster.url("writer"), scope);
    await fill(sequence, "ab");
    for (const statement of [
      "UPDATE incident_journal SET entry = NULL",
      "DELETE FROM incident_journal",
      "INSERT INTO incident_journal (scope, sequence, number, entry, appended_at) VALUES ('x', 'x', 0, '{}', now())",
    ])
      expect(() => cluster.sql(`SET ROLE incident_append; ${statement}`)).toThrow("permission denied");
    expect(await writersOf(sequence)).toEqual([0, "a", "b"]);
  });

  it("is shortened by a role that tidies up, and by no other; the numbers stay taken", async () => {
    const scope = freshScope();
    const [writer, tidier] = [open(cluster.url("writer"), scope), open(cluster.url("tidier"), scope)];
    await fill(tidier, "abc");
    await writer.read(0);
    expect([writer.mayDrop(), tidier.mayDrop()]).toEqual([false, true]);
    expect(await tidier.append(3, entryOf("s", { snapshot: {} }))).toBe("ours");
    await tidier.drop(3);
    const left = cluster.sql(`SELECT count(*), count(entry) FROM incident_journal WHERE scope = '${scope}'`);
    expect(left).toBe("4|1");
    expect(await writer.append(2, entryOf("late"))).toBe("taken");
    await fill(writer, "d", 4);
    expect(await writersOf(open(cluster.url("writer"), scope))).toEqual([3, "s", "d"]);
    expect(await writersOf(writer, 2)).toEqual([3, "s", "d"]);
  });

  describe.skipIf(isMissing("pgbouncer"))("behind PgBouncer in transaction mode", () => {
    let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
    beforeAll(async () => {
      pooler = await startPgBouncer(cluster);
    });
    afterAll(() => pooler?.stop());

    describeSequences("PostgreSQL behind a pooler", () => {
      const scope = freshScope();
      return { open: () => openAll(pooler.url, scope) };
    });
  });

  it("keeps text as it is: bytes that are no text, and parts of characters, in a database of any encoding", async () => {
    cluster.sql("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'");
    cluster.sql(createTables, "latin");
    const sequence = open(cluster.url("postgres", "latin"), freshScope());
    const entry = { writer: "a", text: "\u0000 \ud800 \u{1f525} é \\u0041 \\ '" };
    expect(await sequence.append(0, entry)).toBe("ours");
    expect((await sequence.read(0)).entries).toEqual([entry]);
  });

  it("is made in two databases at once, which share the roles", async () => {
    const slowly = createTables
      .replaceAll("incident_", "late_")
      .replace("  ELSE", "PERFORM pg_sleep(1); ELSE");
    const make = async (database: string) => {
      cluster.sql(`CREATE DATABASE ${database}`);
      const session = createSession(
        resolveServer({ files, system: { env: {} } }, cluster.url("postgres", database)),
      );
      closings.push(session.close);
      return session.query(slowly, []);
    };
    expect(await Promise.all([make("one"), make("two")])).toEqual([[], []]);
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
    const brief = { timeout: 3000 };
    const failure = { kind: "unavailable", retryable: true };
    const openThroughLink = (scope: string) =>
      open(`postgres://postgres@127.0.0.1:${link.port}/postgres`, scope, brief);

    it.each<[Toxin, number]>([
      ["cuts answers", 1],
      ["swallows answers", 1],
      ["cuts requests", 0],
      ["swallows requests", 0],
    ])("%s: an append fails, and is told by reading once the link is mended", async (toxin, arrived) => {
      const scope = freshScope();
      const sequence = openThroughLink(scope);
      // Connected before the link fails.
      await sequence.read(0);
      link.toxin = toxin;
      await expect(sequence.append(0, entryOf("me"))).rejects.toMatchObject(failure);
      link.toxin = "passes";
      expect((await sequence.read(0)).entries).toHaveLength(arrived);
    });

    it("is a failure before the statement was sent, and says that nothing was sent", async () => {
      link.toxin = "cuts requests";
      const sequence = openThroughLink(freshScope());
      await expect(sequence.append(0, entryOf("me"))).rejects.toMatchObject(failure);
      await expect(sequence.read(0)).rejects.toMatchObject(failure);
    });

    it("does not wait for a server that says nothing", async () => {
      link.toxin = "swallows requests";
      const sequence = openThroughLink(freshScope());
      await expect(sequence.append(0, entryOf("me"))).rejects.toThrow("timeout expired");
    });
  });
});
