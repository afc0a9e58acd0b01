// What the PostgreSQL store makes of the rows and the errors that a session answers.
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/failure.ts";
import { PostgresError } from "../../../src/journal/postgres/errors.ts";
import { resolveServer } from "../../../src/journal/postgres/server.ts";
import { createPostgresStore } from "../../../src/journal/postgres/store.ts";
import { tableVersion } from "../../../src/journal/postgres/table.ts";
import { appendOf } from "../event-store.ts";

const log = "op-1";
const deps = { files: undefined as never, system: { env: {} } };
const server = resolveServer(deps, "postgres://me@db.example/journal?sslmode=disable");
const state = {
  commits: "on",
  standby: false,
  fsync: "on",
  pages: "on",
  persistence: "p",
  version: tableVersion,
};

/** A store whose session answers each statement with these rows, or this error. */
function createStore(answer: unknown) {
  const asked: unknown[][] = [];
  const statements: string[] = [];
  const store = createPostgresStore({
    server,
    session: {
      async query(text, values) {
        asked.push([...values]);
        statements.push(text);
        if (answer instanceof Error) throw answer;
        return [[JSON.stringify(state), typeof answer === "string" ? answer : JSON.stringify(answer)]];
      },
      close: () => undefined,
    },
  });
  return { asked, statements, store };
}

describe("a log in PostgreSQL", () => {
  const event = { writer: "a" };
  const untrusted = (name: string, reason: string) =>
    `the journal's file ${name} cannot be trusted: ${reason}`;

  it.each<[string, readonly unknown[], object | string]>([
    ["has none", [], { first: 0, events: [] }],
    ["has all", [[log, 0, event]], { first: 0, events: [event] }],
    [
      "was pruned",
      [
        [log, 0, null],
        [log, 1, event],
        ["op-2", 0, event],
      ],
      { first: 1, events: [event] },
    ],
    ["lost its first", [[log, 1, event]], untrusted("op-1-1", "an event before it is gone")],
    [
      "was pruned in the middle",
      [
        [log, 0, null],
        [log, 1, event],
        [log, 2, null],
      ],
      untrusted("op-1-1", "an event after it is gone"),
    ],
  ])("that %s of its events is read or refused", async (_, rows, expected) => {
    const read = createStore(rows).store.read(log);
    if (typeof expected === "string") await expect(read).rejects.toThrow(expected);
    else expect(await read).toEqual(expected);
  });
});

describe("a session with PostgreSQL", () => {
  it("is asked once for each event of a number", async () => {
    const { asked, store } = createStore([[log, 0]]);
    const both = [appendOf(0, "é", { log }), appendOf(0, "b", { log })];
    expect(await store.append(both)).toEqual(["ours", "taken"]);
    expect(asked.map((values) => values.slice(2))).toEqual([
      [[log], [0], [false], ['{"writer":"\\u00e9","step":0}'], [null]],
    ]);
  });

  const refused = new PostgresError("unsent", new Error("connection refused"));

  it.each<[string, unknown, readonly unknown[]]>([
    ["refuses a statement", refused, ["unavailable", undefined]],
    ["is lost", new PostgresError("sent", new Error("the link is down")), [["unknown"], undefined]],
    ["answers nonsense", "nonsense", ["SyntaxError", "SyntaxError"]],
  ])("that %s ends an append and a pass of tidying up", async (_, answer, ends) => {
    const { store } = createStore(answer);
    const endOf = (work: Promise<unknown>) =>
      work.catch((error: Error) => (error instanceof Failure ? error.kind : error.name));
    expect([await endOf(store.append([appendOf(0, "a", { log })])), await endOf(store.sweep(0))]).toEqual(
      ends,
    );
  });
});

it("makes every statement that changes a log wait until its commit is durable, in its own transaction", async () => {
  const { statements, store } = createStore([]);
  await store.append([appendOf(0, "a")]);
  await store.prune(appendOf(1, "b"));
  await store.sweep(0);
  expect(statements).toHaveLength(3);
  for (const text of statements) {
    expect(text).toContain("set_config('synchronous_commit', 'on', true)");
    expect(text).toMatch(/^WITH server AS MATERIALIZED /);
    expect(text).toMatch(/FROM [^;]*\bserver\s+WHERE NOT standby/);
  }
});

it.each([false, true])(
  "refuses a commit that may not be durable, with durability=trusted: %s",
  async (isTrusted) => {
    const session = {
      query: async () => [[JSON.stringify({ ...state, commits: "off" }), null]],
      close: () => undefined,
    };
    const store = createPostgresStore({ server: { ...server, trustsDurability: isTrusted }, session });
    await expect(store.append([appendOf(0, "a")])).rejects.toThrow(
      "it can lose commits in a crash: synchronous_commit is off",
    );
  },
);
