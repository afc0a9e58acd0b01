// Scenarios in which an incident could be declared twice, or a worse outcome be hidden by a lesser one: each once
// was possible.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/http/transport.ts";
import { definitionYaml, incidentId as id, numberedId } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";
import { answer, createService, lost, refusal } from "./services-by-hand.ts";

const files = {
  "x.yaml": definitionYaml({ id }),
  "plain.yaml": definitionYaml(),
  "two.yaml": `${definitionYaml({ name: "A" })}---\n${definitionYaml({ name: "B" })}`,
};
const flags = "--settle-for 1s";

const exitOf = async (world: World, line: string, more?: Parameters<World["run"]>[1]) =>
  (await world.run(`${line} ${flags}`, more)).exitCode;

describe("nothing is declared twice", () => {
  it("by a second recreate after an uncertain one", async () => {
    const world = createWorld({ files });
    await world.run(`apply -f x.yaml ${flags}`);
    const { transport, sent } = createService(() => lost);
    world.clock.advance(24 * 60 * 60 * 1000);
    expect(await exitOf(world, "apply -f x.yaml --recreate", { transport })).toBe(8);
    expect(await exitOf(world, "apply -f x.yaml", { transport })).toBe(8);
    expect(await exitOf(world, "apply -f x.yaml --recreate", { transport })).toBe(8);
    expect(sent).toHaveLength(1);
  });
});

describe("a worse outcome is not hidden", () => {
  it("by a result that cannot be printed", async () => {
    const world = createWorld({ files });
    const { transport } = createService(({ name, id: own }) =>
      name === "A" ? answer(201, { id: own }) : lost,
    );
    const result = await world.run(`create -f two.yaml ${flags}`, {
      transport,
      stdoutError: new Error("ENOSPC"),
    });
    expect(result.exitCode).toBe(8);
    expect(result.stderr).toContain("could not be written to stdout");
  });

  it("by nothing but an exit code that is no usage error where only the result is lost", async () => {
    const world = createWorld({ files });
    const unprinted = { stdoutError: new Error("ENOSPC") };
    const result = await world.run(`create -f x.yaml ${flags}`, unprinted);
    expect(result.exitCode).toBe(1);
    expect(result.stderr.replace(/\s+/g, " ")).toContain(
      `the result of ${id} could not be written to stdout: ENOSPC`,
    );
    expect(result.stderr).toContain("incident journal list");
  });
});

describe("a signal", () => {
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

describe("waiting", () => {
  it.each([
    ["create -f plain.yaml", 8, 30_000 + 10_500],
    ["create -f plain.yaml --timeout 5s --settle-for 20s", 8, 5_000 + 20_500],
    // It cannot be looked for, so it is not sent.
    ["create -f x.yaml", 7, 10_500],
  ])("for a service that never answers ends %s with %s in time", async (line, exitCode, longest) => {
    const world = createWorld({ files });
    const start = world.clock.monotonic();
    const transport: Transport = async ({ method }, control) => {
      if (method === "POST") await control.beforeSend?.();
      await world.clock.sleep(control.deadline);
      return { phase: "unanswered", reason: "timeout", detail: "no answer" };
    };
    expect((await world.run(line, { transport })).exitCode).toBe(exitCode);
    expect(world.clock.monotonic() - start).toBeLessThanOrEqual(longest);
  });

  it("ends although the clock is set back", async () => {
    const world = createWorld({ files });
    let reads = 0;
    const { transport } = createService(
      () => lost,
      () => {
        reads += 1;
        if (reads === 3) world.clock.advance(-2 * 60 * 60 * 1000);
        return refusal(404);
      },
    );
    expect(await exitOf(world, "create -f x.yaml", { transport })).toBe(8);
    expect(reads).toBeLessThan(20);
  });
});

describe("journal settle", () => {
  it("wants the service's own id for a create that was sent without one", async () => {
    const world = createWorld({ files });
    const { transport } = createService(({ id: own }) => (own === undefined ? lost : refusal(400)));
    expect(await exitOf(world, "create -f x.yaml", { transport })).toBe(8);
    const settled = await world.run(`journal settle ${id} --created --yes ${flags}`);
    expect(settled.exitCode).toBe(2);
    expect(settled.stderr).toContain("--service-id");
  });

  it("settles an id that is open at two services at that of the settings", async () => {
    const world = createWorld({ files });
    const { transport } = createService(() => lost);
    await world.run(`create -f x.yaml ${flags}`, { transport });
    await world.run(`create -f x.yaml ${flags}`, {
      transport,
      env: { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:2" },
    });
    const settle = `journal settle ${id} --not-created --yes ${flags}`;
    const elsewhere = await world.run(settle, { env: { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:3" } });
    expect(elsewhere.exitCode).toBe(2);
    expect(elsewhere.stderr).toContain("open at several services");
    expect((await world.run(settle)).exitCode).toBe(0);
    const open = JSON.parse((await world.run("journal list --open -o json")).stdout);
    expect(open).toMatchObject([{ id, state: "uncertain", baseUrl: "http://127.0.0.1:2" }]);
  });
});
