// The limits of the journal's writer and reader agree: what it accepts is read back equal, and what a reader would refuse its
// writer refuses first. The size of an entry is in folder/entry-size.test.ts, and its text in the tests of each engine.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { OperationEvent } from "../../src/journal/events.ts";
import { createJournal } from "../../src/journal/journal.ts";
import { createClock, createRandom } from "../harness/incident.ts";
import { anyCharacter } from "../text/any-character.ts";
import { createMemorySequences } from "./memory-sequences.ts";

const key = { baseUrl: "http://service.example", account: "a", id: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };

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

it("the journal reads every operation that it writes", async () => {
  await fc.assert(
    fc.asyncProperty(events, async (given) => {
      const deps = {
        sequences: createMemorySequences(),
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
});
