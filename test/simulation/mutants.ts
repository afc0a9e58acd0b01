// Mutants of the protocol: each is a mistake that the simulation must find. They wrap the ports of the real code, so
// that the code itself stays as it ships.

import { nextStep } from "../../src/delivery/next-step.ts";
import type { Transport } from "../../src/http/transport.ts";
import type { EventOf, OperationEvent, OwnEvent } from "../../src/journal/events.ts";
import { shortened } from "../../src/journal/fold.ts";
import type { Entry, Sequence } from "../../src/journal/sequence.ts";
import { rewriting } from "../harness/changed-service.ts";
import type { Mutant } from "./mutant.ts";
import type { Scenario } from "./scenario.ts";
import {
  alerts,
  apart,
  changing,
  deleting,
  ended,
  one,
  scenario,
  settle,
  two,
  withId,
  withoutId,
} from "./scenarios.ts";
import type { Start } from "./world/start.ts";

/** `shows`: here the mistake shows, and nothing without it. */
type ShownMutant = Mutant & { readonly shows: Scenario };

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

/** A read that shows nothing permits another send. */
const believesAbsence: typeof nextStep = (progress, request) => {
  const step = nextStep(progress, request);
  const isForPerson = step.do === "refuse" && step.because === "unknown";
  return isForPerson && progress.readBack === "absent" ? { do: "send", withId: true } : step;
};

/** A transport whose reads show this status, whatever the service says. */
const withStatus = (status: string) => (transport: Transport) =>
  rewriting({ transport }, (text, { method }) =>
    method === "GET"
      ? text.replace(/"lastUpdateStatus":"[A-Z]+"/, `"lastUpdateStatus":"${status}"`)
      : undefined,
  );
const saysResolved = { wrapTransport: withStatus("RESOLVED") };

const pair = scenario("keeps-both", [withId, withId], {});
const alertPair = scenario("keeps-both", alerts, {});
const lateUpdate = changing("keeps-both", [one], { "late-request": 1 }, { reruns: 1 });
const prune: Start = { ...settle, command: "prune" };

export const changeMutants: readonly ShownMutant[] = [
  { name: "a read without an update proves it was not posted", shows: lateUpdate, decide: believesAbsence },
  {
    name: "an update that was refused is not looked for before it is sent again",
    shows: changing("ignores-ids", [one], { "refused-commit": 1 }, { reruns: 1 }),
    decide: (progress, request) => {
      const step = nextStep(progress, request);
      return step.do === "look" ? { do: "send", withId: true } : step;
    },
  },
  {
    name: "the updates of a file are posted from the last to the first",
    shows: changing("keeps-both", [two], {}),
    plan: ({ changes }) => (changes ? { changes: { ...changes, posts: changes.posts.toReversed() } } : {}),
  },
  {
    name: "an update with an unknown outcome does not hold back those after it",
    shows: changing("keeps-both", [two], { "late-request": 1 }),
    goesOn: true,
  },
  {
    name: "an update reopens an incident that another person has resolved",
    shows: changing("keeps-both", [one], { resolution: 1, crash: 1 }),
    reopens: true,
  },
  {
    name: "an open incident counts as resolved",
    shows: changing("keeps-both", [ended], {}),
    ...saysResolved,
  },
  {
    name: "a text of another person is in doubt also where the journal knows the create",
    shows: changing("keeps-both", [two], { "other-update": 1 }),
    wrapSequence: (sequence) =>
      withEvents(sequence, (event) => {
        const { content } = event as EventOf<"sending">;
        if (content === undefined || !("parts" in content)) return event;
        const { parts: _, ...rest } = content;
        return { ...event, content: rest } as OperationEvent;
      }),
  },
];

