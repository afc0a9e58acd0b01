// Several creates in one command, in memory: what is claimed, recorded and said, where a batch ends early, and what an
// open incident or an unsettled create changes.
import { describe, expect, it } from "vitest";
import { createAll } from "../../../src/delivery/batch/batch.ts";
import type { Delivered, DeliveryOptions } from "../../../src/delivery/delivery-options.ts";
import { idForText } from "../../../src/delivery/incident-id.ts";
import { Failure } from "../../../src/failure.ts";
import type { OperationEvent } from "../../../src/journal/events.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import type { Sequences } from "../../../src/journal/sequence.ts";
import { definition, incidentId, numberedId, service } from "../../harness/builders.ts";
import { createMemorySequences } from "../../journal/memory-sequences.ts";
import { account, at, type Happening, key, openScripted, requestOf, short } from "../in-memory/deliveries.ts";
import { answer, incidentOf, refusal } from "../services-by-hand.ts";

const otherId = numberedId(70);
const earlierId = numberedId(80);
const { content } = requestOf();
const sending = { type: "sending", at, withId: true, deadline: 0, content } as const;
const notCreated = { type: "not-created", at } as const;
const byReading = { type: "created", at, by: "reading", serviceId: incidentId, content } as const;

interface Setup extends Partial<DeliveryOptions> {
  readonly creates?: readonly Happening[];
  readonly reads?: readonly Happening[];
  readonly signal?: AbortSignal;
  readonly sequences?: Sequences;
}

function openBatch({ creates = [], reads, ...more }: Setup = {}) {
  const asked: unknown[] = [];
  const claimedIds: string[] = [];
  const wrapJournal = (journal: Journal): Journal => ({
    ...journal,
    append(log, event, ...rest) {
      if (event.type === "sending" && event.claim !== undefined) {
        asked.push([event.claim, (event.content ?? log).digest]);
        claimedIds.push(log.key.id);
      }
      return journal.append(log, event, ...rest);
    },
  });
  const delivery = openScripted(creates, reads, { ...more, wrapJournal });
  const { journal } = delivery.options;
  const batch: DeliveryOptions = { ...delivery.options, isNew: false, ...more };
  const eventsOf = async (id: string) => (await journal.read({ ...key, id })).events.map(({ type }) => type);
  return { ...delivery, asked, batch, claimedIds, eventsOf };
}

const declares = (id: string): Happening => answer(201, incidentOf({ id, name: undefined }));
const messageOf = (failure: Failure | undefined) => failure && short([failure.message])[0];

const howOf = (delivered: readonly Delivered[]) => delivered.map(({ how }) => how);
const idsOf = (delivered: readonly Delivered[]) => delivered.map(({ incident }) => incident.id);

