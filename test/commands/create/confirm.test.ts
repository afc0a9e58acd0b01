import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id, numberedId, terminal } from "../../harness/builders.ts";
import { createWorld, type Setup } from "../../harness/incident.ts";

const update = (text: string, notify = false) => `[{ description: ${text}, notifySubscribers: ${notify} }]`;
const files = {
  "x.yaml": definitionYaml({ id, incidentUpdates: update("We are looking into it.", true) }),
  "plain.yaml": definitionYaml(),
};

/** The preview of a command line: its digest, and the command line that declares exactly it. */
async function preview(world: ReturnType<typeof createWorld>, line: string, setup: Setup = {}) {
  const { exitCode, stderr, stdout } = await world.run(`${line} --dry-run -o json`, setup);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const [{ command, confirm }] = [JSON.parse(stdout)].flat();
  const words: readonly string[] = command;
  return {
    confirm: confirm as string,
    words,
    line: words
      .slice(1)
      .map((word) => `'${word}'`)
      .join(" "),
  };
}

const previewed = async (line: string) => {
  const world = createWorld({ files });
  return { world, ...(await preview(world, line)) };
};

describe("incident create --confirm", () => {
  it("sends what the preview showed, by the command line that the preview gave", async () => {
    const { confirm, line, words, world } = await previewed("create -f 'x.yaml\n'");
    expect(confirm).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(words.join(" ")).toBe(`incident create --file x.yaml --confirm ${confirm} --output json`);
    const declared = await world.run(line);
    expect(declared).toMatchObject({ exitCode: 0, posts: 1 });
    expect(JSON.parse(declared.stdout).id).toBe(id);
  });

  it("prints the command for a person", async () => {
    const { confirm, world } = await previewed("create -f x.yaml");
    // Also at a narrow terminal: a line end in it would break the command when it is copied.
    const { stderr } = await world.run("create x.yaml --dry-run", {
      terminal: { stderr: true, columns: 40 },
    });
    expect(stderr).toContain(`to send exactly this:\n    incident create --confirm ${confirm} x.yaml\n`);
  });

  it("refuses anything else with exit 13, and shows the new preview", async () => {
    const { confirm, world } = await previewed("create -f x.yaml");
    const refused = await world.run(`create -f x.yaml --severity critical --confirm ${confirm}`);
    expect(refused).toMatchObject({ exitCode: 13, posts: 0, stdout: "" });
    expect(refused.stderr).toContain(`POST http://127.0.0.1:1/v1/status-pages/incidents`);
    expect(refused.stderr).toContain('"severity":"CRITICAL"');
    const next = /incident (create .*--confirm sha256:\S+)/.exec(refused.stderr)?.[1] ?? "";
    expect(next).not.toContain(confirm);
    const declared = await world.run(next);
    expect(declared).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it("gives the same as data under -o json", async () => {
    const world = createWorld({ files });
    const refused = await world.run(`create -f x.yaml --confirm sha256:${"0".repeat(64)} -o json`);
    const { error } = JSON.parse(refused.stderr);
    const { confirm, words } = await preview(world, "create -f x.yaml");
    expect(error).toMatchObject({ kind: "confirmation", exitCode: 13, retryable: false, confirm });
    expect(error.command).toEqual(words);
    expect(JSON.parse(error.preview[0].body).incidentUpdates[0].notifySubscribers).toBe(true);
  });

  it.each(["sha256:", "sha256:abc", `SHA256:${"0".repeat(64)}`, "0".repeat(64), `sha256:${"F".repeat(64)}`])(
    "refuses %s, which is no digest, as another one",
    async (digest) => {
      const refused = await createWorld({ files }).run(`create -f x.yaml --confirm ${digest}`);
      expect(refused).toMatchObject({ exitCode: 13, posts: 0 });
    },
  );

  it("means one instant where the incident began before now", async () => {
    const { line, words, world } = await previewed("create -f x.yaml --started-at -20m");
    expect(words).toContain("2026-11-20T06:11:00Z");
    world.clock.advance(60_000);
    expect(await world.run(line)).toMatchObject({ posts: 1 });
  });

  it("answers with the open incident of a dedup key that opened meanwhile", async () => {
    const { line, world } = await previewed("create -f plain.yaml --dedup-key checkout");
    await world.run("create -f plain.yaml --dedup-key checkout");
    const answered = await world.run(line);
    expect(answered).toMatchObject({ exitCode: 0, posts: 0 });
    expect(JSON.parse(answered.stdout).how).toBe("open");
  });

  it.each(["", " --new"])("declares one incident for a confirmation, also without an id%s", async (flag) => {
    const { line, words, world } = await previewed(`create -f plain.yaml${flag}`);
    expect(words.join(" ")).toMatch(/ --key [0-9a-f-]{36} .*--confirm /);
    const first = await world.run(line);
    const again = await world.run(line);
    expect([first.posts, again.posts, again.exitCode]).toEqual([1, 0, 0]);
    expect(JSON.parse(again.stdout).id).toBe(JSON.parse(first.stdout).id);
    expect(world.sandbox.incidents()).toHaveLength(1);
  });

  it("takes the next preview of the same words for another incident", async () => {
    const world = createWorld({ files });
    const first = await preview(world, "create -f plain.yaml");
    const next = await preview(world, "create -f plain.yaml");
    expect(next.confirm).not.toBe(first.confirm);
    for (const { line } of [first, next, first, next]) expect((await world.run(line)).exitCode).toBe(0);
    expect(world.sandbox.incidents()).toHaveLength(2);
  });

  it("has no command for several definitions that lack an id, and says what to do", async () => {
    const both = "create -f x.yaml -f plain.yaml";
    const world = createWorld({ files });
    const shown = await world.run(`${both} --dry-run`);
    const next = /to confirm it, give each definition an id: incident (.*)\n/.exec(shown.stderr)?.[1] ?? "";
    expect(next).toBe("validate --fix --assign-ids --file x.yaml --file plain.yaml");
    expect(shown.stderr).not.toContain("--confirm");
    const refused = await world.run(`${both} --confirm sha256:${"0".repeat(64)}`);
    expect(refused).toMatchObject({ exitCode: 2, posts: 0 });
    expect((await world.run(next)).exitCode).toBe(0);
    expect((await preview(world, both)).confirm).toMatch(/^sha256:/);
  });

  it("continues with --new where the service refused the first create", async () => {
    const world = createWorld({ files, faults: ["create#1-5:429"] });
    const { line } = await preview(world, "create -f plain.yaml --new");
    expect((await world.run(line)).exitCode).not.toBe(0);
    expect((await world.run(line)).exitCode).toBe(0);
    expect(world.sandbox.incidents()).toHaveLength(1);
  });

  it("is a usage error beside --no-journal, whose preview has no command to confirm", async () => {
    const { line, world } = await previewed("create -f x.yaml");
    const dry = await world.run("create -f x.yaml --no-journal --dry-run");
    expect(dry.stderr).toContain("to send it, run this command without --dry-run");
    expect(dry.stderr).not.toContain("--confirm");
    const { exitCode, requests, stderr } = await world.run(`${line} --no-journal`);
    expect([exitCode, requests]).toEqual([2, []]);
    expect(stderr).toContain("option '--no-journal' cannot be used with option '--confirm <digest>'");
  });

  it("asks no question at a terminal: the person has answered", async () => {
    const { line, world } = await previewed("create -f x.yaml");
    expect(await world.run(line, { terminal })).toMatchObject({ posts: 1 });
  });
});

describe("incident apply --confirm", () => {
  const folder = {
    "a.yaml": definitionYaml({ id: numberedId(1), incidentUpdates: update("Text.", true) }),
    "b.yaml": definitionYaml({ id: numberedId(2), name: "Search is slow" }),
    "c.yaml": definitionYaml({ id: numberedId(3), name: "Login fails" }),
  };

  it("declares nothing where a definition is another", async () => {
    const world = createWorld({ files: folder });
    const { line } = await preview(world, "apply -f .");
    writeFileSync(join(world.folder, "b.yaml"), definitionYaml({ id: numberedId(2), name: "Mail is slow" }));
    const refused = await world.run(line);
    expect(refused).toMatchObject({ exitCode: 13, posts: 0 });
    const { error } = JSON.parse(refused.stderr);
    expect(error.preview.summary).toEqual({ create: 3 });
    const declared = await world.run(error.command.slice(1).join(" "));
    expect(declared).toMatchObject({ exitCode: 0, posts: 3 });
  });

  it("needs another confirmation for the rest after it broke off", async () => {
    const world = createWorld({ files: folder, faults: ["create#2:404"] });
    const { line } = await preview(world, "apply -f .");
    expect([(await world.run(line)).exitCode, world.sandbox.incidents().length]).toEqual([9, 2]);
    expect(await world.run(line)).toMatchObject({ exitCode: 13, posts: 0 });
  });

  it("is limited by the confirmation and not by --max-changes", async () => {
    const world = createWorld({ files: folder });
    const { stdout } = await world.run("apply -f . --max-changes 1 --dry-run -o json");
    const { confirm } = JSON.parse(stdout);
    expect((await world.run("apply -f . --max-changes 1")).exitCode).toBe(2);
    expect(await world.run(`apply -f . --max-changes 1 --confirm ${confirm}`)).toMatchObject({ posts: 3 });
  });
});

describe("two senders of one digest at once", () => {
  it.each([
    ["with an id", "create -f x.yaml"],
    ["without an id", "create -f plain.yaml"],
    ["with a dedup key", "create -f plain.yaml --dedup-key disk"],
  ])("declare one incident %s", async (_, command) => {
    const { confirm, line, world } = await previewed(command);
    const both = await Promise.all([world.run(line), world.run(line)]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const [one, other] = both.map(({ stdout }) => JSON.parse(stdout).id);
    expect(other).toBe(one);
    const shown = JSON.parse((await world.run(`journal show ${one} -o json`)).stdout);
    const sent = shown.events.filter(({ type }: { type: string }) => type === "sending");
    expect(sent).toEqual([expect.objectContaining({ detail: `confirmed as ${confirm}` })]);
  });
});
