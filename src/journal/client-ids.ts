// Whether a service keeps the id that a create carries. It is not stated (spec 4.2), so it is learned from answers
// and remembered for each service and account, once a second answer has confirmed the first.
import { Failure } from "../failure.ts";
import { jsonDigest } from "../text/json-digest.ts";
import type { ServiceKey } from "./events.ts";
import { parseStored } from "./journal-errors.ts";

/**
 * `honoured`: the incident has the id that was sent. `ignored`: it gets another. `unsupported`: a create with an id is
 * refused.
 */
export const clientIdModes = ["unknown", "honoured", "ignored", "unsupported"] as const;
export type ClientIds = (typeof clientIdModes)[number];

/** The evidence in an answer. `supported`: a create without an id is refused as well, so the id was not the reason. */
export type ClientIdEvidence = "honoured" | "ignored" | "unsupported" | "supported";

/** Small notes under names; losing one costs a question that is asked again. */
export interface Notes {
  read(name: string): string | undefined;
  replace(name: string, text: string): void;
}

export interface ClientIdMemory {
  /** The support that the delivery relies on. */
  current(): ClientIds;
  /** The support that the last answer has shown, confirmed or not. */
  latest(): ClientIds;
  /** Remembers the evidence in an answer; a note that cannot be written is learned again by the next run. */
  learn(evidence: ClientIdEvidence): void;
}

interface Learned {
  readonly mode: Exclude<ClientIdEvidence, "supported"> | "unknown";
  /** How many answers in a row have shown it. */
  readonly answers: number;
}

/** Answers that must agree before a mode is relied on. */
const confirmations = 2;

const nothingLearned: Learned = { mode: "unknown", answers: 0 };

/** The ids of updates are learned apart from those of incidents. */
export function createClientIdMemory(
  notes: Notes,
  service: ServiceKey,
  of: "service" | "updates" = "service",
): ClientIdMemory {
  const name = `${of}-${jsonDigest([service.baseUrl, service.account]).slice(0, 40)}.json`;
  let learned = readLearned(notes, name);
  return {
    current: () => (learned.answers >= confirmations ? learned.mode : "unknown"),
    latest: () => learned.mode,
    learn(evidence) {
      const next = withEvidence(learned, evidence);
      if (next === learned) return;
      learned = next;
      try {
        notes.replace(
          name,
          `${JSON.stringify({ ...service, clientIds: next.mode, answers: next.answers })}\n`,
        );
      } catch (error) {
        // The next run learns it again.
        if (!(error instanceof Failure)) throw error;
      }
    },
  };
}

/** Evidence confirms an equal mode, and replaces another one. */
function withEvidence(learned: Learned, evidence: ClientIdEvidence): Learned {
  if (evidence === "supported") {
    return learned.mode === "unsupported" ? nothingLearned : learned;
  }
  if (learned.mode !== evidence) return { mode: evidence, answers: 1 };
  return learned.answers >= confirmations ? learned : { mode: evidence, answers: learned.answers + 1 };
}

function readLearned(notes: Notes, name: string): Learned {
  const text = notes.read(name);
  const stored = text === undefined ? {} : parseStored(name, text);
  const { answers, clientIds: mode } = stored;
  if (mode !== "honoured" && mode !== "ignored" && mode !== "unsupported") return nothingLearned;
  return typeof answers === "number" ? { mode, answers } : nothingLearned;
}

/** Whether an incident can be found under the id that was chosen for it. */
export function canBeFound(mode: ClientIds): boolean {
  return mode !== "ignored" && mode !== "unsupported";
}

/** Whether the service is known to keep the id of a create, so that a missing id says something. */
export function keepsIds(mode: ClientIds): boolean {
  return mode === "honoured";
}
