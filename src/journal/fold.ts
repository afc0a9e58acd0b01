// The state that follows from a log of events. Pure.
import { isServersOwnError } from "../http/meaning-of-status.ts";
import type {
  Altered,
  Change,
  Content,
  EventOf,
  OperationEvent,
  OperationKey,
  OperationLog,
  OperationState,
  Parts,
} from "./events.ts";

export function emptyLog(key: OperationKey): OperationLog {
  return foldEvents(key, 0, []);
}

/** The latest informative event of each attempt whose outcome is not known, by the number of its `sending` event. */
type OpenAttempts = Map<number, EventOf<"sending" | "uncertain">>;

/** The state of a log whose first event has the number `first`. */
export function foldEvents(
  key: OperationKey,
  first: number,
  events: readonly OperationEvent[],
): OperationLog {
  const said = foldContent(events);
  const { open, settled, settledSender, ...tried } = foldAttempts(first, events);
  const last = events.at(-1)?.type;
  const [uncertain] = open.values();
  const state = (): OperationState => {
    if (tried.created !== undefined) return "created";
    if (open.size === 0) return settled;
    return last === "sending" && open.size === 1 ? "sending" : "uncertain";
  };
  // A shortened log has lost its attempts.
  const hadId = (number: number) => {
    const sent = events[number - first];
    return sent?.type !== "sending" || sent.withId;
  };
  return {
    key,
    next: first + events.length,
    events,
    state: state(),
    uncertain,
    unended: unendedIn(open) ?? settledSender,
    mayBeFoundById: [...open.keys()].some(hadId),
    mayBeRepeated: open.size === 1 && uncertain?.type === "uncertain" && isServersOwnError(uncertain.status),
    ...said,
    ...tried,
  };
}

function foldContent(events: readonly OperationEvent[]) {
  let content: Content | undefined;
  let change: Change | undefined;
  let name: string | undefined;
  let digest: string | undefined;
  let parts: Parts | undefined;
  let claim: OperationLog["claim"];
  for (const event of events) {
    if ("content" in event && event.content !== undefined) {
      ({ digest, name } = event.content);
      change = event.content.change ?? change;
      content = event.content.body === undefined ? undefined : (event.content as Content);
      if ("parts" in event.content) ({ parts } = event.content);
    }
    if (event.type === "sending") claim = event.claim ?? claim;
  }
  return { content, change, name, digest, parts, claim, alertGroups: foldStarts(events) };
}

/** Alerts of one key that begin apart end apart. Those of one body are a group, which has one end. */
function foldStarts(events: readonly OperationEvent[]): OperationLog["alertGroups"] {
  let groups: OperationLog["alertGroups"] = [];
  const ended = new Set<string>();
  // An end can name a start time that no alert has: then it ends all.
  let namesOne = false;
  const isOver = (group: readonly string[]) => group.some((start) => ended.has(start));
  for (const event of events) {
    const body = ("alertStarts" in event && event.alertStarts) || [];
    if (event.type === "fired" && event.ends) {
      for (const start of body) ended.add(start);
      namesOne ||= groups.some(isOver);
    }
    const isOfBody = (group: readonly string[]) => group.some((start) => body.includes(start));
    const group = [...new Set([...groups.filter(isOfBody).flat(), ...body])];
    groups = [...groups.filter((each) => !isOfBody(each)), ...(group.length > 0 ? [group] : [])];
  }
  return namesOne ? groups.filter(isOver) : groups;
}

function foldAttempts(first: number, events: readonly OperationEvent[]) {
  const open: OpenAttempts = new Map();
  let altered: Altered | undefined;
  let created: OperationLog["created"];
  /** The sender of an attempt that a person settled: it may still be at work. */
  let settledSender: EventOf<"sending"> | undefined;
  let settled: "new" | "sendable" | "refused" = "new";
  let wasRefused = false;
  for (const [index, event] of events.entries()) {
    switch (event.type) {
      case "fired":
        break;
      case "sending":
        open.set(first + index, event);
        break;
      case "unsent":
        open.delete(event.attempt);
        settled = "sendable";
        break;
      case "refused":
        open.delete(event.attempt);
        settled = "refused";
        wasRefused = true;
        break;
      case "uncertain":
        // Also after a person released the operation: the sender may learn this after the decision.
        if (created === undefined) open.set(event.attempt, event);
        break;
      case "created":
        settledSender = event.by === "person" ? (unendedIn(open) ?? settledSender) : undefined;
        open.clear();
        // An edit adds the content that it applied.
        created = { ...event, at: created?.at ?? event.at };
        altered = event.altered;
        break;
      case "not-created":
        open.clear();
        [created, altered, settledSender] = [undefined, undefined, undefined];
        settled = "sendable";
        wasRefused = false;
    }
  }
  return { open, altered, created, settled, settledSender, wasRefused };
}

function unendedIn(open: OpenAttempts): EventOf<"sending"> | undefined {
  return [...open.values()].findLast((event) => event.type === "sending");
}

export function withoutTexts(change: Change): Change {
  if (change.kind === "edit") return change;
  const { description: _, ...rest } = change;
  return rest;
}

/** The fewest events with the same meaning, without texts, people and machines. Undefined for an unknown outcome or content. */
export function shortened(log: OperationLog): readonly OperationEvent[] | undefined {
  const { alertGroups, altered, claim, created, digest, events, name, parts, uncertain, wasRefused } = log;
  if (uncertain !== undefined || digest === undefined) return undefined;
  const sent = events.findLast((event) => event.type === "sending");
  if (sent === undefined) return events.map(redactEvent);
  const [alertStarts, ...others] = alertGroups;
  const { at, before, dedupKey, key, notify, unclaimed, withId } = sent;
  const content = { digest, name, parts, change: log.change && withoutTexts(log.change) };
  const attempt = log.next - 2 - others.length;
  const refused = wasRefused && events.findLast((event) => event.type === "refused");
  // A refused attempt may have arrived: the incidents and updates from before tell it apart.
  const there = refused && !created ? { before, unclaimed } : {};
  const sending = { at, withId, deadline: 0, notify, key, dedupKey, claim, ...there };
  const endingOf = () => {
    if (created !== undefined)
      return { type: "created", at: created.at, by: "answer", serviceId: created.serviceId, altered };
    if (refused) return { ...redactEvent(refused), attempt, origin: {} };
    return { type: "unsent", attempt, reason: "" };
  };
  const short = [
    { type: "sending", ...sending, alertStarts, content },
    endingOf(),
    ...others.map((each) => ({ type: "fired", alertStarts: each })),
  ];
  return short.map((event) => ({ origin: {}, at: events.at(-1)?.at, ...event }) as OperationEvent);
}

/** The form of an event in a shared journal: without texts for customers and messages of the service, which decide nothing. */
export function redactEvent(event: OperationEvent): OperationEvent {
  switch (event.type) {
    case "sending":
    case "created": {
      if (event.content === undefined) return event;
      const { body: _, change, ...kept } = event.content;
      return { ...event, content: { ...kept, ...(change && { change: withoutTexts(change) }) } };
    }
    case "unsent":
    case "uncertain":
      return { ...event, reason: "" };
    case "refused":
      return { ...event, message: `answered with ${event.status}` };
    case "fired":
    case "not-created":
      return event;
  }
}