describe("a batch", () => {
  const one = definition();
  const two = definition({ name: "Refunds fail" });
  const several = definition({
    name: "Refunds fail",
    incidentUpdates: [...one.incidentUpdates, ...one.incidentUpdates],
  });

  it("claims equal contents one after the other", async () => {
    const { asked, batch, claimedIds, eventsOf } = openBatch({
      creates: [declares(otherId), declares(earlierId)],
    });
    const { delivered, failure } = await createAll(batch, [one, one]);
    const [first = ""] = claimedIds;
    expect(asked).toEqual([
      [1, content.digest],
      [2, content.digest],
    ]);
    expect({ how: howOf(delivered), failure, ids: idsOf(delivered) }).toEqual({
      how: ["declared", "declared"],
      failure: undefined,
      ids: [otherId, earlierId],
    });
    expect(await eventsOf(first)).toEqual(["sending", "created"]);
  });

  it("goes on with the create of a run that has begun the same content meanwhile, and has no answer", async () => {
    const sequences = createMemorySequences();
    const other = openBatch({ creates: [refusal(502)], sequences });
    // `own` chooses the first two ids.
    other.options.system.random.guid();
    other.options.system.random.guid();
    const begun = numberedId(3);
    const own = openBatch({
      creates: [declares(earlierId)],
      reads: [answer(200, incidentOf({ id: begun }))],
      sequences,
      // Called for the definition with two updates, when the content of the first one is planned.
      operations: async () => {
        if (other.claimedIds.length === 0) await createAll(other.batch, [one]);
        return new Failure("unavailable", "not read", { hint: "" });
      },
    });
    const { delivered } = await createAll(own.batch, [one, several]);
    expect([howOf(delivered)[0], idsOf(delivered)[0]]).toEqual(["found", begun]);
    expect(own.requests.filter((each) => each.startsWith("create"))).toHaveLength(1);
  });

  it("that ends early says what was declared", async () => {
    const { batch, claimedIds, eventsOf } = openBatch({ creates: [declares(otherId), refusal(403)] });
    const { failure } = await createAll(batch, [one, two, one]);
    const [first = ""] = claimedIds;
    expect(await eventsOf(first)).toEqual(["sending", "created"]);
    expect(messageOf(failure)).toBe(
      '1 declared, then "Refunds fail" (2 of 3): the key has no permission for this (403: Refused); 1 not tried',
    );
  });

  it("sends the account of the settings, and the id of a key", async () => {
    const services = [{ ...service, accountId: account }];
    const { asked, batch, options } = openBatch({ creates: [declares(otherId), declares(otherId)] });
    await createAll(batch, [definition({ services })]);
    await createAll({ ...batch, named: { key: "build-1" } }, [definition({ services })]);
    const keyed = { ...key, id: idForText(key, "build-1") };
    const log = await options.journal.read(keyed);
    const { id: _, ...bare } = content.body;
    expect(log.content).toEqual({ ...content, body: { ...bare, id: keyed.id } });
    expect(asked).toEqual([[1, content.digest]]);
  });

  it("sends an id in lower case", async () => {
    const { batch, options, requests } = openBatch({ creates: [declares(incidentId)] });
    await createAll(batch, [definition({ id: incidentId.toUpperCase() })]);
    expect(short(requests)).toEqual(["read ID at 0", "create ID"]);
    expect(options.journal.known(options.service).ids).toBe("honoured");
  });

  it("ends where it is interrupted, and says what was declared", async () => {
    const controller = new AbortController();
    const stop = () => controller.abort("SIGINT");
    const { batch } = openBatch({
      creates: [[stop, answer(201, incidentOf({ id: otherId, name: undefined }))]],
      signal: controller.signal,
    });
    const { failure } = await createAll(batch, [one, two]);
    expect(messageOf(failure)).toBe('1 declared, then "Refunds fail" (2 of 2): cancelled by Ctrl-C');
  });

  it.each([
    [1, "throws", "x is undefined"],
    [2, "tells of it", '1 declared, then "Refunds fail" (2 of 2): this is a bug in incident: x is undefined'],
  ])("with a fault of the tool before create %i %s", async (last, _, message) => {
    let creates = 0;
    const beforeSend = async () => {
      creates += 1;
      if (creates === last) throw new TypeError("x is undefined");
    };
    const { batch } = openBatch({ creates: [declares(otherId)], beforeSend });
    const end = await createAll(batch, [one, two]).then(
      ({ failure }) => failure,
      (error: Error) => ({ name: error.name, message: error.message }),
    );
    expect(end).toMatchObject({ name: last === 1 ? "TypeError" : "Failure", message });
  });
});

describe("beside a create whose outcome is not known, with the same content", () => {
  const stops = expect.stringContaining(`"Checkout fails" may be the create of ${otherId}`);

  it.each<[string, readonly OperationEvent[], boolean, unknown, unknown[]]>([
    ["a new create stops", [], false, stops, []],
    ["a new create with --new is sent", [], true, undefined, ["declared ID  Checkout fails"]],
    ["a create that may be sent again stops", [sending, notCreated], false, stops, []],
    [
      "a create that was refused stops",
      [sending, { type: "refused", at, attempt: 0, status: 403, message: "" }],
      false,
      stops,
      [],
    ],
    [
      "a create that is declared answers",
      [byReading],
      false,
      undefined,
      ["already declared ID  Checkout fails (from here, 2026-11-20 07:31 +01:00)"],
    ],
    [
      "a create that is not known either is settled",
      [sending, { type: "uncertain", at, attempt: 0, reason: "" }],
      false,
      undefined,
      ["already declared ID  Checkout fails"],
    ],
  ])("%s", async (_, earlier, isNew, failure, told) => {
    const isThere = earlier.length > 0 && failure === undefined;
    const found = isThere ? answer(200, incidentOf()) : refusal(404);
    const delivery = openBatch({ creates: [declares(incidentId)], reads: [found], isNew });
    for (const event of earlier) await delivery.append(event);
    await delivery.append(sending, { ...key, id: otherId });
    const result = await createAll(delivery.batch, [definition({ id: incidentId })]);
    expect({ failure: result.failure?.message, told: short(delivery.told) }).toEqual({ failure, told });
  });
});