export const mutants: readonly ShownMutant[] = [
  {
    name: "a first create does not look at the list",
    shows: scenario("ignores-ids", [{ ...withoutId, machine: 2 }], {}, { lists: true, given: [withoutId] }),
    looksAtNothing: true,
  },
  {
    name: "the `sending` event is appended after the send",
    shows: pair,
    wrapTransport: (transport) => async (request, control) => {
      const { beforeSend, isOverdue: _, ...rest } = control;
      const outcome = await transport(request, rest);
      await beforeSend?.();
      return outcome;
    },
  },
  {
    name: "no `sending` event is appended",
    shows: pair,
    wrapTransport: (transport) => (request, control) => {
      const { beforeSend: _, isOverdue: __, ...rest } = control;
      return transport(request, rest);
    },
  },
  {
    name: "`taken` counts as `ours`",
    shows: pair,
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
    shows: scenario("keeps-both", [withId, withId], { "store-ambiguous": 1 }),
    wrapSequence: (sequence) => ({
      ...sequence,
      append: (...args) => sequence.append(...args).catch(() => "ours" as const),
    }),
  },
  { name: "a read that finds nothing proves that nothing was created", shows: pair, decide: believesAbsence },
  {
    name: "pruning takes an operation whose outcome is not known",
    shows: scenario("ignores-ids", [withId, prune], { "lost-answer": 1, crash: 1 }),
    shortened: (log) => shortened(log) ?? [],
  },
  {
    name: "a claim is not exclusive",
    shows: scenario("keeps-both", [withoutId, withoutId], {}),
    wrapJournal: (journal) => ({
      ...journal,
      append: (log, event, still) =>
        journal.append(log, event, event.type === "sending" && event.claim ? () => true : still),
    }),
  },
  {
    name: "the content is not compared",
    shows: scenario("keeps-both", [withId, { ...withId, wants: "Search fails" }], {}),
    decide: (progress, request) => nextStep(progress, { ...request, isRedefined: false }),
  },
  {
    name: "the wall clocks of two processes are compared",
    shows: scenario("keeps-both", [{ ...withoutId, rerun: { daysAhead: 400 } }], { crash: 1 }),
    wrapSequence: (sequence, clock) =>
      withEvents(sequence, (event, isLast) => {
        const week = 7 * 24 * 60 * 60 * 1000;
        const isOld = clock.now() - Date.parse(event.at) > week;
        if (!isLast || !isOld || event.type !== "sending") return event;
        return { type: "unsent", at: event.at, attempt: 0, reason: "" };
      }),
  },
  {
    name: "the deadline is not checked before the first byte",
    shows: scenario("keeps-both", [withId, settle], { "lost-answer": 1 }),
    ignoresDeadline: true,
  },
  {
    name: "the rate limit is waited for between `sending` and the first byte",
    shows: scenario("keeps-both", apart([{ ...withId, isLimited: true }, settle, withId], "shared"), {}),
    limitsLast: true,
  },
  {
    name: "events carry no id of their writer",
    shows: pair,
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
    shows: scenario("keeps-both", [{ ...withId, maxRetries: 1 }, withId], { "rate-limit": 1 }),
    decide: (progress, request) => {
      const step = nextStep(progress, request);
      // As if the process still held the log of its own refusal.
      return step.do === "answer" && progress.attempts > 0 ? { do: "send", withId: true } : step;
    },
  },
  { name: "the id of an alert is that of its text", shows: alertPair, dedupKey: ({ wants }) => wants },
  {
    name: "the incident of a key counts as open because it was declared",
    shows: scenario("keeps-both", alerts.slice(0, 1), { crash: 1, resolution: 1 }),
    wrapTransport: withStatus("INVESTIGATING"),
  },
  {
    name: "a second signal ends a process whose create is on its way",
    shows: scenario("keeps-both", [withId], { signal: 2 }),
    holdsNoExit: true,
  },
  {
    name: "a 404 for its id proves that a declared incident is gone",
    shows: deleting(),
    lists: true,
    wrapTransport: (transport) => async (request, control) =>
      request.method === "GET" && request.url.endsWith("/incidents")
        ? { phase: "answered", status: 200, headers: {}, body: new TextEncoder().encode("[]") }
        : transport(request, control),
  },
  { name: "an incident counts as resolved once it was declared", shows: alertPair, ...saysResolved },
];

export const mutantScenarios = [...mutants, ...changeMutants].map(({ shows }) => shows);
