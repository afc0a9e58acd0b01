// A process that finds an attempt without an ending: how long it waits for the sender.
import { describe, expect, it } from "vitest";
import type { Answered, Outcome, Transport } from "../../src/http/transport.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld, type Setup, type World } from "../harness/incident.ts";
import { answer, createService, incidentOf, refusal } from "./services-by-hand.ts";

const files = { "x.yaml": definitionYaml({ id }), "plain.yaml": definitionYaml() };
const flags = "--settle-for 1s";
const seconds = 1000;

/** A world in which a process of the machine `test` has sent the create, and died. */
async function withDeadSender(line: string): Promise<World> {
  const world = createWorld({ files });
  await new Promise<void>((resolve) => {
    const transport: Transport = async (request, control) => {
      if (request.method === "GET") return refusal(404);
      await control.beforeSend?.();
      resolve();
      return new Promise<Outcome>(() => undefined);
    };
    void world.run(`${line} ${flags}`, { transport });
  });
  return world;
}

/** Runs a command at a service that has no incident and accepts none. Gives its duration as well. */
async function timed(world: World, line: string, more: Partial<Setup>, read = () => refusal(404)) {
  const { sent, transport } = createService(() => answer(201, incidentOf()), read);
  const start = world.clock.monotonic();
  const { exitCode } = await world.run(`${line} ${flags}`, { transport, ...more });
  return { exitCode, duration: world.clock.monotonic() - start, sends: sent.length };
}

describe("a create that is answered late", () => {
  it.each([
    ["create -f x.yaml", 14],
    ["create -f x.yaml", 29],
    ["create -f plain.yaml", 14],
  ])("answers for a second one as well: %s, after %s s", async (line, delay) => {
    const world = createWorld({ files });
    let second: Promise<unknown> | undefined;
    let incident: Answered | undefined;
    const { sent, transport } = createService(
      async (body) => {
        second = world.run(`${line} -o id ${flags}`, { transport });
        await world.clock.sleep(delay * seconds);
        incident = answer(201, incidentOf(body));
        return incident;
      },
      () => (incident === undefined ? refusal(404) : { ...incident, status: 200 }),
    );
    const first = await world.run(`${line} -o id ${flags}`, { transport });
    expect(first.exitCode).toBe(0);
    expect(await second).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(sent).toHaveLength(1);
  });
});

describe("a sender that died 20 s ago, with a deadline of 30 s", () => {
  const settle = `journal settle ${id} --yes`;
  it.each([
    ["create -f x.yaml", { exitCode: 8, sends: 0 }],
    ["create -f plain.yaml", { exitCode: 8, sends: 0 }],
    [`${settle} --not-created`, { exitCode: 0, sends: 0 }],
  ])("is waited for by %s, for its whole deadline: %o", async (line, end) => {
    const world = await withDeadSender(line.startsWith("create") ? line : "create -f x.yaml");
    world.clock.advance(20 * seconds);
    const { duration, ...ended } = await timed(world, line, {});
    expect(ended).toEqual(end);
    expect(duration).toBeGreaterThanOrEqual(30 * seconds);
    // A person's word is followed by a look.
    expect(duration).toBeLessThan((line.startsWith("create") ? 31 : 41) * seconds);
  });

  it.each([["journal settle ID --not-created --yes"], ["create -f x.yaml"]])(
    "is not over where a person interrupts %s: nothing is recorded, and nothing is sent",
    async (line) => {
      const world = await withDeadSender("create -f x.yaml");
      const interrupted = await timed(world, line.replace("ID", id), {
        signal: world.clock.abortAfter(5 * seconds, "SIGINT"),
      });
      expect(interrupted).toMatchObject({ exitCode: line.startsWith("create") ? 8 : 130, sends: 0 });
      expect(interrupted.duration).toBeLessThan(6 * seconds);
      expect((await world.run("journal list")).stdout).toContain("sending");
    },
  );
});
