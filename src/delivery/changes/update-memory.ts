// This machine's knowledge of the updates of a service: whether they keep the ids of clients, and the direction of
// a list of them. Learned apart from creates, and only from updates that were posted from here.
import { Failure } from "../../failure.ts";
import type { UpdateOrder } from "../../incident/updates.ts";
import { createClientIdMemory, type Notes } from "../../journal/client-ids.ts";
import type { ServiceKey } from "../../journal/events.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { isMapping, parseJson } from "../../untrusted-data.ts";

export function openUpdateMemory(notes: Notes, service: ServiceKey) {
  const name = `order-${jsonDigest([service.baseUrl, service.account]).slice(0, 40)}.json`;
  return {
    ids: createClientIdMemory(notes, service, undefined, "updates"),
    /** Undefined where it is not known. */
    order(): UpdateOrder | undefined {
      const { order } = parseNote(notes.read(name));
      return order === "oldest-first" || order === "newest-first" ? order : undefined;
    },
    learnOrder(order: UpdateOrder): void {
      try {
        if (parseNote(notes.read(name)).order !== order) notes.replace(name, JSON.stringify({ order }));
      } catch (error) {
        // The next update learns it again.
        if (!(error instanceof Failure)) throw error;
      }
    },
  };
}

function parseNote(text: string | undefined): { readonly order?: unknown } {
  const note = parseJson(text ?? "");
  return isMapping(note) ? note : {};
}
