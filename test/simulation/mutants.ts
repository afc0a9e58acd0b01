// Mutants of the protocol: each is a mistake that the simulation must find. They wrap the ports of the real code, so
// that the code itself stays as it ships.

import type { PlannedDefinition } from "../../src/delivery/apply.ts";
import { nextStep, type Step } from "../../src/delivery/next-step.ts";
import type { Transport } from "../../src/http/transport.ts";
import type { EventOf, OperationEvent, OperationLog, OwnEvent, Summary } from "../../src/journal/events.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { Entry, Sequence } from "../../src/journal/sequence.ts";
import type { Clock } from "../../src/platform/context.ts";
import type { Start } from "./world/start.ts";

export interface Mutant {
  readonly name: string;
  readonly decide?: typeof nextStep;
  readonly wrapSequence?: (sequence: Sequence, clock: Pick<Clock, "now">) => Sequence;
  readonly wrapJournal?: (journal: Journal) => Journal;
  readonly wrapTransport?: (transport: Transport) => Transport;
  /** What housekeeping keeps of a log. */
  readonly summary?: (log: OperationLog) => Summary;
  /** The `sending` event is appended before the wait for the rate limit, and its deadline begins after. */
  readonly limitsLast?: boolean;
  /** A sender does not look whether its deadline is over. */
  readonly ignoresDeadline?: boolean;
  /** What `apply` takes for its plan. */
  readonly plan?: (planned: PlannedDefinition) => Partial<PlannedDefinition>;
  /** `apply` goes on with the last update where the outcome of one before it is not known. */
  readonly goesOn?: boolean;
  /** Posts to a resolved incident as well. */
  readonly reopens?: boolean;
  /** A second signal ends the process, whatever it has sent. */
  readonly holdsNoExit?: boolean;
  /** Reads a list, where the service has none. */
  readonly lists?: boolean;
  /** A create does not look at the list of the service before it is sent. */
  readonly looksAtNothing?: boolean;
  /** The key of an alert. */
  readonly dedupKey?: (start: Start) => string;
}

/** A sequence whose readings show other events. */
function withEvents(
  sequence: Sequence,
  change: (event: OperationEvent, isLast: boolean) => OperationEvent,
): Sequence {
  return {
    ...sequence,
    read: async (from) => {
      const { entries, first } = await sequence.read(from);
      const all = entries.flatMap(eventsIn);
      const changed = entries.map((entry): Entry => {
        const events = eventsIn(entry).map((own) => {
          const isLast = all.findLast(({ id }) => id === own.id) === own;
          return { ...own, event: change(own.event, isLast) };
        });
        return entry.events === undefined ? entry : { ...entry, events };
      });
      return { first, entries: changed };
    },
  };
}

const eventsIn = ({ events = [] }: Entry) => events as readonly OwnEvent[];

function isForPerson(step: Step): boolean {
  return step.do === "refuse" && step.because === "unknown";
}

/** A transport whose reads show this status, whatever the service says. */
const withStatus =
  (status: string) =>
  (transport: Transport): Transport =>
  async (request, control) => {
    const outcome = await transport(request, control);
    if (request.method !== "GET" || outcome.phase !== "answered") return outcome;
    const text = new TextDecoder().decode(outcome.body);
    const changed = text.replace(/"lastUpdateStatus":"[A-Z]+"/, `"lastUpdateStatus":"${status}"`);
    return { ...outcome, body: new TextEncoder().encode(changed) };
  };

/** Mistakes in updates and edits. */
export const changeMutants: readonly Mutant[] = [
  {
    name: "a read that does not show an update proves that it was not posted",
    decide: (log, request, support, findings) => {
      const step = nextStep(log, request, support, findings);
      return isForPerson(step) && findings.readBack === "absent" ? { do: "send", withId: true } : step;
    },
  },
  {
    name: "an update that was refused is not looked for before it is sent again",
    decide: (log, request, support, findings) => {
      const step = nextStep(log, request, support, findings);
      return step.do === "look" ? { do: "send", withId: true } : step;
    },
  },
  {
    name: "the updates of a file are posted from the last to the first",
    plan: ({ changes }) => (changes ? { changes: { ...changes, posts: changes.posts.toReversed() } } : {}),
  },
  { name: "an update with an unknown outcome does not hold back those after it", goesOn: true },
  { name: "an update reopens an incident that another person has resolved", reopens: true },
  { name: "an incident that is open counts as resolved", wrapTransport: withStatus("RESOLVED") },
  {
    name: "a text of another person is in doubt also where the journal knows the create",
    wrapSequence: (sequence) =>
      withEvents(sequence, (event) => {
        const { content } = event as EventOf<"sending">;
        if (content === undefined || !("parts" in content)) return event;
        const { parts: _, ...rest } = content;
        return { ...event, content: rest } as OperationEvent;
      }),
  },
];

