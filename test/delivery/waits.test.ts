// Time and other processes: pauses in which another process goes on, clocks that jump, signals, services that do not
// answer. Nothing is declared twice, and each command ends in time.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/http/transport.ts";
import { definitionYaml, incidentId as id, numberedId, terminal } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";
import { answer, createService, incidentOf, lost, refusal } from "./services-by-hand.ts";

const files = {
  "x.yaml": definitionYaml({ id }),
  "plain.yaml": definitionYaml(),
  "two.yaml": `${definitionYaml({ name: "A" })}---\n${definitionYaml({ name: "B" })}`,
  "folder/1.yaml": definitionYaml({ id: "00000000-0000-4000-8000-00000000000a", name: "A" }),
  "folder/2.yaml": definitionYaml({ id: "00000000-0000-4000-8000-00000000000b", name: "B" }),
};
const flags = "--settle-for 1s";
const day = 24 * 60 * 60 * 1000;

describe("a clock", () => {
  const unprinted = { stdoutError: new Error("ENOSPC") };

  it("a year ahead does not make a create that was declared and never told another one", async () => {
    const world = createWorld({ files });
    expect((await world.run(`create -f plain.yaml ${flags}`, unprinted)).exitCode).toBe(1);
    for (const years of [1, 1, 1]) {
      world.clock.advance(years * 365 * day);
      expect((await world.run(`create -f plain.yaml ${flags}`, unprinted)).exitCode).toBe(1);
    }
    expect(await world.run(`create -f plain.yaml -o id ${flags}`)).toMatchObject({
      exitCode: 0,
      stdout: `${world.sandbox.incidents()[0]?.id}\n`,
    });
    expect(world.sandbox.incidents()).toHaveLength(1);
  });

  it("years ahead forgets nothing that is uncertain", async () => {
    const world = createWorld({ files });
    const { sent, transport } = createService(() => lost);
    await world.run(`create -f x.yaml ${flags}`, { transport });
    await world.run(`create -f plain.yaml --new ${flags}`, { transport });
    for (const _ of [1, 2, 3]) {
      world.clock.advance(300 * day);
      // Each success prunes.
      expect((await world.run(`create -f folder/1.yaml ${flags}`)).exitCode).toBe(0);
      expect((await world.run(`create -f x.yaml ${flags}`, { transport })).exitCode).toBe(8);
      expect((await world.run(`create -f plain.yaml ${flags}`, { transport })).exitCode).toBe(8);
    }
    expect(sent).toHaveLength(2);
  });
});

describe("a signal", () => {
  /** The service of a create in flight: the signal arrives while `at` is sent. */
  function interrupted(name: string, at: string) {
    const controller = new AbortController();
    const { transport } = createService((body) => {
      if (body.name !== at) return answer(201, incidentOf(body));
      controller.abort(name);
      return { phase: "unanswered", reason: "cancelled", detail: "cancelled" };
    });
    return { transport, signal: controller.signal };
  }

  it.each([
    ["SIGINT", "A", 8],
    ["SIGTERM", "A", 8],
    ["SIGINT", "B", 8],
    ["SIGTERM", "B", 8],
  ])("%s with the create of %s in flight ends a batch with %s", async (name, at, exitCode) => {
    const world = createWorld({ files });
    const result = await world.run(`create -f two.yaml ${flags}`, interrupted(name, at));
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain("incident journal settle");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("%s while an earlier create is looked for ends with 8", async (name, code) => {
    const world = createWorld({ files });
    const service = createService(() => lost);
    expect((await world.run(`create -f x.yaml ${flags}`, service)).exitCode).toBe(8);
    const controller = new AbortController();
    const transport: Transport = async () => {
      controller.abort(name);
      return { phase: "unanswered", reason: "cancelled", detail: "cancelled" };
    };
    const options = { transport, signal: controller.signal };
    expect((await world.run(`create -f x.yaml ${flags}`, options)).exitCode).toBe(8);
    // Before anything was sent, the signal alone decides.
    expect((await world.run(`create -f plain.yaml --new ${flags}`, options)).exitCode).toBe(code);
  });

  it("while an id is looked for asks nothing, and while a retry is waited for says that nothing was published", async () => {
    for (const [first, message] of [
      ["look", "cancelled by Ctrl-C"],
      ["wait", "nothing was published"],
    ] as const) {
      const world = createWorld({ files });
      const controller = new AbortController();
      const { sent, transport } = createService(
        () => {
          setImmediate(() => controller.abort("SIGINT"));
          return refusal(429, { "retry-after": "5" });
        },
        () => {
          if (first === "wait") return refusal(404);
          controller.abort("SIGINT");
          return { phase: "unanswered", reason: "cancelled", detail: "cancelled" };
        },
      );
      const person = { transport, signal: controller.signal, terminal, answers: ["y"] };
      const result = await world.run(`create -f x.yaml ${flags}`, person);
      expect(result.exitCode).toBe(130);
      expect(result.screen).toContain(message);
      expect(result.screen).not.toContain("Send it anyway?");
      expect(sent).toHaveLength(first === "look" ? 0 : 1);
    }
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("%s ends an apply with %s only where it declared nothing", async (name, code) => {
    // More than are sent at a time.
    const many = Object.fromEntries(
      Array.from({ length: 17 }, (_, at) => [
        `folder/${at}.yaml`,
        definitionYaml({ id: numberedId(at + 1), name: `Incident ${at}` }),
      ]),
    );
    const during = async (method: string) => {
      const world = createWorld({ files: many });
      const controller = new AbortController();
      const transport: Transport = async (request, control) => {
        const outcome = await world.sandbox.transport(request, control);
        if (request.method === method) controller.abort(name);
        return outcome;
      };
      return world.run(`apply -f folder --yes ${flags}`, { transport, signal: controller.signal });
    };
    expect((await during("GET")).exitCode).toBe(code);
    const partial = await during("POST");
    expect(partial.exitCode).toBe(9);
    expect(partial.stderr).toContain("1 not tried; a rerun sends only the rest");
  });
});

/** A service that accepts and never answers, on the simulated clock. */
const silent =
  (world: World): Transport =>
  async ({ method }, control) => {
    if (method === "POST") await control.beforeSend?.();
    await world.clock.sleep(control.deadline);
    return { phase: "unanswered", reason: "timeout", detail: "no answer" };
  };

describe("a service that never answers", () => {
  it.each([
    ["create -f plain.yaml", 8, 30_000 + 10_500],
    ["create -f plain.yaml --timeout 5s --settle-for 20s", 8, 5_000 + 20_500],
    // It cannot be looked for, so it is not sent.
    ["create -f x.yaml", 7, 10_500],
  ])("ends %s with %s in time", async (line, exitCode, longest) => {
    const world = createWorld({ files });
    const start = world.clock.monotonic();
    const result = await world.run(line, { transport: silent(world) });
    expect(result.exitCode).toBe(exitCode);
    expect(world.clock.monotonic() - start).toBeLessThanOrEqual(longest);
  });
});
