// What a sequence in PostgreSQL makes of the rows and the errors that a session answers.
import { describe, expect, it } from "vitest";
import { postgresFailure } from "../../../src/journal/postgres/connection.ts";
import {
  appendEntry,
  checkServer,
  createPostgresSequences,
} from "../../../src/journal/postgres/sequences.ts";
import { resolveServer } from "../../../src/journal/postgres/server.ts";

const deps = { files: undefined as never, system: { env: {} } };
const server = resolveServer(deps, "postgres://me@db.example/journal?sslmode=disable");
/** A sequence whose session answers each statement but the check of the server with these rows, or this error. */
function openSequence(answer: Error | readonly (readonly [number, object | null])[]) {
  const asked: unknown[][] = [];
  const { open } = createPostgresSequences(server, {
    async query(text, values) {
      if (text === checkServer) return [[null, "t"]];
      asked.push([...values]);
      if (answer instanceof Error) throw answer;
      return answer.map(([number, entry]) => [String(number), entry && JSON.stringify(entry)]);
    },
    close: () => undefined,
  });
  return { asked, sequence: open("a") };
}

describe("a sequence in PostgreSQL", () => {
  const entry = { writer: "a" };
  const untrusted = (number: number, reason: string) =>
    `the journal's entry ${number} of a in incident_journal cannot be trusted: ${reason}`;

  it.each<[string, readonly (readonly [number, object | null])[], object | string]>([
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
  ])("that %s is read or refused", async (_, rows, expected) => {
    const read = openSequence(rows).sequence.read(3);
    if (typeof expected === "string") await expect(read).rejects.toThrow(expected);
    else expect(await read).toEqual(expected);
  });

  it("gets an entry as plain ASCII", async () => {
    const { asked, sequence } = openSequence([[0, null]]);
    expect(await sequence.append(0, { writer: "é" })).toBe("ours");
    expect(asked).toEqual([["default", "a", 0, '{"writer":"\\u00e9"}']]);
  });

  it("whose session is lost ends an append, a reading and a drop with a failure", async () => {
    const { sequence } = openSequence(postgresFailure(server, "the link is down"));
    for (const work of [sequence.append(0, { writer: "a" }), sequence.read(0), sequence.drop(1)])
      await expect(work).rejects.toMatchObject({ kind: "unavailable", retryable: true });
  });
});

it("waits until the commit of an entry is durable, in its own transaction", () => {
  expect(appendEntry).toMatch(/^WITH durable AS MATERIALIZED /);
  expect(appendEntry).toContain("set_config('synchronous_commit', 'on', true)");
  expect(appendEntry).toMatch(/SELECT [^;]*\bFROM durable\b/);
});

it.each([[new Error("lost")], ["it is a standby"]])(
  "appends nothing at a server whose check ends with %s",
  async (check) => {
    const asked: string[] = [];
    const { open } = createPostgresSequences(server, {
      async query(text) {
        asked.push(text);
        if (check instanceof Error) throw postgresFailure(server, check);
        return [[check, "t"]];
      },
      close: () => undefined,
    });
    for (const _ of [1, 2])
      await expect(open("a").append(0, { writer: "a" })).rejects.toMatchObject({ kind: "unavailable" });
    expect(asked).toEqual([checkServer, checkServer]);
  },
);
