// --deadline and --wait-timeout end a command within their time, whatever the service does.
import { describe, expect, it } from "vitest";
import {
  answer,
  createRequest,
  definitionYaml,
  incidentId as id,
  numberedId,
} from "../../harness/builders.ts";
import { createWorld, type Setup } from "../../harness/incident.ts";

const files = { "checkout.yaml": definitionYaml({ id }), "plain.yaml": definitionYaml() };

/** Runs a command on the simulated clock, and returns its end and how long it took. */
async function timed(line: string, setup: Setup = {}) {
  const world = createWorld({ files, ...setup });
  const { exitCode, stderr, stdout } = await world.run(line);
  return { exitCode, stderr, stdout, seconds: world.clock.monotonic() / 1000 };
}

const other = "00000000-0000-4000-8000-000000000001";

const never = ["any:no-answer"];
const overloaded = ["any:503"];
const busy = ["any:429=55"];

describe("--deadline", () => {
  it.each([
    ["a read that is not answered", `get ${id}`, never, 7, "did not answer within 5 s (--deadline)"],
    ["503s", `get ${id}`, overloaded, 10, "Service Unavailable); not finished within 5 s (--deadline)"],
    ["a long Retry-After", `get ${id}`, busy, 10, "(429: Too Many Requests); not finished within 5 s"],
    ["a create that cannot look first", "create -f checkout.yaml", never, 7, "did not answer within 5 s"],
    ["a create that is refused for now", "create -f plain.yaml", busy, 10, "not finished within 5 s"],
    ["an apply", "apply -f checkout.yaml", never, 7, "did not answer within 5 s"],
    ["an apply that is refused for now", "apply -f checkout.yaml", ["create:429=55"], 10, "not finished"],
  ])("ends %s", async (_, line, faults, exitCode, said) => {
    const result = await timed(`${line} --deadline 5s --timeout 60s`, { faults });
    expect(result.stderr + result.stdout).toContain(said);
    expect(result).toMatchObject({ exitCode, seconds: 5 });
  });

  it.each(["create -f plain.yaml", "create -f checkout.yaml", "apply -f checkout.yaml"])(
    "leaves %s with exit 8 and the ways to settle it where the create was sent and not answered",
    async (line) => {
      const result = await timed(`${line} --deadline 5s`, { faults: ["create:no-answer"] });
      expect(result).toMatchObject({ exitCode: 8, seconds: 5 });
      expect(result.stderr).toContain("not finished within 5 s (--deadline)");
      expect(result.stderr).toMatch(/incident journal settle [0-9a-f-]{36} --not-created/);
    },
  );

  it("ends the search for a create that was lost", async () => {
    const faults = ["create:drop-before-commit", "get#2-99:503"];
    const result = await timed("create -f checkout.yaml --deadline 3s --settle-for 1h", { faults });
    expect(result).toMatchObject({ exitCode: 8, seconds: 3 });
  });

  it("reports the incidents of a batch that were declared before", async () => {
    const faults = ["create#2:429=55"];
    const result = await timed("create -f plain.yaml -f checkout.yaml --deadline 5s", { faults });
    expect(result.exitCode).toBe(9);
    expect(result.stderr).toContain('1 declared, then "Checkout fails" (2 of 2)');
  });

  it.each(["table", "json"])("ends a watch with what happened and the next step: %s", async (format) => {
    const lines = `get ${id} --watch --deadline 4s -o ${format}`;
    const { exitCode, seconds, stderr } = await timed(lines, {
      transport: async () => answer({ id, name: "Checkout fails", lastUpdateStatus: "MONITORING" }),
    });
    expect({ exitCode, seconds }).toEqual({ exitCode: 10, seconds: 4 });
    const [message, hint] = [
      "not finished within 4 s (--deadline)",
      "nothing was changed; run it again to go on watching",
    ];
    if (format === "table")
      expect(stderr).toBe(`watching until Ctrl-C\nerror: ${message}\n  next: ${hint}\n`);
    else
      expect(JSON.parse(stderr).error).toMatchObject({
        kind: "timeout",
        exitCode: 10,
        message,
        hint,
        retryable: true,
      });
  });

  it("says that one request was not sent where others were answered", async () => {
    const more = Array.from({ length: 599 }, (_, number) => numberedId(number + 2)).join(" ");
    const { exitCode, stderr } = await timed(`get ${id} ${more} ${other} --deadline 6s`, {
      transport: async ({ url }) => answer({ id: url.split("/").at(-1) }),
    });
    expect(exitCode).toBe(7);
    expect(stderr).toContain("a request was not sent to 127.0.0.1:1 within 6 s (--deadline)");
  });

  it("is named where it ends the attempts to reach the service", async () => {
    const world = createWorld({
      transport: async () => ({ phase: "unsent", reason: "connection", detail: "connect ECONNREFUSED" }),
    });
    const { exitCode, stderr } = await world.run(`get ${id} --deadline 2s`);
    expect(exitCode).toBe(7);
    expect(stderr).toContain("could not be reached within 2 s (--deadline): connect ECONNREFUSED");
  });

  it("changes nothing where the command ends before", async () => {
    expect(await timed("create -f checkout.yaml -o id --deadline 5s")).toMatchObject({
      exitCode: 0,
      stdout: `${id}\n`,
    });
  });
});

describe("--wait-timeout", () => {
  const line = `get ${id} --wait-for resolved --wait-timeout 30s --timeout 60s -o id`;

  it.each([
    ["never answers", never, 7, "did not answer within 30 s (--wait-timeout)"],
    ["asks for patience", busy, 10, "(429: Too Many Requests); not finished within 30 s (--wait-timeout)"],
    ["stops answering", ["get#2-99:no-answer"], 10, `not RESOLVED within 30 s: ${id} is INVESTIGATING`],
    ["begins to fail", ["get#2-99:503"], 10, `${id} is INVESTIGATING`],
    ["begins to ask for patience", ["get#2-99:429=55"], 10, `${id} is INVESTIGATING`],
  ])("ends a wait in its time where the service %s", async (_, faults, exitCode, said) => {
    const world = createWorld({ files: { "a.yaml": definitionYaml({ id }) }, faults: [...faults] });
    await world.sandbox.transport(createRequest(id), { deadline: 1 });
    const start = world.clock.monotonic();
    const { exitCode: code, stderr } = await world.run(line);
    expect(stderr).toContain(said);
    expect({ code, seconds: (world.clock.monotonic() - start) / 1000 }).toEqual({
      code: exitCode,
      seconds: 30,
    });
  });
});
