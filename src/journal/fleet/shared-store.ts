// The store of a shared journal, for creates. This machine keeps the texts of the creates that it sends: the journal has
// none, and this machine needs them to send a create again, and to find services and ids.
import { join } from "node:path";
import { Failure } from "../../failure.ts";
import { addNames } from "../../platform/name-list.ts";
import { advise, argv } from "../../text/advice.ts";
import { eventName, lineOf, type SentPlace, sentPlaces } from "../event-lines.ts";
import {
  type Append,
  type EventStore,
  operationPrefix,
  type StoredEvent,
  type StoredLog,
} from "../event-store.ts";
import type { Content, LoggedContent, OperationEvent, OperationKey, OperationLog } from "../events.ts";
import { foldEvents } from "../fold.ts";
import { type FileDeps, openPrivateFolder } from "../folder/private-files.ts";
import { createFolderStore } from "../folder/store.ts";
import { parseStored, StoreHint } from "../journal-errors.ts";
import { isEqual } from "./copy-logs.ts";
import { type RedactionOptions, withRedactedEvents } from "./redact-events.ts";

/**
 * `stateDirectory` is that of this machine. The events of `shared` get the texts that this machine has. An operation that
 * is only in this machine's own journal is refused: otherwise a create would be declared again after the journal has moved.
 */
export function createSharedStore(
  shared: EventStore,
  deps: FileDeps,
  stateDirectory: string,
  redaction: RedactionOptions,
): EventStore {
  const store = withRedactedEvents(shared, redaction);
  const local = createFolderStore(deps, stateDirectory);
  const place: SentPlace = sentPlaces.shared;
  // A text that a power failure takes is missing for a person, and for no decision.
  const folder = openPrivateFolder(deps, stateDirectory, join(stateDirectory, place.folder), {
    isDurable: false,
  });

  function keep({ event, log }: Append): void {
    if (contentOf(event)?.body === undefined) return;
    const name = eventName(log, 0);
    folder.replace(name, lineOf(name, event));
    addNames(deps.files, join(stateDirectory, place.order), [log], { starts: true });
  }

  /** A text that a power failure tore is missing as well: the journal has the event. */
  function findText(log: string): Content | undefined {
    const name = eventName(log, 0);
    try {
      const content = contentOf(parseStored(name, folder.read(name) ?? "{}"));
      return content?.body === undefined ? undefined : content;
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  return {
    ...store,
    append: (appends) => {
      for (const append of appends) keep(append);
      return store.append(appends);
    },
    async read(log) {
      const read = await store.read(log);
      checkLocal(log, await local.read(log), read);
      const text = read.events.some(lacksText) ? findText(log) : undefined;
      if (text === undefined) return read;
      return { ...read, events: read.events.map((event) => withText(event, text)) };
    },
  };
}

/** What this machine's own journal knows of a create also counts: a shared journal may have another attempt of it. */
function checkLocal(log: string, local: StoredLog, shared: StoredLog): void {
  if (local.events.length === 0) return;
  if (shared.events.length === 0) throw onlyLocal();
  if (!log.startsWith(operationPrefix)) return;
  const isCopied = local.events.every((event, index) => isEqual(event, shared.events[index]));
  if (isCopied || stateOf(shared).state === "created") return;
  const { created, key, uncertain } = stateOf(local);
  if (created === undefined && uncertain === undefined) return;
  const outcome =
    created === undefined ? "its outcome is not known" : `it was declared as ${created.serviceId}`;
  const message = `the create of ${key.id} is in the journal of this machine, where ${outcome}, and the shared journal has another attempt`;
  throw new Failure("uncertain", message, {
    hint: `nothing was sent; find out whether the incident exists, then run INCIDENT_CLI_JOURNAL=folder incident journal settle ${key.id}`,
  });
}

function stateOf({ events, first }: StoredLog): OperationLog {
  const steps = events.map(({ event }) => event as OperationEvent);
  return foldEvents(events[0]?.key as OperationKey, first, steps);
}

function onlyLocal(): Failure {
  return new Failure("usage", "this incident is in the journal of this machine, but not in the shared one", {
    hint: new StoreHint(advise`run ${argv`incident journal copy --to shared`}, then run it again`),
  });
}

function contentOf({ event }: Readonly<Record<string, unknown>>): LoggedContent | undefined {
  return (event as { readonly content?: LoggedContent } | undefined)?.content;
}

function lacksText(stored: StoredEvent): boolean {
  const content = contentOf(stored);
  return content !== undefined && content.body === undefined;
}

function withText(stored: StoredEvent, text: Content): StoredEvent {
  if (!lacksText(stored) || contentOf(stored)?.digest !== text.digest) return stored;
  return { ...stored, event: { ...(stored.event as object), content: text } };
}
