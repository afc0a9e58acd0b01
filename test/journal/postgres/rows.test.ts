// What a sequence in PostgreSQL makes of the rows and the errors that a session answers.
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/failure.ts";
import { PostgresError } from "../../../src/journal/postgres/errors.ts";
import { createPostgresSequences } from "../../../src/journal/postgres/sequences.ts";
import { resolveServer } from "../../../src/journal/postgres/server.ts";
import { tableVersion } from "../../../src/journal/postgres/table.ts";

const deps = { files: undefined as never, system: { env: {} } };
const server = resolveServer(deps, "postgres://me@db.example/journal?sslmode=disable");
const state = {
  commits: "on",
  standby: false,
  fsync: "on",
  pages: "on",
  persistence: "p",
  version: tableVersion,
  tidies: true,
};

/** A sequence whose session answers each statement with these rows, or this error. */
function openSequence(answer: unknown) {
  const asked: unknown[][] = [];
  const statements: string[] = [];
  const { open } = createPostgresSequences(server, {
    async query(text, values) {
      asked.push([...values]);
      statements.push(text);
      if (answer instanceof Error) throw answer;
      return [[JSON.stringify(state), typeof answer === "string" ? answer : JSON.stringify(answer)]];
    },
    close: () => undefined,
  });
  return { asked, statements, sequence: open("a") };
}

describe("a sequence in PostgreSQL", () => {
  const entry = { writer: "a" };
  const untrusted = (number: number, reason: string) =>
    `the journal's file entry ${number} of a in incident_journal cannot be trusted: ${reason}`;

  it.each<[string, readonly unknown[], object | string]>([
    ["has none", [], { first: 3, entries: [] }],
    [
      "has all",
      [
        [3, entry],
        [4, entry],
      ],
      { first: 3, entries: [entry, entry] },
    ],
    ["begins with a snapshot", [[7, entry]], { first: 7, entries: [entry] }],
    [
      "has a gap",
      [
        [3, entry],
        [5, entry],
      ],
      untrusted(4, "it is gone"),
    ],
    [
      "was dropped in the middle",
      [
        [3, entry],
        [4, null],
      ],
      untrusted(4, "it is empty"),
    ],
  ])("that %s is read or refused", async (_, rows, expected) => {
    const read = openSequence(rows).sequence.read(3);
    if (typeof expected === "string") await expect(read).rejects.toThrow(expected);
    else expect(await read).toEqual(expected);
  });

  it("gets an entry as plain ASCII", async () => {
    const { asked, sequence } = openSequence([0]);
    expect(await sequence.append(0, { writer: "é" })).toBe("ours");
    expect(asked).toEqual([[false, "default", "a", 0, '{"writer":"\\u00e9"}']]);
  });

  const refused = new PostgresError("unsent", new Error("connection refused"));

  it.each<[string, unknown, readonly unknown[]]>([
    ["refuses a statement", refused, ["unavailable", "unavailable", "unavailable"]],
    [
      "is lost",
      new PostgresError("sent", new Error("the link is down")),
      ["unknown", "unavailable", "unavailable"],
    ],
    ["answers nonsense", "nonsense", ["SyntaxError", "SyntaxError", "SyntaxError"]],
  ])("whose session %s ends an append, a reading and a drop", async (_, answer, ends) => {
    const { sequence } = openSequence(answer);
    const endOf = (work: Promise<unknown>) =>
      work.catch((error: Error) => (error instanceof Failure ? error.kind : error.name));
    const works = [sequence.append(0, { writer: "a" }), sequence.read(0), sequence.drop(1)];
    expect(await Promise.all(works.map(endOf))).toEqual(ends);
  });
});

it("makes every statement that changes a sequence wait until its commit is durable, in its own transaction", async () => {
  const { statements, sequence } = openSequence([]);
  await sequence.append(0, { writer: "a" });
  await sequence.append(1, { writer: "b", snapshot: {} });
  await sequence.drop(1);
  expect(new Set(statements).size).toBe(3);
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
    const { open } = createPostgresSequences({ ...server, trustsDurability: isTrusted }, session);
    await expect(open("a").append(0, { writer: "a" })).rejects.toThrow(
      "it can lose commits in a crash: synchronous_commit is off",
    );
  },
);
