// The limits of writers and readers agree: what an engine, or the journal on it, accepts is read back equal, and what a
// reader would refuse its writer refuses first. The size of an entry is in folder/entry-size.test.ts.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { OperationEvent } from "../../src/journal/events.ts";
import { createFolderSequences } from "../../src/journal/folder/sequences.ts";
import { messageOf, parseCommits } from "../../src/journal/git/scratch-repository.ts";
import { createGitSequences } from "../../src/journal/git/sequences.ts";
import { createJournal } from "../../src/journal/journal.ts";
import { createMemorySequences } from "../../src/journal/memory-sequences.ts";
import { appendEntry, checkServer, createPostgresSequences } from "../../src/journal/postgres/sequences.ts";
import { resolveServer } from "../../src/journal/postgres/server.ts";
import type { Sequences } from "../../src/journal/sequence.ts";
import { createClock, createRandom } from "../harness/incident.ts";
import { createMemoryFiles } from "../harness/memory-files.ts";
import { anyCharacter } from "../text/any-character.ts";
import { createMemoryHost } from "./git/memory-repository.ts";

const key = { baseUrl: "http://service.example", account: "a", id: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };

/** A table in memory that keeps the text of each entry, as the type `json` does. */
function createTable(): Sequences {
  const rows: string[] = [];
  const insert = (number: number, text: string) => {
    // Any other text would depend on the encoding of the database.
    if (!/^[ -~]*$/.test(text)) throw new Error("a text that is not ASCII");
    if (number !== rows.length) return [];
    rows.push(text);
    return [[String(number)]];
  };
  const select = (from: number) => rows.slice(from).map((text, at) => [String(from + at), text]);
  const deps = { files: undefined as never, system: { env: {} } };
  return createPostgresSequences(resolveServer(deps, "postgres://me@db.example/journal?sslmode=disable"), {
    async query(text, [, , number, entry]) {
      if (text === checkServer) return [[null, "f"]];
      return text === appendEntry ? insert(Number(number), String(entry)) : select(Number(number));
    },
    close: () => undefined,
  });
}

/** A repository in memory whose commits are the bytes that git stores. */
function createRepository(): Sequences {
  const own = createMemoryHost().open();
  const clock = createClock();
  const system = { clock, random: createRandom(), signal: new AbortController().signal };
  const remote = { shown: "host", redact: (text: string) => text };
  const write: typeof own.write = (record, parent) => {
    const listing = `\x01a\x02\x02${Buffer.from(messageOf(record)).toString()}\x03`;
    return own.write(JSON.stringify(parseCommits(listing)[0]?.record), parent);
  };
  return createGitSequences({ system }, remote, { ...own, write }, "refs/j");
}

function createFolder(): Sequences {
  const files = createMemoryFiles("/state");
  return createFolderSequences(
    { files, system: { random: createRandom(), user: process.getuid?.() } },
    "/state/x",
  );
}

const engines = {
  memory: createMemorySequences,
  folder: createFolder,
  git: createRepository,
  PostgreSQL: createTable,
} as const;

/** Texts with everything that a file, a commit or a column could change. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .array(
      fc.constantFrom(
        "\0",
        "\u0001",
        "\u0002",
        "\u0003",
        "\ud800",
        "\udfff",
        "\u2028",
        "\ufeff",
        "\r\n",
        "\n\n",
      ),
    )
    .map((parts) => parts.join("x")),
  fc.integer({ min: 0, max: 5000 }).map((length) => "é".repeat(length)),
  fc.constantFrom("[skip ci]", "__proto__", '{"file":"op-1-000.json",', "first"),
);

/** A value that JSON has, as deep as an answer can be. */
const value = fc
  .tuple(fc.jsonValue(), fc.string({ unit: anyCharacter }), fc.nat(64))
  .map(([inner, name, depth]): unknown => {
    let outer: unknown = inner;
    for (let level = 0; level < depth; level += 1) outer = level % 2 === 0 ? [outer] : { [name]: outer };
    // JSON has no -0.
    return JSON.parse(JSON.stringify(outer));
  });

const at = "2026-03-10T08:30:00.000Z";
const content = fc.record({ digest: text, body: fc.record({ name: text, more: value }) });
const steps = fc.oneof(
  fc.record({
    type: fc.constant("sending"),
    content,
    before: fc.array(text),
    confirmed: text,
    alertStarts: fc.array(text),
  }),
  fc.record({ type: fc.constant("unsent"), reason: text }),
  fc.record({ type: fc.constant("refused"), status: fc.nat(), message: text }),
  fc.record({ type: fc.constant("uncertain"), reason: text, ids: fc.array(text) }),
  fc.record({ type: fc.constant("created"), by: fc.constant("answer"), serviceId: text, altered: value }),
  fc.record({ type: fc.constant("fired"), alertStarts: fc.array(text) }),
  fc.record({ type: fc.constantFrom("not-created") }),
) as fc.Arbitrary<object>;
const events = fc.array(
  steps.map((step) => ({ withId: true, deadline: 1, attempt: 0, at, ...step }) as unknown as OperationEvent),
  { minLength: 1, maxLength: 5 },
);

const seed = Number(process.env.INCIDENT_TEST_SEED ?? Date.now());

it.each(Object.entries(engines))("%s reads every entry as it was written", async (_, open) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(value, text), { minLength: 1, maxLength: 20 }), async (given) => {
      const sequence = open().open("a");
      const entries = given.map((event, index) => ({ writer: `w${index}`, event }));
      for (const [number, entry] of entries.entries())
        expect(await sequence.append(number, entry)).toBe("ours");
      expect(await sequence.read(0)).toEqual({ first: 0, entries });
    }),
    { seed, numRuns: 40 },
  );
});

it.each(Object.entries(engines))(
  "the journal in %s reads every operation that it writes",
  async (_, open) => {
    await fc.assert(
      fc.asyncProperty(events, async (given) => {
        const deps = {
          sequences: open(),
          writer: createRandom().guid,
          system: { clock: createClock(), signal: new AbortController().signal },
        };
        const journal = createJournal(deps);
        let log = await journal.read(key);
        for (const event of given) {
          const before = log;
          const appended = await journal.append(log, event).catch((error: unknown) => error);
          // A refused event is not in the journal, which is read as before.
          if (appended instanceof Error) expect(await journal.read(key)).toEqual(before);
          else ({ log } = appended as { log: typeof log });
          expect(await createJournal(deps).read(key)).toEqual(log);
        }
      }),
      { seed, numRuns: 40 },
    );
  },
);
