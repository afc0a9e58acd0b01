// The answer to an added update proves only what it contains: at services that keep, that replace and that hide ids.
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/http/transport.ts";
import { answer, definitionYaml } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { type LifeService, lifeServices, type OpenLifeService } from "../../service/life/life-services.ts";

type Fields = Readonly<Record<string, unknown>>;

const text = "We are watching it.";

/** A world with one incident, whose service answers each added update as `respond` says. */
async function openWorld(
  open: OpenLifeService,
  respond: (body: Fields, carryOut: () => Promise<Outcome>) => Promise<Outcome>,
) {
  const service: LifeService = await open({ ids: "replaced" });
  const isUpdate = ({ method, url }: { method: string; url: string }) =>
    method === "POST" && /updates$/.test(url);
  const world = createWorld({
    env: service.env,
    files: { "x.yaml": definitionYaml() },
    transport: async (request, control) => {
      if (!isUpdate(request)) return service.transport(request, control);
      await control.beforeSend?.();
      const carryOut = () => service.transport(request, { ...control, beforeSend: async () => undefined });
      return respond(JSON.parse(String(request.body)), carryOut);
    },
  });
  const { stdout } = await world.run("create x.yaml -o id --dedup-key checkout");
  return { ...world, id: stdout.trim(), shown: () => service.incidents()[0]?.incidentUpdates ?? [] };
}

describe.each(lifeServices)("at %s", (_, open) => {
  it.each<[string, unknown]>([
    ["an empty object", {}],
    ["an error with a description", { id: "request-7", status: 503, description: "Come back later." }],
    ["a list", []],
  ])("200 with %s, and nothing stored, is exit 8 and never 'posted'", async (_, body) => {
    const { id, run, shown } = await openWorld(open, async () => answer(body));
    for (const line of [
      `update ${id} --status monitoring --message '${text}'`,
      `resolve ${id} --message 'It is over.'`,
    ]) {
      const { exitCode, stderr } = await run(line);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 8 });
      expect(stderr).not.toContain("posted MONITORING");
      expect((await run(line)).exitCode).toBe(8);
    }
    expect(shown()).toHaveLength(1);
  });

  it("200 with the incident as it was before is exit 8, also for a text that it has already", async () => {
    const { id, run } = await openWorld(open, async () =>
      answer(JSON.parse((await run(`get ${id} -o json`)).stdout)),
    );
    const { exitCode, stderr } = await run(
      `update ${id} --status investigating --message 'We are looking into it.' --new`,
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 8 });
  });

  it.each(["alone", "in its incident"])(
    "a text that the service cut, answered %s under its new id, is exit 0 with the difference",
    async (where) => {
      const { id, run } = await openWorld(open, async (body) => {
        const cut = { ...body, id: "5f0f8a8e-0000-4000-8000-000000000001", description: "We are…" };
        const { incidentUpdates, ...incident } = JSON.parse((await run(`get ${id} -o json`)).stdout);
        return answer(
          where === "alone" ? cut : { ...incident, incidentUpdates: [...incidentUpdates, cut] },
          201,
        );
      });
      const { exitCode, stderr } = await run(`update ${id} --status monitoring --message '${text}'`);
      expect(exitCode).toBe(0);
      expect(stderr.replace(/\s+/g, " ")).toContain(`description is "We are…", not "${text}"`);
    },
  );

  it("an update that notifies although nobody asked for it is told", async () => {
    const { id, run } = await openWorld(open, async (body) => answer({ ...body, notifySubscribers: true }));
    const { exitCode, stderr } = await run(`update ${id} --status monitoring --message '${text}'`);
    expect(exitCode).toBe(0);
    expect(stderr.replace(/\s+/g, " ")).toContain('notifySubscribers is "true", not "false"');
  });

  it("409 may pass: exit 7, and the same command posts it", async () => {
    let count = 0;
    const { id, run, shown } = await openWorld(open, async (_, carryOut) => {
      count += 1;
      return count === 1 ? answer({ statusCode: 409, error: "Conflict" }, 409) : carryOut();
    });
    const line = `update ${id} --status monitoring --message '${text}'`;
    const { exitCode, stderr } = await run(line);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 7 });
    expect((await run(line)).exitCode).toBe(0);
    expect(shown()).toHaveLength(2);
  });
});
