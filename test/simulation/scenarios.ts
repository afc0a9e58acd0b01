// The scenarios that are explored exhaustively.

import type { Scenario } from "./scenario.ts";
import { type Budget, faultNames } from "./world/faults.ts";
import { allKinds, type ServiceKind } from "./world/service.ts";
import type { JournalKind, Start } from "./world/start.ts";

const id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
export const wants = "Checkout fails";
export const withId: Start = { command: "create", wants, id, maxRetries: 0 };
const limited: Start = { ...withId, isLimited: true };
export const withoutId: Start = { command: "create", wants, maxRetries: 0 };

/** Two alerts of the same problem, each with its text. */
export const alerts: readonly Start[] = ["Payments fail", "Payments fail: 17 % of them"].map((text) => ({
  command: "create",
  wants: text,
  dedupKey: "payments",
  maxRetries: 0,
}));

const [alert] = alerts as readonly [Start, Start];

/** A person settles what is uncertain. */
export const settle: Start = { command: "settle", wants };
const wrong: Start = { ...settle, people: "not-created" };

const storeFaults = faultNames.filter((name) => name.startsWith("store-"));
const [again, andAgain] = [{ reruns: 1 }, { reruns: 2 }];

interface ScenarioOptions {
  readonly renames?: true;
  readonly lists?: true;
  /** How often a person runs a command again; as often as one crashes, where it is absent. */
  readonly reruns?: number;
  /** Commands that are over before. */
  readonly given?: readonly Start[];
}

export function scenario(
  kind: ServiceKind,
  starts: readonly Start[],
  budget: Budget,
  { given, lists, renames, reruns = budget.crash ?? 0 }: ScenarioOptions = {},
): Scenario {
  const faults = Object.entries(budget).map(([fault, count]) => `${count} ${fault}`);
  return {
    name: `${kind}${renames ? " that renames" : ""}${lists ? " with a list" : ""}: ${starts.map(describeStart).join(", ")}; ${faults.join(", ") || "no fault"}`,
    service: { kind, renames, lists },
    ...(given && { given }),
    starts,
    budget,
    reruns,
  };
}

/** The command with its options; of a list, how long it is. */
function describeStart({ command, ...options }: Start): string {
  const described = Object.entries(options).map(([name, value]) =>
    Array.isArray(value) ? `${name} ${value.length}` : `${name} ${JSON.stringify(value)}`,
  );
  return [command, ...described].join(" ");
}

/** The same commands on machines of their own. */
export function apart(starts: readonly Start[], journal: JournalKind): readonly Start[] {
  return starts.map((start, index) => ({ ...start, machine: index + 1, journal }));
}

function shared(start: Start): Start {
  return { ...start, journal: "shared" };
}

/** Two processes, with two crashes and a lost answer, and three with a crash. */
function pairScenarios(): readonly Scenario[] {
  const pairs = allKinds.flatMap((kind) =>
    [withId, withoutId].flatMap((start) => [
      scenario(kind, [start, start], { crash: 2, "lost-answer": 1 }),
      scenario(kind, [start, start], { "late-request": 1, crash: 1 }),
    ]),
  );
  const stores = storeFaults.flatMap((fault) => [
    scenario("keeps-both", [withId, withId], { [fault]: 1, crash: 1 }),
    scenario("ignores-ids", [withoutId, withoutId], { [fault]: 1, crash: 1 }),
  ]);
  // Services that keep ids differ only in a second create with the same id, which is never sent.
  const sameKey = (["keeps-both", "ignores-ids", "refuses-ids"] as const).map((kind) =>
    scenario(kind, alerts, { resolution: 1, crash: 1, "lost-answer": 1 }),
  );
  const three = (["refuses-second", "ignores-ids"] as const).flatMap((kind) => [
    scenario(kind, [withId, withId, withId], { crash: 1 }),
    scenario(kind, [withoutId, withoutId, withoutId], { crash: 1 }),
  ]);
  return [
    ...pairs,
    ...stores,
    ...sameKey,
    scenario("keeps-both", [withId, withId], { "rate-limit": 1, crash: 1 }),
    scenario("keeps-both", [withId, withId], { redirect: 1, "bad-gateway": 1 }),
    ...three,
  ];
}

