// Redacts the events of a shared journal: the texts for customers, and the messages of the service. No decision needs
// them.
import type { LoggedContent, OperationEvent } from "../events.ts";
import { nameOf, withoutTexts } from "../fold.ts";

/** The form of an event in a shared journal. */
export function redactEvent(event: OperationEvent): OperationEvent {
  switch (event.type) {
    case "sending":
    case "created":
      return { ...event, ...redactContent(event) };
    case "unsent":
    case "uncertain":
      return { ...event, reason: "" };
    case "refused":
      return { ...event, message: `answered with ${event.status}` };
    case "pruned":
    case "fired":
    case "not-created":
      return event;
  }
}

function redactContent({ content }: { readonly content?: LoggedContent }): {
  readonly content?: LoggedContent;
} {
  if (content === undefined) return {};
  const parts = "parts" in content && content.parts;
  const name = nameOf(content);
  const kept = { digest: content.digest, ...(parts && { parts }), ...(name !== undefined && { name }) };
  const change = content.body === undefined ? content.change : undefined;
  return { content: change === undefined ? kept : { ...kept, change: withoutTexts(change) } };
}
