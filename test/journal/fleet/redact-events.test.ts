import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../../src/journal/event-store.ts";
import type { OperationEvent } from "../../../src/journal/events.ts";
import { redactStored, withRedactedEvents } from "../../../src/journal/fleet/redact-events.ts";
import { at, requestOf } from "../../delivery/in-memory/deliveries.ts";
import { createMemoryStore } from "../open-stores.ts";

const { content } = requestOf();
const { digest, parts } = content;
const { severity } = content.body;
const services = content.body.services.map(({ id }) => id);
const name = "Checkout fails";
const sending = { type: "sending", at, withId: true, deadline: 1000 } as const;
const created = { type: "created", at, by: "answer", serviceId: "an id" } as const;
const summary = { state: "created", digest, created: { at, serviceId: "an id" } } as const;

describe("an event of a shared journal", () => {
  const begun = { ...sending, bootTime: { boot: "b", elapsed: 1 }, confirmed: "sha256:0" };
  const unsent = { type: "unsent", at, attempt: 0 } as const;
  const uncertain = { type: "uncertain", at, attempt: 0, ids: ["one"] } as const;
  const refused = { type: "refused", at, attempt: 0, status: 403 } as const;
  const pruned = { type: "pruned", at } as const;

  /** The event, and what is kept of it: with the name where that is another, and without the name where that is. */
  it.each(
    Object.entries<readonly [OperationEvent, object?, object?]>({
      "a create": [
        { ...begun, content },
        { ...begun, content: { digest, parts, name, severity, services } },
        { ...begun, content: { digest, parts } },
      ],
      "a create by a key": [
        { ...sending, notify: true, key: "deploy-7", dedupKey: "disk" },
        { ...sending, notify: true, key: "deploy-7", dedupKey: "disk" },
        { ...sending, notify: true },
      ],
      "a create by a person": [
        { ...sending, origin: { actor: "operator", host: "runner-1", commit: "c0ffee" } },
        { ...sending, origin: { actor: "operator", host: "runner-1", commit: "c0ffee" } },
        { ...sending, origin: { commit: "c0ffee" } },
      ],
      "a create against a policy": [
        { ...sending, policyOverride: "customers wait" },
        { ...sending, policyOverride: "" },
      ],
      "a create whose text is elsewhere": [
        { ...sending, content: { digest, name } },
        { ...sending, content: { digest, name } },
        { ...sending, content: { digest } },
      ],
      "a create without a name": [{ ...sending, content: { digest } }],
      "an incident": [
        { ...created, incident: { id: "an id", name } as never, content },
        { ...created, content: { digest, parts, name, severity, services } },
        { ...created, content: { digest, parts } },
      ],
      "an attempt that sent nothing": [
        { ...unsent, reason: "no route to db.internal" },
        { ...unsent, reason: "" },
      ],
      "an unknown outcome": [
        { ...uncertain, reason: "no answer of db.internal" },
        { ...uncertain, reason: "" },
      ],
      "a refusal": [
        { ...refused, message: "Forbidden for the key of a person" },
        { ...refused, message: "answered with 403" },
      ],
      "a summary": [
        { ...pruned, summary: { ...summary, name, severity, services } },
        { ...pruned, summary: { ...summary, name, severity, services } },
        { ...pruned, summary },
      ],
      "a summary without a name": [{ ...pruned, summary }],
      "an acknowledgement": [{ type: "acknowledged", at }],
      "an alert that fired again": [{ type: "fired", at, alertStarts: ["2026-11-20T06:20:00Z"] }],
    }),
  )(
    "keeps of %s what deciding needs, with and without names",
    (_, [event, named = event, nameless = named]) => {
      const stored = { writer: "w", formatVersion: 1, event };
      expect(redactStored(stored, { names: true, actor: true })).toStrictEqual({ ...stored, event: named });
      expect(redactStored(stored, { names: false, actor: false })).toStrictEqual({
        ...stored,
        event: nameless,
      });
    },
  );

  it.each<[string, StoredEvent]>([
    ["a claim", { writer: "w", claim: { id: "one" } }],
    ["an event that nobody knows", { writer: "w", event: null }],
    ["an event that is a text", { writer: "w", event: "text" }],
  ])("is as it is where it is %s", (_, stored) => {
    expect(redactStored(stored, { names: true, actor: true })).toBe(stored);
  });

  it("is redacted before the store has it", async () => {
    const memory = createMemoryStore();
    const store = withRedactedEvents(memory, { names: false, actor: false });
    const event = { writer: "w", event: { ...sending, content } };
    const last = { writer: "w", event: { type: "pruned", at, summary: { ...summary, name } } };
    await store.append([{ log: "op-1", number: 0, event, isUnsettled: true }]);
    expect((await memory.read("op-1")).events).toEqual([
      { writer: "w", event: { ...sending, content: { digest, parts } } },
    ]);
    await store.prune({ log: "op-1", number: 1, event: last });
    expect((await memory.read("op-1")).events).toEqual([
      { writer: "w", event: { type: "pruned", at, summary } },
    ]);
  });
});
