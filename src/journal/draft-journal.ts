// A journal for a dry run: its entries stay in the memory of the process, and no other process sees them.
import type { OwnEvent, ServiceKey } from "./events.ts";
import type { Journal } from "./journal.ts";
import { addEvent, draftOf, operation } from "./model.ts";

export function createDraftJournal(journal: Journal): Journal {
  const own: OwnEvent[] = [];
  const model = async (service: ServiceKey) => {
    const draft = draftOf(await journal.model(service));
    draft.service ??= service;
    for (const event of own) addEvent(draft, event, 0);
    return draft;
  };
  const read: Journal["read"] = async (key) => operation(await model(key), key, key.id);
  return {
    ...journal,
    model,
    read,
    async append({ key }, event) {
      own.push({ id: key.id, event });
      return { result: "ours", model: await model(key), log: await read(key) };
    },
  };
}