/** Machines, replicas, services and people that go wrong. */
export function worldScenarios(): readonly Scenario[] {
  return [
    // Machines with one journal, and machines with none in common.
    ...(["shared", "local"] as const).flatMap((journal) => [
      scenario("keeps-both", apart([withId, withId], journal), { "lost-answer": 1 }),
      scenario("ignores-ids", apart([withId, withId], journal), { crash: 1 }),
      scenario("keeps-both", apart(alerts, journal), { resolution: 1 }),
    ]),
    scenario("keeps-both", apart([withoutId, withoutId], "shared"), {}),
    scenario("ignores-ids", apart([withoutId, withoutId], "shared"), { "lost-answer": 1 }),
    scenario("keeps-both", apart([withId, settle], "shared"), { "lost-answer": 1 }),
    // A shared journal that cannot be reached for a while.
    ...[withId, withoutId].map((start) =>
      scenario("keeps-both", [shared(start)], { "store-unreachable": 2 }, again),
    ),
    // The rate limiter of a process waits while a person settles, and others go on.
    scenario("keeps-both", [limited, settle], { "lost-answer": 1 }, again),
    // A proxy or a limiter refuses what the service has committed.
    ...(["refuses-second", "replaces", "keeps-both"] as const).flatMap((kind) => [
      scenario(kind, [{ ...withId, maxRetries: 2 }], { "refused-commit": 1, "rate-limit": 1 }, andAgain),
      scenario(kind, [{ ...withoutId, maxRetries: 2 }], { "refused-commit": 1, "rate-limit": 1 }, andAgain),
      scenario(kind, [withId, withId], { "refused-commit": 1 }),
    ]),
    scenario("keeps-both", alerts, { "refused-commit": 1 }, again),
    scenario("keeps-both", [withoutId], { "refused-commit": 1, "stale-read": 1 }),
    // Clocks that were set.
    ...[{ daysAhead: 1 }, { daysAhead: -400 }].flatMap((clock) => [
      scenario("keeps-both", [withId, { ...settle, ...clock }], { "lost-answer": 1 }),
      scenario("keeps-both", [withId, { ...withId, ...clock }], { crash: 1 }),
    ]),
    // Replicas and caches.
    scenario("keeps-both", [withId, withId], { "stale-read": 2, "lost-answer": 1 }),
    scenario("keeps-both", [withId], { "late-commit": 1, crash: 1 }),
    scenario("ignores-ids", [withoutId, withoutId], { "late-commit": 1 }),
    // People who are wrong, and correct it.
    ...(["not-created", "created"] as const).map((people) =>
      scenario(
        "keeps-both",
        [withId, { ...settle, people }, { ...settle, corrects: true }],
        { "lost-answer": 1, "lost-request": 1 },
        again,
      ),
    ),
    scenario("keeps-both", [withId, wrong], { "lost-answer": 1 }),
    scenario("ignores-ids", [withoutId, wrong], { "lost-answer": 1 }),
    scenario("keeps-both", [withId, { ...settle, people: "created" }], { "lost-request": 1, crash: 1 }),
  ];
}

/** Signals, and incidents that are deleted. */
function peopleScenarios(): readonly Scenario[] {
  return [
    ...[withId, withoutId].flatMap((start) =>
      (["keeps-both", "ignores-ids", "refuses-ids"] as const).flatMap((kind) => [
        scenario(kind, [start], { signal: 2, "lost-answer": 1 }, andAgain),
        scenario(kind, [{ ...start, maxRetries: 2 }], { signal: 2, "rate-limit": 1 }, again),
      ]),
    ),
    ...[withId, withoutId].flatMap((start) => [
      scenario("keeps-both", [shared(start)], { signal: 2, "store-ambiguous": 1 }, again),
      scenario("keeps-both", [start, start], { signal: 2 }),
    ]),
    scenario("keeps-both", [withId, settle], { signal: 2, "lost-answer": 1 }, again),
    scenario("keeps-both", alerts, { signal: 2 }, again),
    // A person settles as created what the service has never shown, while its sender asks.
    scenario(
      "keeps-both",
      [
        { ...withId, daysAhead: 400 },
        { ...settle, people: "created" },
      ],
      { "empty-success": 1 },
    ),
    ...[alert, withId, withoutId].map((start) => deleting({}, start)),
    ...([{ crash: 1 }, { "stale-read": 1 }, { resolution: 1 }] as const).map((faults) => deleting(faults)),
  ];
}

/** A person deletes an incident at any moment, and its command runs again and again. */
export function deleting(faults: Budget = {}, start: Start = alert): Scenario {
  const budget = { deletion: 1, pause: 3, ...faults };
  return scenario("keeps-both", [{ ...start, repeats: true }], budget, { given: [start], reruns: 4 });
}

