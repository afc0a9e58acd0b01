// The rate limit that processes share in a row of PostgreSQL: by the times that it gives, without waiting for them.
import * as fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSession, type Session } from "../../../src/journal/postgres/connection.ts";
import { resolveServer } from "../../../src/journal/postgres/server.ts";
import { createSlots, openSharedRate } from "../../../src/journal/postgres/shared-rate.ts";
import { createTables } from "../../../src/journal/postgres/table.ts";
import { createClock } from "../../harness/incident.ts";
import { type PostgresCluster, startPostgres } from "../../harness/postgres.ts";
import { isMissing } from "../../harness/programs.ts";

const limit = { requests: 600, window: 60_000, burst: 20 };
const interval = limit.window / (limit.requests - limit.burst);

describe.skipIf(isMissing("initdb"))("a rate limit in PostgreSQL", () => {
  let cluster: PostgresCluster;
  const sessions: Session[] = [];
  beforeAll(async () => {
    cluster = await startPostgres();
    cluster.sql(createTables);
  });
  afterAll(() => {
    for (const session of sessions) session.close();
    cluster?.remove();
  });

  const deps = { files: fs, system: { env: {}, clock: createClock() } };
  const slots = (key: string) => {
    const session = createSession(resolveServer(deps, cluster.url()));
    sessions.push(session);
    return createSlots(session, key);
  };

  it("gives each request of every process a turn of its own", async () => {
    const processes = Array.from({ length: 8 }, () => slots("many"));
    const turns = await Promise.all(
      processes.map(async (take) => {
        const taken = [];
        for (let round = 0; round < 10; round += 1)
          taken.push(...(await Promise.all([take(), take(), take()])));
        return taken;
      }),
    );
    const due = turns
      .flat()
      .map((slot) => slot.due)
      .sort((a, b) => a - b);
    expect(due).toHaveLength(240);
    const gaps = due.slice(1).map((time, index) => time - (due[index] as number));
    for (const gap of gaps) expect(gap).toBeGreaterThan(interval - 0.1);
  });

  it("keeps any window within the limit: a burst after a pause, and then one turn after the other", async () => {
    const take = slots("window");
    const taken = await Promise.all(Array.from({ length: 150 }, take));
    const waits = taken.map(({ due, now }) => Math.max(0, due - now));
    const atOnce = waits.filter((wait) => wait === 0).length;
    expect(atOnce).toBeGreaterThan(limit.burst - 1);
    expect(atOnce).toBeLessThan(limit.burst + 3);
    expect(Math.max(...waits)).toBeCloseTo((taken.length - limit.burst) * interval, -3);
  });

  it("keeps the limits of two keys apart", async () => {
    const [one, two] = [slots("one"), slots("two")];
    await Promise.all(Array.from({ length: 100 }, one));
    const { due, now } = await two();
    expect(due).toBeLessThan(now);
  });

  it.each([
    ["a server that cannot be reached", "postgres://postgres@127.0.0.1:1/postgres"],
    ["a role that may not", "reader"],
  ])("leaves each process to itself with %s", async (_, place) => {
    if (place === "reader") cluster.sql("CREATE ROLE reader LOGIN");
    const url = place === "reader" ? cluster.url("reader") : place;
    const service = { baseUrl: "http://127.0.0.1:1", account: undefined };
    const rate = openSharedRate(deps, url, service);
    expect(await rate.reserve()).toBeUndefined();
    expect(await rate.reserve()).toBeUndefined();
  });
});
