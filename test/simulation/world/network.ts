// The network between the processes and the service: what changes something there is a message, which can be lost, late or
// answered by others.

import { checkChangeLeaves } from "./change-invariants.ts";
import type { Fault } from "./faults.ts";
import { checkGone, checkListed, countSend } from "./invariants.ts";
import type { OwnChange } from "./request.ts";
import { canBeRead, create, errorAnswer, type ServiceAnswer } from "./service.ts";
import { change as applyChange, textOf } from "./service-changes.ts";
import { placeOf } from "./start.ts";
import {
  type Action,
  type Ending,
  type Message,
  type SimulatedProcess,
  titleOf,
  Violation,
  type World,
} from "./world.ts";

/** What a process sent last. */
export function ownMessage(world: World, { number }: SimulatedProcess): Message {
  return world.messages.findLast(({ isCommit, sender }) => sender === number && isCommit !== true) as Message;
}

export function leave(world: World, number: number, body: string, change?: OwnChange): void {
  const sender = world.process(number);
  if (sender.deadline !== undefined && sender.deadline <= 0)
    throw new Violation(`${titleOf(sender)} sends after its deadline`);
  if (change !== undefined) checkChangeLeaves(world, number, change);
  else {
    checkGone(world, sender);
    checkListed(world, sender);
  }
  const isEdit = change?.operation === "";
  const operation = isEdit ? "" : countSend(world, number, JSON.parse(body).id, change?.operation);
  const message = { number: world.messages.length + 1, body, ...(change && { change }), operation };
  world.messages = [...world.messages, { ...message, sender: number, isAwaited: true, state: "in-flight" }];
}

/** A sender gets this result of what it sent, and waits no longer. */
export function endWait({ answer, number, sender }: Message, result: unknown) {
  return (world: World): unknown => {
    world.replaceMessage(number, { isAwaited: false, isReceived: result === answer });
    world.replaceProcess(sender, { deadline: undefined });
    return result;
  };
}

/** The ways in which a sender gets to know what became of what it sent. */
export function answersTo(message: Message): readonly Ending[] {
  const { answer, state } = message;
  const ends = (result: unknown) => endWait(message, result);
  switch (state) {
    case "lost":
      return [{ label: "no answer", happen: ends("timeout") }];
    case "in-flight":
      return [{ label: "no answer yet, gives up", fault: "late-request", happen: ends("timeout") }];
    case "answered":
      return [
        { label: `${answer?.status}`, happen: ends(answer) },
        { label: "the answer is lost", fault: "lost-answer", happen: ends("reset") },
      ];
  }
}

/** The ways in which a create, an update or an edit arrives, or does not. */
export function deliveries(message: Message): readonly Action[] {
  const { body, change, isAwaited, number, operation, sender } = message;
  const commit = (world: World): ServiceAnswer => {
    if (change !== undefined) return commitChange(world, message, change);
    const { answer, created } = create(world.surroundings.service, world.created, body, {
      operation,
      place: placeOf(world.process(sender).start),
    });
    world.created = created;
    return answer;
  };
  const action = (what: string, run: (world: World) => void, fault?: Fault): Action => ({
    label: () => `request ${number} ${what}`,
    run,
    ...(fault && { fault }),
  });
  /**
   * A rerun finds a create by its id, and a change by its content; where no id can be read, docs/internals/protocol.md assumes
   * that no refusal is a commit.
   */
  const isFindable = (world: World) =>
    change !== undefined || (JSON.parse(body).id !== undefined && canBeRead(world.surroundings.service));
  const disowned = (refuse: (world: World) => void) => (world: World) => {
    if (isFindable(world)) {
      commit(world);
      world.refusedCommits += 1;
    }
    refuse(world);
  };
  const answer = (world: World, given: ServiceAnswer) =>
    world.replaceMessage(number, { state: "answered", answer: given });
  const refused = (status: number, text: string) => (world: World) =>
    answer(world, errorAnswer(status, text));
  // Some services say how long to wait.
  const limited = (world: World) =>
    answer(world, { ...errorAnswer(429, "Too Many Requests"), ...(number % 2 === 0 && { retryAfter: 40 }) });
  const committed = (status: number, text: string) => (world: World) => {
    commit(world);
    answer(world, errorAnswer(status, text));
  };
  // The answer is one message, and the commit that is still to come another.
  const accepted = (world: World) => {
    answer(world, errorAnswer(504, "Gateway Timeout"));
    const rest = { ...message, number: world.messages.length + 1, isAwaited: false, isCommit: true } as const;
    world.messages = [...world.messages, rest];
  };
  const lose = (world: World) => world.replaceMessage(number, { state: "lost" });
  return [
    { ...action("arrives", (world) => answer(world, commit(world))), isArrival: true },
    // A request whose sender is gone arrives or does not: neither is a fault of its own.
    action("is lost", lose, isAwaited ? "lost-request" : undefined),
    ...(isAwaited
      ? [
          action("is refused", refused(403, "Forbidden"), "refusal"),
          action("is refused as a conflict", refused(409, "Conflict"), "conflict"),
          action("is rate limited", limited, "rate-limit"),
          action("arrives and is refused", disowned(refused(403, "Forbidden")), "refused-commit"),
          action("arrives twice, and is a conflict", disowned(refused(409, "Conflict")), "refused-commit"),
          action("arrives and is rate limited", disowned(limited), "refused-commit"),
          action("meets a bad gateway", refused(502, "Bad Gateway"), "bad-gateway"),
          action("arrives behind a bad gateway", committed(502, "Bad Gateway"), "bad-gateway"),
          action("is answered with 200 and nothing is done", refused(200, "OK"), "empty-success"),
          action("arrives and is answered with 200 and an error", committed(200, "OK"), "empty-success"),
          action("arrives and is answered with a redirect", committed(303, "See Other"), "redirect"),
          action("meets a server error", refused(503, "Service Unavailable"), "server-error"),
          action("arrives, and is answered with a server error", committed(500, "Error"), "server-error"),
          action("is accepted, and answered before its commit", accepted, "late-commit"),
        ]
      : []),
  ];
}

/** The update or the edit is made, or refused. An edit is no operation: what it made is compared, and not counted. */
function commitChange(world: World, { body, operation, sender }: Message, change: OwnChange): ServiceAnswer {
  const { answer, created, id } = applyChange(world.surroundings.service, world.created, change);
  world.created = created;
  if (id === undefined || change.method !== "POST") return answer;
  const [place, text] = [placeOf(world.process(sender).start), textOf(JSON.parse(body))];
  world.made = [...world.made, { incident: change.incident, operation, place, text, id, sender }];
  return answer;
}
