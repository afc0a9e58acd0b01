// Leaves out of a shared journal what deciding does not need: the texts for customers, what the service answered, and,
// where a profile says so, the names of incidents.
import type { Append, EventStore, StoredEvent } from "../event-store.ts";
import type { LoggedContent, OperationEvent } from "../events.ts";

export interface TextOptions {
  /** Whether the names of incidents are kept. */
  readonly names: boolean;
}

export function withoutText(store: EventStore, options: TextOptions): EventStore {
  const reduce = <T extends Pick<Append, "event">>(append: T): T => ({
    ...append,
    event: reduceStored(append.event, options),
  });
  return {
    ...store,
    append: (appends) => store.append(appends.map(reduce)),
    prune: (append) => store.prune(reduce(append)),
  };
}

/** An event as a shared journal has it. */
export function reduceStored(stored: StoredEvent, options: TextOptions): StoredEvent {
  const { event } = stored;
  // A claim has no text.
  if (typeof event !== "object" || event === null) return stored;
  return { ...stored, event: reduceEvent(event as OperationEvent, options) };
}

function reduceEvent(event: OperationEvent, options: TextOptions): OperationEvent {
  switch (event.type) {
    case "sending": {
      const { policyOverride, ...rest } = event;
      return {
        ...rest,
        ...(policyOverride !== undefined && { policyOverride: "" }),
        ...reduceContent(event, options),
      };
    }
    case "unsent":
    case "uncertain":
      return { ...event, reason: "" };
    case "refused":
      return { ...event, message: `answered with ${event.status}` };
    case "created": {
      const { incident: _, ...rest } = event;
      return { ...rest, ...reduceContent(event, options) };
    }
    case "pruned": {
      const { name, ...summary } = event.summary;
      return { ...event, summary: options.names && name !== undefined ? event.summary : summary };
    }
    case "acknowledged":
    case "not-created":
    case "resend":
      return event;
  }
}

function reduceContent(
  { content }: { readonly content?: LoggedContent },
  { names }: TextOptions,
): { readonly content?: LoggedContent } {
  if (content === undefined) return {};
  const name = content.body === undefined ? content.name : content.body.name;
  return { content: { digest: content.digest, ...(names && name !== undefined && { name }) } };
}