export const mutants: readonly Mutant[] = [
  { name: "a first create does not look at the list", looksAtNothing: true },
  {
    name: "the `sending` event is appended after the send",
    wrapTransport: (transport) => async (request, control) => {
      const { beforeSend, isOverdue: _, ...rest } = control;
      const outcome = await transport(request, rest);
      await beforeSend?.();
      return outcome;
    },
  },
  {
    name: "no `sending` event is appended",
    wrapTransport: (transport) => (request, control) => {
      const { beforeSend: _, isOverdue: __, ...rest } = control;
      return transport(request, rest);
    },
  },
  {
    name: "`taken` counts as `ours`",
    wrapSequence: (sequence) => ({
      ...sequence,
      append: async (...args) => {
        const result = await sequence.append(...args);
        return result === "taken" ? "ours" : result;
      },
    }),
  },
  {
    name: "an append without an answer counts as `ours`",
    wrapSequence: (sequence) => ({
      ...sequence,
      append: (...args) => sequence.append(...args).catch(() => "ours" as const),
    }),
  },
  {
    name: "a read that finds nothing proves that nothing was created",
    decide: (log, request, support, findings) => {
      const step = nextStep(log, request, support, findings);
      return isForPerson(step) && findings.readBack === "absent" ? { do: "send", withId: true } : step;
    },
  },
  {
    name: "pruning takes an operation whose outcome is not known",
    summary: ({ digest = "", name = "" }) => ({ state: "refused", name, digest }),
  },
  {
    name: "a claim is not exclusive",
    wrapJournal: (journal) => ({
      ...journal,
      append: (log, event, still) =>
        journal.append(log, event, event.type === "sending" && event.claim ? () => true : still),
    }),
  },
  {
    name: "the content is not compared",
    decide: (log, request, support, findings) =>
      nextStep(log, { ...request, isRedefined: false }, support, findings),
  },
  {
    name: "the wall clocks of two processes are compared",
    wrapSequence: (sequence, clock) =>
      withEvents(sequence, (event, isLast) => {
        const week = 7 * 24 * 60 * 60 * 1000;
        const isOld = clock.now() - Date.parse(event.at) > week;
        if (!isLast || !isOld || event.type !== "sending") return event;
        const { at, content } = event;
        return { type: "pruned", at, summary: { state: "sendable", digest: content?.digest ?? "" } };
      }),
  },
  { name: "the deadline is not checked before the first byte", ignoresDeadline: true },
  { name: "the rate limit is waited for between `sending` and the first byte", limitsLast: true },
  {
    name: "events carry no id of their writer",
    wrapSequence: (sequence) => ({
      ...sequence,
      append: async (at, entry) => {
        const result = await sequence.append(at, entry);
        if (result !== "taken") return result;
        const { entries, first } = await sequence.read(at);
        const [there, own] = [entries[at - first], entry].map((each) => ({ ...each, writer: "" }));
        return JSON.stringify(there) === JSON.stringify(own) ? "ours" : "taken";
      },
    }),
  },
  {
    name: "the log is not read again after a wait",
    decide: (log, request, support, findings) => {
      const step = nextStep(log, request, support, findings);
      // As if the process still held the log of its own refusal.
      return step.do === "answer" && findings.attempts > 0 ? { do: "send", withId: true } : step;
    },
  },
  {
    name: "the id of an alert is derived from its text, not from its key",
    dedupKey: ({ wants }) => wants,
  },
  {
    name: "the incident of a key counts as open because it was declared",
    wrapTransport: withStatus("INVESTIGATING"),
  },
  { name: "a second signal ends a process whose create is on its way", holdsNoExit: true },
  {
    name: "a 404 for its id proves that a declared incident is gone",
    lists: true,
    wrapTransport: (transport) => async (request, control) =>
      request.method === "GET" && request.url.endsWith("/incidents")
        ? { phase: "answered", status: 200, headers: {}, body: new TextEncoder().encode("[]") }
        : transport(request, control),
  },
  {
    name: "the incident of a key counts as resolved because it was declared",
    wrapTransport: withStatus("RESOLVED"),
  },
];
