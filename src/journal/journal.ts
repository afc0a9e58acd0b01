// The record of all sends: a model for each service and account. An append is a compare-and-swap: of all processes with the
// same model, exactly one takes the next step, and none has to guess whether another is alive.
import { Failure } from "../failure.ts";
import { jsonDigest } from "../text/json-digest.ts";
import type { OperationEvent, OperationKey, OperationLog, OwnEvent, ServiceKey } from "./events.ts";
import type { Origin } from "./fleet/origin.ts";
import { redactEvent } from "./fold.ts";
import { untrusted } from "./journal-errors.ts";
import { addEvent, draftOf, type Model, operationIn } from "./model.ts";
import type { Sequences } from "./sequence.ts";
import { createStream, type Still, type Stream, type StreamDeps } from "./stream.ts";

export function sequenceName({ account, baseUrl }: ServiceKey): string {
  return jsonDigest([baseUrl, account]).slice(0, 12);
}

export type Journal = ReturnType<typeof createJournal>;

export interface JournalDeps extends StreamDeps {
  readonly sequences: Sequences;
  /** Noted in each event that has none. */
  readonly origin?: Origin | undefined;
}

/** Each member throws a `Failure` where the journal cannot be used. */
export function createJournal(deps: JournalDeps) {
  const { memory, origin, sequences } = deps;
  const streams = new Map<string, Stream>();
  const streamOf = (name: string): Stream => {
    const stream = streams.get(name) ?? createStream(deps, name, sequences.open(name));
    streams.set(name, stream);
    return stream;
  };
  const known = (service: ServiceKey) => streamOf(sequenceName(service)).known();
  const model = (service: ServiceKey) => streamOf(sequenceName(service)).model();

  return {
    /** Whether other machines use it as well: then an append can take seconds. */
    isShared: memory !== undefined,
    /** The model as it was read last. */
    known,
    model,
    read: async (key: OperationKey) => operationIn(await model(key), key),
    /**
     * Of all services and accounts, also those that are gone. `broken`: why one cannot be read. `left`: after a rollback, the
     * entries that can still be listed.
     */
    async models() {
      const names = new Set([...(await sequences.names()), ...(memory?.names() ?? [])]);
      const models: Model[] = [];
      const left: Model[] = [];
      const broken: Failure[] = [];
      const add = async (to: Model[], stream: Stream) => {
        try {
          to.push(await stream.model());
        } catch (error) {
          if (!(error instanceof Failure) || error.retryable) throw error;
          broken.push(error);
          return error.kind;
        }
      };
      for (const name of names)
        if ((await add(models, streamOf(name))) === "uncertain")
          await add(left, createStream({ ...deps, memory: undefined }, name, sequences.open(name)));
      return { models, left, broken };
    },
    /** Appends where `still` holds for the model; by default, where nothing has followed. Throws a `Failure` if it cannot. */
    async append({ digest, key, next }: OperationLog, step: OperationEvent, still?: Still) {
      if (digest === undefined && !("content" in step))
        throw untrusted(`operation ${key.id}`, "it does not begin with its content");
      // A journal that machines share has no texts for customers.
      const event = memory === undefined ? step : redactEvent(step);
      const appended = await streamOf(sequenceName(key)).append(
        { baseUrl: key.baseUrl, account: key.account },
        // A copy of an event keeps the origin that it has.
        { id: key.id, event: origin === undefined ? event : { origin, ...event } },
        still ?? ((model) => operationIn(model, key).next === next),
      );
      return { ...appended, log: operationIn(appended.model, key) };
    },
    /** Goes on with a shared journal as it is, and gives the number of its sequences; undefined for one that is not shared. */
    accept: () => memory?.accept(),
    /** Replaces long sequences that this process has read by snapshots. */
    async shorten() {
      for (const stream of streams.values()) await stream.shorten();
    },
  };
}

/** For a dry run and `--no-journal`: its entries stay in the memory of the process, and no other process sees them. */
export function createDraftJournal(journal: Journal): Journal {
  const own: OwnEvent[] = [];
  const withOwn = (model: Model, service: ServiceKey): Model => {
    const draft = draftOf(model);
    draft.service ??= service;
    for (const event of own) addEvent(draft, event, 0);
    return draft;
  };
  const model = async (service: ServiceKey) => withOwn(await journal.model(service), service);
  const read: Journal["read"] = async (key) => operationIn(await model(key), key);
  return {
    ...journal,
    known: (service) => withOwn(journal.known(service), service),
    model,
    read,
    async append({ key, next }, event, still = (now) => operationIn(now, key).next === next) {
      const isIn = still(await model(key));
      if (isIn) own.push({ id: key.id, event });
      return { result: isIn ? "ours" : "lost", model: await model(key), log: await read(key) };
    },
    shorten: async () => undefined,
  };
}
