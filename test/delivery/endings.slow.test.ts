// Every ending of a create and every state of the journal, over real sockets: the messages and the exit codes, and how
// many requests the service saw, in the first run and in the rerun of the same command.
import { describe, expect, it, onTestFinished } from "vitest";
import { createUndiciTransport } from "../../src/http/undici-transport.ts";
import type { SandboxOptions } from "../../src/sandbox/app.ts";
import { serveSandbox } from "../../src/sandbox/server.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld, machineClock, type World } from "../harness/incident.ts";
import { answer, createService, incidentOf, refusal } from "./services-by-hand.ts";

const content = definitionYaml();
const files = { "x.yaml": `id: ${id}\n${content}`, "plain.yaml": content };

interface Seen {
  readonly exitCode: number;
  readonly posts: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A sandbox on a socket; each call runs a command against it and counts the creates that reached it. */
async function serve(faults: readonly string[], sandbox: Partial<SandboxOptions> = {}) {
  const seen: string[] = [];
  const onRequest: SandboxOptions["onRequest"] = ({ method }) => void seen.push(method);
  const world = createWorld({
    files,
    faults,
    clock: machineClock,
    sandbox: { clock: machineClock, onRequest, ...sandbox },
  });
  const server = await serveSandbox(world.sandbox);
  onTestFinished(() => server.close());
  const transport = createUndiciTransport({});
  const run = async (line: string, more: Parameters<World["run"]>[1] = {}): Promise<Seen> => {
    seen.length = 0;
    // The time of a look, which a busy machine needs, is that of the wait where the outcome stays unknown.
    const flags = `${line.includes("--settle-for") ? "" : "--settle-for 2s"} --timeout 8s --quiet`;
    const result = await world.run(`${line} ${flags}`, {
      ...more,
      transport: more.transport ?? transport,
      env: { INCIDENT_CLI_BASE_URL: server.url, ...more.env },
    });
    const { exitCode, stdout, stderr } = result;
    return { exitCode, stdout, stderr, posts: seen.filter((method) => method === "POST").length };
  };
  return { world, run };
}

const always = (fault: string) => [`create:${fault}`];

describe("an ending of a create, and the same command run again", () => {
  it.each([
    // ending, faults, first exit, its creates, rerun's exit, its creates
    ["201", [], 0, 1, 0, 0],
    ["201 with a broken body", ["create#1:truncated"], 0, 1, 0, 0],
    ["201 with an HTML page", ["create#1:html"], 0, 1, 0, 0],
    ["dropped after the commit", ["create#1:drop-after-commit"], 0, 1, 0, 0],
    ["dropped before the commit", ["create#1:drop-before-commit"], 8, 1, 8, 0],
    ["502 after the commit", ["create#1:error-after-commit"], 0, 1, 0, 0],
    ["502 before the commit", ["create#1:502"], 8, 1, 8, 0],
    ["500", ["create#1:500"], 8, 1, 8, 0],
    ["503", ["create#1:503"], 8, 1, 8, 0],
    ["no answer", ["create#1:no-answer"], 8, 1, 8, 0],
    ["a commit that is slow", ["create#1:slow-commit=300ms"], 0, 1, 0, 0],
    ["a commit that is too slow to be seen, but is there later", ["create#1:slow-commit=60s"], 8, 1, 8, 0],
    ["429 once", ["create#1:429=0"], 0, 2, 0, 0],
    ["429 with a wait that is too long", always("429=90s"), 7, 1, 7, 1],
    ["401", always("401"), 4, 1, 4, 1],
    ["403", always("403"), 4, 1, 4, 1],
    ["404", always("404"), 6, 1, 6, 1],
    ["403, then mended", ["create#1:403"], 4, 1, 0, 1],
  ])("%s", async (_, faults, exitCode, posts, exitAgain, postsAgain) => {
    const { run, world } = await serve(faults);
    const line = `create -f x.yaml -o id --settle-for ${exitCode === 8 ? "2s" : "60s"}`;
    const first = await run(line);
    expect(first).toMatchObject({ exitCode, posts });
    expect(first.stdout).toBe(exitCode === 0 ? `${id}\n` : "");
    const again = await run(line);
    expect(again).toMatchObject({ exitCode: exitAgain, posts: postsAgain });
    expect(world.sandbox.statistics().duplicates).toBe(0);
  });

  it("says when, under which id, and what to do next, when the outcome is not known", async () => {
    const { run } = await serve(["create#1:drop-before-commit"]);
    const { stderr } = await run("create -f x.yaml -o json");
    const { error } = JSON.parse(stderr.trim().split("\n").at(-1) as string);
    expect(error).toMatchObject({ kind: "uncertain", exitCode: 8, retryable: false });
    expect(error.message).toContain(id);
    expect(error.commands.map(({ command }: { command: string }) => command)).toEqual([
      `incident journal settle ${id} --created --yes`,
      `incident journal settle ${id} --not-created --yes`,
    ]);
  });
});

describe("the support of the service for ids", () => {
  it("is asked each time: where it refuses an id, the create is sent once more without", async () => {
    const { run, world } = await serve([], { clientIds: "reject" });
    for (const line of ["create -f x.yaml", "create -f plain.yaml", "create -f plain.yaml --new"])
      expect(await run(line)).toMatchObject({ exitCode: 0, posts: 2 });
    expect(world.sandbox.incidents()).toHaveLength(3);
  });

  const ownId = (run: number) => id.replace(/.$/, String(run));

  /**
   * Runs creates at a service that gives the statuses in `expected`, such as "id 422, none 201". Gives the exit codes, and
   * the same text with what each create carried.
   */
  async function idsSent(expected: string, commands: number) {
    const statuses = expected.split(", ").map((text) => Number(text.split(" ")[1]));
    const world = createWorld({ files });
    const { sent, transport } = createService((body, number) => {
      const status = statuses[number - 1] as number;
      return status === 201 ? answer(201, incidentOf({ id: body.id ?? id })) : refusal(status);
    });
    const exitCodes: number[] = [];
    for (let run = 1; run <= commands; run += 1) {
      const stdin = definitionYaml({ id: ownId(run) });
      exitCodes.push((await world.run("create -f - --settle-for 1s", { transport, stdin })).exitCode);
    }
    const carried = sent.map((body, index) => `${body.id === undefined ? "none" : "id"} ${statuses[index]}`);
    return { exitCodes, carried: carried.join(", ") };
  }

  it.each(
    Object.entries<[string, number[]]>({
      "ids that were honoured are not the reason of a 422": ["id 201, id 422", [0, 6]],
      "a create without an id stays so after a 429": ["id 422, none 429, none 201", [0]],
      "a refusal without an id is final, and says nothing of the next create": [
        "id 422, none 201, id 422, none 422, id 422, none 201, id 422, none 201",
        [0, 6, 0, 0],
      ],
      "refusals without an id never show that ids are honoured": [
        "id 422, none 422, id 422, none 422, id 422, none 201",
        [6, 6, 0],
      ],
      "each create has its id first": ["id 422, none 201, id 403, id 201", [0, 4, 0]],
      "the newest answer counts": ["id 422, none 201, id 201, id 422", [0, 0, 6]],
    }),
  )("%s", async (_, [carried, exitCodes]) => {
    expect(await idsSent(carried, exitCodes.length)).toEqual({ exitCodes, carried });
  });
});

describe("reruns", () => {
  it.each([
    ["created", [], 6],
    ["uncertain", ["create#1:drop-before-commit"], 8],
  ])(
    "refuses an edited definition of an incident that is %s, with the difference",
    async (_, faults, exitCode) => {
      const { run } = await serve(faults);
      await run("create -f x.yaml");
      const result = await run("create -f -", { stdin: `id: ${id}\n${content.replace("MAJOR", "MINOR")}` });
      expect(result).toMatchObject({ exitCode, posts: 0 });
      expect(result.stderr).toContain('severity is "MAJOR", not "MINOR"');
    },
  );

  it("arrives at the same id with the same --key, on any machine", async () => {
    const { run } = await serve([]);
    const first = await run("INCIDENT_CLI_STATE_DIR=one create -f plain.yaml --key build-1 -o id");
    const again = await run("INCIDENT_CLI_STATE_DIR=two create -f plain.yaml --key build-1 -o id");
    const other = await run("INCIDENT_CLI_STATE_DIR=one create -f plain.yaml --key build-2 -o id");
    expect(first).toMatchObject({ exitCode: 0, posts: 1 });
    expect(again).toMatchObject({ exitCode: 0, posts: 0, stdout: first.stdout });
    expect(other).toMatchObject({ exitCode: 0, posts: 1 });
    expect(first.stdout).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\n$/);
  });

  it("takes up a batch that broke off where it stopped", async () => {
    const { run, world } = await serve(["create#2:403"]);
    const batch = ["One", "Two", "Three"]
      .map((name) => content.replace("Checkout fails", name))
      .join("---\n");
    const first = await run("create -f - -o id", { stdin: batch });
    expect(first).toMatchObject({ exitCode: 9, posts: 2 });
    const again = await run("create -f - -o id", { stdin: batch });
    expect(again).toMatchObject({ exitCode: 0, posts: 2 });
    expect(again.stdout.split("\n")[0]).toBe(first.stdout.trim());
    expect(world.sandbox.incidents().map(({ name }) => name)).toEqual(["One", "Two", "Three"]);
  });
});
