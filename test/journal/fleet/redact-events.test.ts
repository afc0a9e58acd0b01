import { describe, expect, it } from "vitest";
import type { OperationEvent } from "../../../src/journal/events.ts";
import { redactEvent } from "../../../src/journal/fold.ts";
import { at, requestOf } from "../../delivery/in-memory/deliveries.ts";

const { content } = requestOf();
const { digest, parts } = content;
const name = "Checkout fails";
const sending = { type: "sending", at, withId: true, deadline: 1000 } as const;
const created = { type: "created", at, by: "answer", serviceId: "an id" } as const;

describe("an event of a shared journal", () => {
  const begun = { ...sending, confirmed: "sha256:0" };
  const unsent = { type: "unsent", at, attempt: 0 } as const;
  const uncertain = { type: "uncertain", at, attempt: 0 } as const;
  const refused = { type: "refused", at, attempt: 0, status: 403 } as const;

  /** The event, and what is kept of it where that is another. */
  it.each(
    Object.entries<readonly [OperationEvent, object?]>({
      "a create": [
        { ...begun, content },
        { ...begun, content: { digest, parts, name } },
      ],
      "a create by a key": [{ ...sending, notify: true, key: "deploy-7", dedupKey: "disk" }],
      "a create by a person": [{ ...sending, origin: { actor: "operator", host: "runner-1" } }],
      "a create whose text is elsewhere": [{ ...sending, content: { digest, name } }],
      "a create without a name": [{ ...sending, content: { digest } }],
      "an incident": [
        { ...created, content },
        { ...created, content: { digest, parts, name } },
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
      "an alert that fired again": [{ type: "fired", at, alertStarts: ["2026-11-20T06:20:00Z"] }],
    }),
  )("keeps of %s what deciding needs", (_, [event, kept = event]) => {
    expect(redactEvent(event)).toStrictEqual(kept);
  });
});