/** Worlds that take a hundred times as long as the others. */
function largeWorldScenarios(): readonly Scenario[] {
  return [
    scenario("keeps-both", apart([limited, settle, withId], "shared"), {}),
    scenario("keeps-both", alerts, { "stale-read": 1, resolution: 1 }),
  ];
}

/** Updates and edits of an incident that is declared. */
function changeScenarios(): readonly Scenario[] {
  return [
    // To updates, a service that refuses a second create is one that keeps both.
    ...allKinds.filter((kind) => kind !== "refuses-second").flatMap(changesOf),
    changing("keeps-both", apart([one, one], "local"), {}),
    // The third update repeats the text of the first, and every id is new.
    changing("ignores-ids", [twice], { "lost-request": 1, "other-update": 1 }, { renames: true, reruns: 1 }),
    changing("ignores-ids", [twice], { "lost-answer": 1, "other-update": 1 }, { renames: true }),
    ...(["keeps-both", "ignores-ids"] as const).flatMap((kind) => [
      changing(kind, apart([post(kind), post(kind)], "shared"), {}),
      changing(kind, [edited], { crash: 1 }, { given: [two], reruns: 1 }),
      // The file is sorted another way, or has lost an update.
      ...[[watching, found], [watching]].map((updates) =>
        changing(kind, [{ ...declared, updates }], other, { given: [two], reruns: 1 }),
      ),
      changing(kind, [{ ...ended, updates: ended.updates.toReversed() }], other, {
        given: [ended],
        reruns: 1,
      }),
      changing(kind, [{ ...two, rerun: edited }], { "lost-answer": 1, "late-commit": 1, crash: 1 }, andAgain),
      // The create is known, and the journal cannot be reached for its updates.
      scenario(kind, [one], { "store-unreachable": 1 }, again),
      changing(kind, [one, one], {}),
      changing(kind, [one], { crash: 2, "lost-answer": 1, "other-update": 1 }),
      changing(kind, [two], { "lost-answer": 1, "lost-request": 1, "late-request": 1 }, andAgain),
      changing(kind, [two], { "bad-gateway": 1, "rate-limit": 1, conflict: 1 }, andAgain),
      changing(kind, [two], { "empty-success": 2 }, again),
      changing(kind, [post(kind)], { "empty-success": 1, "equal-update": 1 }, again),
      changing(kind, [{ ...two, severity: "CRITICAL" }], { "late-commit": 1, crash: 1, refusal: 1 }),
      changing(kind, [one, settle], { "lost-answer": 1 }, again),
      changing(kind, [one, wrong], { "lost-answer": 1 }, again),
      changing(kind, [post(kind)], { "equal-update": 1, "lost-answer": 1, crash: 1 }),
      changing(kind, [post(kind), post(kind)], { crash: 1, "other-update": 1 }),
      changing(kind, apart([one, one], "shared"), { "lost-answer": 1 }),
      // An update that a person releases while another person resolves the incident.
      changing(kind, [post(kind), wrong], { "lost-request": 1, resolution: 1 }, again),
    ]),
  ];
}

/** One person's file has grown by one or two updates, or by another severity; another person's command line has one. */
const declared: Start = { command: "apply", wants, id, maxRetries: 0 };
const watching = "MONITORING We are watching it.";
export const one: Start = { ...declared, updates: [watching] };
const found = "IDENTIFIED We know the cause.";
const other: Budget = { crash: 1, "other-update": 1 };
export const ended = { ...declared, updates: [watching, "RESOLVED It is over."] };
export const two: Start = { ...declared, updates: [found, watching] };
/** The last text was corrected since. */
const edited: Start = { ...declared, updates: ["IDENTIFIED We know the cause.", "MONITORING We look."] };
const twice: Start = { ...declared, updates: [watching, "IDENTIFIED It is back.", watching] };

function post(kind: ServiceKind): Start {
  const isKept = kind !== "ignores-ids" && kind !== "refuses-ids";
  return { ...one, command: "update", id: isKept ? id : "99999999-0000-4000-8000-000000000001" };
}

function changesOf(kind: ServiceKind): readonly Scenario[] {
  return [
    changing(kind, [two], { "lost-answer": 1, crash: 1, "late-commit": 1 }),
    changing(kind, [twice], { "lost-answer": 1, crash: 1 }),
    changing(kind, [two], { "other-update": 1, "lost-answer": 1 }, again),
    changing(kind, [two], { "equal-update": 1, "lost-answer": 1, "lost-request": 1 }, again),
    changing(kind, [two], { resolution: 1, crash: 1 }),
    changing(kind, [two], { "refused-commit": 1, "late-request": 1 }, andAgain),
    changing(kind, [two], { "stale-read": 2, "lost-answer": 1 }, again),
    changing(kind, [post(kind), post(kind)], { "lost-answer": 1 }),
    changing(kind, [post(kind)], { "other-update": 1, crash: 1 }),
    changing(kind, [{ ...one, severity: "CRITICAL" }], { crash: 1, "lost-answer": 1 }),
    scenario(kind, [one], { crash: 1, "lost-answer": 1 }),
  ];
}

