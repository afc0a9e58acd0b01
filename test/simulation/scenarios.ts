// The scenarios that are explored exhaustively.
import type { Mutant } from "./mutants.ts";
import type { Scenario, Start } from "./scenario.ts";
import { type ServiceKind, serviceKinds } from "./service.ts";
import type { Budget } from "./world.ts";

const id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const withId: Start = { command: "create", id, maxRetries: 0 };
const withoutId: Start = { command: "create", maxRetries: 0 };

function scenario(service: ServiceKind, starts: readonly Start[], budget: Budget, mutant?: Mutant): Scenario {
  const faults = Object.entries(budget).map(([fault, count]) => `${count} ${fault}`);
  const commands = starts.map(({ command, id: own }) =>
    command === "create" ? `create${own === undefined ? "" : " with an id"}` : command,
  );
  const reruns = budget.crash ?? 0;
  return {
    name: `${service}: ${commands.join(", ")}; ${faults.join(", ") || "no fault"}`,
    service,
    starts,
    budget,
    reruns,
    mutant,
  };
}

/** Two processes with up to two crashes and a lost answer, three with one crash; with `isQuick`, the smallest. */
export function exhaustiveScenarios(isQuick: boolean): readonly Scenario[] {
  const kinds = isQuick ? (["refuses-second", "ignores-ids"] as const) : serviceKinds;
  const crashes = isQuick ? 1 : 2;
  return [
    ...kinds.flatMap((kind) =>
      [withoutId, withId].map((start) =>
        scenario(kind, [start, start], { crash: crashes, "lost-answer": 1 }),
      ),
    ),
    ...(isQuick ? [] : kinds.map((kind) => scenario(kind, [withoutId, withoutId, withoutId], { crash: 1 }))),
    ...(isQuick ? [] : [scenario("keeps-both", [withId, withId], { "late-request": 1, "lost-answer": 1 })]),
    ...(isQuick ? [] : [scenario("keeps-both", [withId, withId], { "rate-limit": 1, crash: 1 })]),
    ...(isQuick ? [] : [scenario("keeps-both", [withId, withId], { redirect: 1, "bad-gateway": 1 })]),
    scenario("keeps-both", [withId, withId], { "store-unknown": 1, crash: isQuick ? 0 : 1 }),
    scenario("ignores-ids", [withId, { command: "prune" }], { refusal: 1, "lost-answer": 1 }),
  ];
}

/** Small scenarios in which a mistake of the protocol shows. */
export function mutantScenarios(mutant: Mutant): readonly Scenario[] {
  const edited: Start = { ...withId, incidentName: "Search fails" };
  return [
    scenario("keeps-both", [withId, withId], {}, mutant),
    scenario("keeps-both", [withoutId, withoutId], {}, mutant),
    scenario("ignores-ids", [withId], { crash: 1 }, mutant),
    scenario("keeps-both", [withId], { "late-request": 1 }, mutant),
    scenario("keeps-both", [withoutId], { crash: 1 }, mutant),
    scenario(
      "ignores-ids",
      [{ ...withId, isPermitting: true }],
      { "lost-answer": 2, refusal: 1, crash: 1 },
      mutant,
    ),
    scenario("keeps-both", [{ ...withoutId, daysAhead: 400 }, withoutId], { crash: 1 }, mutant),
    scenario("keeps-both", [withoutId, { ...withoutId, daysAhead: 400 }], { crash: 2 }, mutant),
    scenario("keeps-both", [withId, edited], {}, mutant),
    scenario("keeps-both", [withId, withId], { "store-unknown": 1 }, mutant),
    scenario("ignores-ids", [withId, { command: "prune" }], { "lost-answer": 1, crash: 1 }, mutant),
    scenario("keeps-both", [{ ...withId, maxRetries: 1 }, withId], { "rate-limit": 1 }, mutant),
  ];
}
