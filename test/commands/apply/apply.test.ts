import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { serviceYaml, terminal } from "../../harness/builders.ts";
import { access, createWorld, type Setup, type World } from "../../harness/incident.ts";

const guid = (number: number) => `7c9e6679-7425-40de-944b-${String(number).padStart(12, "0")}`;
const service = `services: [${serviceYaml}]`;
const definition = (
  number: number,
  more: { severity?: string; notify?: boolean; description?: string } = {},
) =>
  `id: ${guid(number)}
name: Incident ${number}
severity: ${more.severity ?? "MAJOR"}
${service}
incidentUpdates:
  - description: ${more.description ?? "We are looking into it."}
    notifySubscribers: ${more.notify ?? false}
`;

function folder(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `all/${String(index).padStart(4, "0")}.yaml`,
      definition(index),
    ]),
  );
}

/** How many incidents an apply reads or declares in parallel. */
const atOnce = 16;

const apply = "apply -f all --settle-for 1s";

async function applied(world: World, line = apply, more: Parameters<World["run"]>[1] = {}) {
  const result = await world.run(`${line} -o json`, more);
  return { ...result, envelope: result.stdout === "" ? undefined : JSON.parse(result.stdout) };
}

const results = (envelope: { results: { result?: string; action: string }[] }) =>
  envelope.results.map(({ result, action }) => result ?? action);