export function changing(
  kind: ServiceKind,
  starts: readonly Start[],
  budget: Budget,
  options: ScenarioOptions = {},
): Scenario {
  const { journal, machine } = starts[0] as Start;
  const place = { ...(journal && { journal }), ...(machine && { machine }) };
  return scenario(kind, starts, budget, { given: [{ ...declared, ...place }], ...options });
}

/** Scenarios that take a moment each. */
export function smallScenarios(): readonly Scenario[] {
  return [
    ...(["keeps-both", "ignores-ids"] as const).flatMap((kind) => [
      scenario(kind, [withId], { crash: 1, "lost-answer": 1 }),
      scenario(kind, [withoutId], { crash: 1, "late-request": 1 }),
      scenario(kind, alerts, { resolution: 1 }),
    ]),
    scenario("keeps-both", [withId], { crash: 1, redirect: 1, "bad-gateway": 1 }),
    scenario("keeps-both", [withId], { signal: 2 }),
    scenario("keeps-both", [withId, settle], { "lost-answer": 1 }),
    scenario("ignores-ids", [withId, { command: "prune", wants }], { refusal: 1, "lost-answer": 1 }),
  ];
}

/** Without those whose every interleaving is one of another, which has the same commands and at least as many faults. */
function withoutContained(scenarios: readonly Scenario[]): readonly Scenario[] {
  const commandsOf = ({ given, service, starts }: Scenario) => JSON.stringify([service, given, starts]);
  const isWithin = (one: Scenario, other: Scenario) =>
    commandsOf(one) === commandsOf(other) &&
    one.reruns <= other.reruns &&
    faultNames.every((fault) => (one.budget[fault] ?? 0) <= (other.budget[fault] ?? 0));
  return scenarios.filter(
    (one, at) =>
      !scenarios.some(
        (other, place) => place !== at && isWithin(one, other) && (place < at || !isWithin(other, one)),
      ),
  );
}

export function allScenarios(others: readonly Scenario[]): readonly Scenario[] {
  return withoutContained([
    ...smallScenarios(),
    ...pairScenarios(),
    ...worldScenarios(),
    ...listScenarios(),
    ...peopleScenarios(),
    ...changeScenarios(),
    ...largeWorldScenarios(),
    ...others,
  ]);
}

/** Machines without a shared journal, at a service whose list each reads before its first create. */
function listScenarios(): readonly Scenario[] {
  const lists = true;
  const [here, there] = apart([withoutId, withoutId], "local") as [Start, Start];
  const [named, other] = apart([withId, withId], "local") as [Start, Start];
  return (["keeps-both", "ignores-ids"] as const).flatMap((kind) => [
    scenario(kind, [there], { "lost-answer": 1 }, { lists, given: [here], reruns: 1 }),
    scenario(kind, [other], { crash: 1 }, { lists, given: [named] }),
    // Both may send: a limit of the documents.
    scenario(kind, [here, there], { "lost-answer": 1 }, { lists, reruns: 1 }),
    scenario(kind, [there], { "stale-read": 1, "lost-answer": 1 }, { lists, given: [here], reruns: 1 }),
    scenario(kind, [here], { "stale-read": 2, "lost-answer": 1 }, { lists, reruns: 2 }),
    scenario(kind, [here], { "equal-incident": 1, "lost-answer": 1 }, { lists, reruns: 1 }),
    scenario(kind, [here], { "equal-incident": 1, "lost-request": 1 }, { lists, reruns: 1 }),
    scenario(kind, [{ ...here, repeats: true }], { deletion: 1, pause: 2 }, { lists, reruns: 3 }),
    scenario(kind, [here], { "server-error": 1 }, { lists, reruns: 1 }),
    scenario(kind, [here], { "server-error": 2 }, { lists, reruns: 1 }),
    scenario(kind, [here], { "server-error": 1, "lost-answer": 1, crash: 1 }, { lists }),
    scenario(
      kind,
      [{ ...here, settleFor: 500 }],
      { "failed-read": 2, "lost-answer": 1 },
      { lists, reruns: 1 },
    ),
  ]);
}
