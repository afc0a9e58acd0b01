// A fleet of real `apply` runs that share one key and one service, and know nothing of each other: the client as it is,
// the sandbox's own limit, and a simulated clock. CASES=all adds larger fleets.
import { describe, expect, it } from "vitest";
import { definitionYaml, numberedId } from "../harness/builders.ts";
import { createClock, createWorld } from "../harness/incident.ts";
import { createDice } from "./dice.ts";

const minute = 60_000;

describe("a fleet of apply runs on one key", () => {
  const fleets: [runners: number, definitions: number][] = [
    [12, 100],
    // A single runner uses the limit to the full: the rest is its start, and the round trips of the last window.
    [1, 800],
  ];
  if (process.env.CASES === "all") fleets.push([20, 120], [8, 300]);

  it.each(fleets)(
    "%i runners of %i definitions end within 1.5 × the limit's own time",
    { timeout: 600_000 },
    async (runners, definitions) => {
      const clock = createClock();
      const { roll } = createDice(runners);
      const service = createWorld({ clock, inMemory: true }).sandbox;
      const runs = Array.from({ length: runners }, async (_, runner) => {
        const ids = Array.from({ length: definitions }, (_, index) =>
          numberedId(runner * definitions + index + 1),
        );
        const files = Object.fromEntries(
          ids.map((id) => [`all/${id}.yaml`, definitionYaml({ id, name: `Incident ${id}` })]),
        );
        const world = createWorld({
          files,
          inMemory: true,
          clock,
          chance: createDice(100 + runner).roll,
          transport: async (request, control) => {
            await clock.sleep(20 + roll() * 60);
            const outcome = await service.transport(request, control);
            await clock.sleep(20 + roll() * 60);
            return outcome;
          },
        });
        await clock.sleep(roll() * 3000);
        const { exitCode, stdout } = await world.run("apply -f all --yes -o json");
        return { exitCode, summary: JSON.parse(stdout).summary };
      });
      const results = await Promise.all(runs);
      for (const result of results)
        expect(result).toEqual({ exitCode: 0, summary: { created: definitions } });
      expect(service.statistics().created).toBe(runners * definitions);
      // A read for the plan, one more as the plan is older than ten seconds, and a create for each.
      const least = (Math.ceil((3 * runners * definitions) / 600) - 1) * minute;
      const ratio = clock.monotonic() / least;
      expect(ratio).toBeLessThan(runners === 1 ? 1.06 : 1.5);
    },
  );
});