describe("incident apply", () => {
  it("creates missing incidents in the order of the definitions, and nothing in a rerun", async () => {
    const world = createWorld({ files: folder(5) });
    const entries = () =>
      readdirSync(join(world.folder, "home/.local/state/incident-cli/journal"), { recursive: true });
    const first = await applied(world);
    expect(first).toMatchObject({ exitCode: 0, posts: 5 });
    expect(first.envelope).toMatchObject({ dryRun: false, summary: { created: 5 } });
    expect(first.envelope.results.map(({ id }: { id: string }) => id)).toEqual([0, 1, 2, 3, 4].map(guid));
    const before = entries();
    const again = await applied(world);
    expect(again).toMatchObject({ exitCode: 0, posts: 0 });
    expect(again.envelope.summary).toEqual({ unchanged: 5 });
    expect(entries()).toEqual(before);
  });

  it("creates nothing in a rerun on a new runner with an empty disk", async () => {
    const world = createWorld({ files: folder(5) });
    await applied(world, `INCIDENT_CLI_STATE_DIR=one ${apply}`);
    const other = await applied(world, `INCIDENT_CLI_STATE_DIR=two ${apply}`);
    expect(other).toMatchObject({ exitCode: 0, posts: 0 });
    expect(world.sandbox.incidents()).toHaveLength(5);
  });

  it("creates each incident once when two runners apply at the same time", async () => {
    const world = createWorld({ files: folder(5) });
    await Promise.all([
      applied(world, `INCIDENT_CLI_STATE_DIR=one ${apply}`),
      applied(world, `INCIDENT_CLI_STATE_DIR=two ${apply}`),
    ]);
    expect(world.sandbox.incidents()).toHaveLength(5);
    expect(world.sandbox.statistics().duplicates).toBe(0);
  });

  it("sends nothing where another run declares the definition between its plan and its create", async () => {
    const world = createWorld({ files: folder(1) });
    let reads = 0;
    const transport: Transport = async (request, control) => {
      const outcome = await world.sandbox.transport(request, control);
      reads += 1;
      if (reads === 1) expect(await world.run(apply)).toMatchObject({ exitCode: 0 });
      return outcome;
    };
    const { envelope, exitCode } = await applied(world, apply, { transport });
    expect(exitCode).toBe(0);
    expect(envelope.summary).toEqual({ unchanged: 1 });
    // Two reads and a create of the other run, one of them of the document, and two reads of this one: the second finds
    // the incident.
    expect(world.sandbox.statistics()).toMatchObject({ requests: 5, duplicates: 0 });
  });

  it("prints the plan with --dry-run: the creates and the notifications", async () => {
    const files = { ...folder(2), "all/loud.yaml": definition(9, { notify: true }) };
    const world = createWorld({ files });
    const { exitCode, stderr, stdout } = await world.run(`${apply} --dry-run`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("nothing was sent\n");
    expect(stdout).toContain(`+ create    ${guid(9)}  Incident 9`);
    expect(stderr).toContain("notifies the subscribers of Checkout\n");
    expect(stdout).toContain("3 definitions: 3 to create");
    expect(world.sandbox.incidents()).toHaveLength(0);
    const { envelope } = await applied(world, `${apply} --dry-run`);
    expect(envelope).toMatchObject({ dryRun: true, summary: { create: 3 } });
  });

  it("shows in a plan all that its digest covers", async () => {
    const world = createWorld({ files: { ...folder(1), "all/loud.yaml": definition(9, { notify: true }) } });
    const shown = await world.run(`${apply} --dry-run`);
    expect(shown.stdout).toContain("MAJOR");
    expect(shown.stdout).toContain("We are looking into it.");
    expect(shown.stdout).toContain(`at ${access.baseUrl}, account ${access.accountId}`);
    const { envelope } = await applied(world, `${apply} --dry-run`);
    const sent = await applied(world, `${apply} --confirm ${envelope.confirm}`);
    const posted = sent.requests.filter(({ method }) => method === "POST");
    expect(envelope).toMatchObject({ baseUrl: access.baseUrl, accountId: access.accountId });
    const shownRequests = envelope.results.flatMap(({ requests }: { requests?: unknown }) => requests);
    expect(shownRequests).toEqual(
      posted.map(({ body, method, url }) => {
        const path = url.slice(access.baseUrl.length);
        return { method, path, body: JSON.parse(`${body}`) };
      }),
    );
  });

  it("refuses more creates than --max-changes without --yes", async () => {
    const world = createWorld({ files: folder(11) });
    const refused = await applied(world);
    expect(refused).toMatchObject({ exitCode: 2, posts: 0 });
    expect(refused.stderr).toContain("--max-changes");
    expect(await applied(world, `${apply} --max-changes 11`)).toMatchObject({ exitCode: 0, posts: 11 });
  });

  it("asks a question that names the subscribers", async () => {
    const loud = definition(1, { notify: true });
    const no = await createWorld({ files: { "x.yaml": loud }, terminal }).run("apply x.yaml", {
      answers: ["n"],
    });
    expect(no).toMatchObject({ exitCode: 130, posts: 0 });
    expect(no.screen.replace(/\s+/g, " ")).toMatch(
      /Apply 1 change at \S+, account \S+, and notify the subscribers of Checkout\? \[y\/N\]/,
    );
  });

  it("shows the plan and asks for a confirmation at a terminal", async () => {
    const world = createWorld({ files: folder(2), terminal });
    const declined = await world.run(apply, { answers: ["n"] });
    expect(declined.exitCode).toBe(130);
    expect(declined.screen).toContain("2 definitions: 2 to create");
    expect(declined.screen).toContain(
      "Apply 2 changes at 127.0.0.1:1, account 11111111-2222-4333-8444-555555555555? [y/N] ",
    );
    expect(world.sandbox.incidents()).toHaveLength(0);
    expect((await world.run(apply, { answers: ["y"] })).exitCode).toBe(0);
    expect(world.sandbox.incidents()).toHaveLength(2);
  });

  it.each<[string, Setup["faults"], number, Record<string, number>]>([
    ["one that is refused", ["create#2:404"], 9, { created: 4, failed: 1 }],
    ["one that is lost", ["create#2:drop-before-commit"], 8, { created: 4, uncertain: 1 }],
    ["one whose answer is lost", ["create#2:drop-after-commit"], 0, { created: 5 }],
  ])("continues after %s, and a rerun creates only the rest", async (_, faults, exitCode, summary) => {
    const world = createWorld({ files: folder(5), faults: faults ?? [] });
    const first = await applied(world, apply);
    expect(first).toMatchObject({ exitCode, envelope: { summary } });
    const again = await applied(world, apply);
    expect(again.posts).toBe(exitCode === 9 ? 1 : 0);
    expect(world.sandbox.statistics().duplicates).toBe(0);
  });

  it("prints with -o id no id of a create that was refused", async () => {
    const world = createWorld({ files: folder(3), faults: ["create#2:404"] });
    const { stdout } = await world.run(`${apply} -o id`);
    expect(stdout.trim().split("\n")).toEqual(
      world.sandbox
        .incidents()
        .map(({ id }) => id)
        .sort(),
    );
  });

  it("counts the failures beside the one that it names", async () => {
    const faults = ["create#1-2:drop-before-commit", "create#3-4:404"];
    const world = createWorld({ files: folder(4), faults });
    const { exitCode, stderr } = await world.run(apply);
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(/it is not known whether "Incident 0" was declared.* \(and 3 more\)/);
    expect(stderr).toContain("incident journal list --open names all of them");
  });

  it("stops at once when the service refuses the key", async () => {
    const world = createWorld({ files: folder(5), faults: ["any:401"] });
    expect(await applied(world, apply)).toMatchObject({ exitCode: 4, posts: 0, stdout: "" });
    const late = createWorld({ files: folder(40), faults: ["create#2:401"] });
    const { envelope, posts } = await applied(late, `${apply} --yes`);
    expect(posts).toBeLessThanOrEqual(2 * atOnce);
    expect(envelope.summary).toEqual({ created: posts - 1, failed: 1, "not-tried": 40 - posts });
  });

  it.each([
    ["the first read", 0, 7, atOnce, undefined],
    ["a later read", 32, 7, 40 - 32, undefined],
    ["a later create", 45, 9, atOnce, { created: 4, failed: atOnce, "not-tried": 36 - atOnce }],
  ])("stops when the service cannot be reached for %s", async (_, reached, code, lost, summary) => {
    const world = createWorld({ files: folder(40) });
    let requests = 0;
    const transport: Transport = async (request, control) => {
      requests += 1;
      return requests <= reached
        ? world.sandbox.transport(request, control)
        : { phase: "unsent", reason: "connection", detail: "connect ECONNREFUSED" };
    };
    const line = `${apply} --yes`;
    const { envelope, exitCode, stderr } = await applied(world, line, { transport });
    expect(exitCode).toBe(code);
    expect(stderr).toContain("could not be reached: connect ECONNREFUSED");
    const attempts = 9;
    expect(requests).toBe(reached + lost * attempts);
    expect(envelope?.summary).toEqual(summary);
  });

  it("tries the other definitions when the service does not answer for one", async () => {
    const world = createWorld({ files: folder(3) });
    const transport: Transport = async (request, control) =>
      request.method === "GET" && request.url.endsWith(guid(1))
        ? { phase: "unanswered", reason: "timeout", detail: "no answer" }
        : world.sandbox.transport(request, control);
    const { envelope, exitCode } = await applied(world, apply, { transport });
    expect(exitCode).toBe(9);
    expect(results(envelope)).toEqual(["created", "failed", "created"]);
  });

  it("finishes the running requests after Ctrl-C, reports the rest, and a rerun creates the rest", async () => {
    const controller = new AbortController();
    const world = createWorld({ files: folder(40) });
    const { transport } = world.sandbox;
    let posts = 0;
    const first = await applied(world, `${apply} --yes`, {
      signal: controller.signal,
      transport: async (request, control) => {
        if (request.method === "POST" && ++posts === 3) controller.abort("SIGINT");
        return transport(request, control);
      },
    });
    expect(first).toMatchObject({
      exitCode: 9,
      posts: atOnce,
      envelope: { summary: { created: atOnce, "not-tried": 40 - atOnce } },
    });
    expect(first.stderr).toContain(`${40 - atOnce} not tried`);
    expect(await applied(world, `${apply} --yes`)).toMatchObject({ exitCode: 0, posts: 40 - atOnce });
    expect(world.sandbox.incidents()).toHaveLength(40);
  });

  it("escapes the plan for Markdown", async () => {
    const world = createWorld({ files: { "all/a.yaml": definition(1).replace("Incident 1", "'<b>|`x`'") } });
    const { stdout } = await world.run(`${apply} -o markdown`);
    expect(stdout).toContain("1 definition: 1 created");
    expect(stdout).not.toMatch(/(?<!\\)(<b>|`)/);
  });

  describe("explains drift", () => {
    const written = definition(0).replace("    notify", "    status: INVESTIGATING\n    notify");
    async function drifted(changed: string, line = apply, more: Parameters<World["run"]>[1] = {}) {
      const world = createWorld({ files: { "all/a.yaml": written } });
      await world.run(apply);
      const other = createWorld({ files: { "all/a.yaml": changed }, transport: world.sandbox.transport });
      return other.run(line, more);
    }

    it.each(["", " -o json", " --dry-run"])("in the result, for --allow-drift%s", async (more) => {
      const line = `${apply} --allow-drift${more}`;
      const { exitCode, stdout } = await drifted(written.replace("MAJOR", "MINOR"), line);
      const shown = more === " -o json" ? JSON.stringify(JSON.parse(stdout).results[0].differences) : stdout;
      expect(shown).toContain(
        more === " -o json"
          ? JSON.stringify([{ field: "severity", wanted: "MINOR", found: "MAJOR" }])
          : 'severity: live "MAJOR", file "MINOR"',
      );
      expect(exitCode).toBe(0);
    });
  });
});
