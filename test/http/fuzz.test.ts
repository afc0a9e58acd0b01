// A request ends in one of the three phases for any bytes of an answer, split at any place.
import fc from "fast-check";
import { expect, test } from "vitest";
import { sendAndCount } from "./attempt.ts";
import { response, to, useServers } from "./fault-row.ts";

const start = useServers();

const incident =
  '{"id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","name":"Checkout fails","lastUpdateStatus":"INVESTIGATING"}';
const whole = response(
  incident,
  "content-type: application/json",
  "date: Sun, 06 Nov 1994 08:49:37 GMT",
  `content-length: ${incident.length}`,
);
const chunked = response(
  '10\r\n{"id":"7c9e6679-\r\n3;a=b\r\n"}\n\r\n0\r\nx-trailer: 1\r\n\r\n',
  "transfer-encoding: chunked",
  "connection: keep-alive",
);

/** Replaces `removed` bytes with `bytes`, at position `at` modulo the length. */
interface Corruption {
  readonly at: number;
  readonly removed: number;
  readonly bytes: Uint8Array;
}

const corruption: fc.Arbitrary<Corruption> = fc.record({
  at: fc.nat(),
  removed: fc.nat({ max: 4 }),
  bytes: fc.uint8Array({ maxLength: 4 }),
});

function corrupt(bytes: Buffer, { at, removed, bytes: inserted }: Corruption): Buffer {
  const place = at % bytes.length;
  return Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + removed)]);
}

const answer = fc.record({
  base: fc.constantFrom(whole, chunked),
  corruptions: fc.array(corruption, { maxLength: 3 }),
  cuts: fc.array(fc.nat(), { maxLength: 5 }),
  ending: fc.constantFrom("end", "resetAndDestroy"),
});

test("any split and any corruption of an answer ends in a phase", async () => {
  const phases = new Set<string>();
  await fc.assert(
    fc.asyncProperty(answer, async ({ base, corruptions, cuts, ending }) => {
      const bytes = corruptions.reduce(corrupt, base);
      const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
      const server = await start({
        requested: async (socket) => {
          for (const [index, place] of places.slice(1).entries()) {
            await new Promise<unknown>((resolve) =>
              socket.write(bytes.subarray(places[index], place), resolve),
            );
            await new Promise(setImmediate);
          }
          socket[ending]();
        },
      });
      const { outcome, sends } = await sendAndCount({ url: to(server) });
      phases.add(outcome.phase);
      expect(["answered", "unanswered"]).toContain(outcome.phase);
      expect(outcome).not.toHaveProperty("reason", "timeout");
      expect(outcome).not.toHaveProperty("bodyError", "timeout");
      if (corruptions.length === 0 && ending === "end") {
        expect(outcome).toMatchObject({ phase: "answered", status: 200 });
        expect(outcome).not.toHaveProperty("bodyError");
      }
      expect([sends, server.requests, server.connections]).toEqual([1, 1, 1]);
      await server.stop();
    }),
    { seed: 20, numRuns: 100 },
  );
  expect([...phases].sort()).toEqual(["answered", "unanswered"]);
});
