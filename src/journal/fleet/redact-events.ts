// Redacts the events of a shared journal: the texts for customers, the messages of the service and, where a profile
// says so, the names of incidents and of who acted. No decision needs them.
import type { Append, EventStore, StoredEvent } from "../event-store.ts";
import type { LoggedContent, OperationEvent } from "../events.ts";
import { subjectOf, withoutTexts } from "../fold.ts";
import { withoutActor } from "./origin.ts";

export interface RedactionOptions {
  /** Whether the names, severities and services of incidents are kept, and the keys that stand for them. */
  readonly names: boolean;
  /** Whether it is kept who acted, and on which machine. */
  readonly actor: boolean;
}

export function withRedactedEvents(store: EventStore, options: RedactionOptions): EventStore {
  const redact = <T extends Pick<Append, "event">>(append: T): T => ({
    ...append,
    event: redactStored(append.event, options),
  });
  return {
    ...store,
    append: (appends) => store.append(appends.map(redact)),
    prune: (append) => store.prune(redact(append)),
  };
}

/** The form of an event in a shared journal. */
export function redactStored(stored: StoredEvent, options: RedactionOptions): StoredEvent {
  const { event } = stored;
  // A claim has no text.
  if (typeof event !== "object" || event === null) return stored;
  const redacted = redactEvent(event as OperationEvent, options);
  const { origin } = redacted;
  return {
    ...stored,
    event: options.actor || origin === undefined ? redacted : { ...redacted, origin: withoutActor(origin) },
  };
}

function redactEvent(event: OperationEvent, options: RedactionOptions): OperationEvent {
  switch (event.type) {
    case "sending": {
      const { dedupKey, key, ...rest } = event;
      const reason = event.policyOverride === undefined ? {} : { policyOverride: "" };
      return { ...(options.names ? event : rest), ...reason, ...redactContent(event, options) };
    }
    case "unsent":
    case "uncertain":
      return { ...event, reason: "" };
    case "refused":
      return { ...event, message: `answered with ${event.status}` };
    case "created": {
      const { incident: _, ...rest } = event;
      return { ...rest, ...redactContent(event, options) };
    }
    case "pruned": {
      const { name: _, services: __, severity: ___, ...summary } = event.summary;
      return { ...event, summary: options.names ? event.summary : summary };
    }
    case "acknowledged":
    case "fired":
    case "not-created":
    case "resend":
      return event;
  }
}

/** Whether it stands in the place of a text that a shared journal does not have. */
export function isRedactedText(value: unknown): boolean {
  return value === "" || /^answered with \d+$/.test(String(value));
}

function redactContent(
  { content }: { readonly content?: LoggedContent },
  { names }: RedactionOptions,
): { readonly content?: LoggedContent } {
  if (content === undefined) return {};
  const parts = "parts" in content && content.parts;
  const kept = { digest: content.digest, ...(parts && { parts }), ...(names && subjectOf(content)) };
  const change = content.body === undefined ? content.change : undefined;
  return { content: change === undefined ? kept : { ...kept, change: withoutTexts(change) } };
}
