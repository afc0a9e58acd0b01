// The journal's files: their format, the distrust of changed ones, and that looking one up never depends on
// how many there are.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OwnEvent } from "../../src/journal/events.ts";
import type { Files } from "../../src/platform/context.ts";
import { definitionYaml, incidentId as id, numberedId, serviceId } from "../harness/builders.ts";
import { access, createWorld, type World } from "../harness/incident.ts";
import { watchFiles } from "../harness/watched-files.ts";

const content = definitionYaml();
const files = { "x.yaml": `id: ${id}\n${content}`, "plain.yaml": content };
const create = "INCIDENT_CLI_STATE_DIR=state create -f x.yaml";

const journalFolder = (world: World) => join(world.folder, "state/journal");
/** The files of the entries, of all services. */
const entries = (world: World) =>
  fs
    .readdirSync(journalFolder(world), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".json"))
    .sort();

describe("the journal", () => {
  it("is private, holds every step, and never the key", async () => {
    const world = createWorld({ files });
    await world.run(create);
    const names = entries(world);
    expect(names).toHaveLength(2);
    const events = names.map((name) => {
      const path = join(journalFolder(world), name);
      expect(fs.statSync(path).mode & 0o777).toBe(0o600);
      const text = fs.readFileSync(path, "utf8");
      expect(text).not.toContain(access.apiKey);
      return JSON.parse(text).events[0].event.type;
    });
    expect(events).toEqual(["sending", "created"]);
    for (const folder of ["state", "state/journal", join("state/journal", names[0] ?? "", "..")]) {
      expect(fs.statSync(join(world.folder, folder)).mode & 0o777).toBe(0o700);
    }
  });

  it("is named by base URL, account and id together", async () => {
    const world = createWorld({ files });
    await world.run(create);
    await world.run(create, { env: { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:2" } });
    const other = await world.run(`${create} --account 22222222-2222-4333-8444-555555555555`);
    expect(other.exitCode).toBe(4);
    expect(fs.readdirSync(journalFolder(world))).toHaveLength(2);
  });

  const replacing = (from: string | RegExp, to: string) => (path: string) =>
    fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace(from, to));
  const version = /"journal":3,"readBy":"[^"]*"/;

  it.each(
    Object.entries<[(path: string) => void, string]>({
      "is torn": [(path) => fs.truncateSync(path, 20), "torn"],
      "is empty": [(path) => fs.truncateSync(path, 0), "torn"],
      "is not JSON": [(path) => fs.writeFileSync(path, "hello"), "torn"],
      "is JSON of something else": [(path) => fs.writeFileSync(path, "{}"), "changed"],
      "comes from a newer version": [
        replacing(version, '"journal":9,"readBy":"9.1.0"'),
        "needs incident 9.1.0 or later",
      ],
      "comes from a newer version that does not say its name": [
        replacing(version, '"journal":9,"readBy":"\\u001b[1m"'),
        "needs a newer version of incident",
      ],
      "has another service than its first": [replacing(/"baseUrl":"[^"]*"/, '"baseUrl":1'), "changed"],
      "is a symbolic link": [
        (path) => {
          fs.renameSync(path, `${path}.moved`);
          fs.symlinkSync(`${path}.moved`, path);
        },
        "symbolic link",
      ],
      "is a folder": [
        (path) => {
          fs.rmSync(path);
          fs.mkdirSync(path);
        },
        "not a regular file",
      ],
    }),
  )("is never ignored when an entry %s", async (_, [spoil, text]) => {
    const world = createWorld({ files, faults: ["create:drop-before-commit"] });
    expect((await world.run(create)).exitCode).toBe(8);
    for (const name of entries(world)) {
      const path = join(journalFolder(world), name);
      const sound = fs.readFileSync(path);
      spoil(path);
      const { exitCode, posts, stderr } = await world.run(create);
      expect(posts).toBe(0);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(text);
      expect(stderr).toContain("next:");
      fs.rmSync(path, { recursive: true });
      fs.writeFileSync(path, sound, { mode: 0o600 });
    }
  });

  it.each([
    create,
    `INCIDENT_CLI_STATE_DIR=state create --name X --severity MAJOR --service Checkout=${serviceId} --message M. --new`,
    `INCIDENT_CLI_STATE_DIR=state journal show ${id}`,
    `INCIDENT_CLI_STATE_DIR=state journal settle ${id} --created --service-id ${id} --yes`,
    "INCIDENT_CLI_STATE_DIR=state journal list --limit 1",
  ])("costs as many calls with a thousand operations as with one more: %s", async (command) => {
    const count = async (more: number) => {
      const world = createWorld({ files, faults: command === create ? [] : ["create#2:drop-before-commit"] });
      // In other words than the file with the id, which would take its incident.
      const flags = `--name P --severity MAJOR --service Checkout=${serviceId} --message P.`;
      await world.run(`INCIDENT_CLI_STATE_DIR=state create ${flags}`);
      if (command !== create) await world.run(`${create} --settle-for 100ms`);
      const names = entries(world);
      const read = (name: string) => JSON.parse(fs.readFileSync(join(journalFolder(world), name), "utf8"));
      const plain = names.flatMap((name) => read(name).events as OwnEvent[]);
      const events = Array.from({ length: more }, (_, number) =>
        plain
          .filter((own) => own.id === plain[0]?.id)
          .map((own) => ({ ...own, id: numberedId(5000 + number) })),
      );
      const last = names.at(-1) ?? "";
      const next = String(Number.parseInt(basename(last), 10) + 1).padStart(8, "0");
      const file = join(journalFolder(world), dirname(last), `${next}.json`);
      fs.writeFileSync(file, JSON.stringify({ ...read(last), events: events.flat() }), { mode: 0o600 });
      let calls = 0;
      const counting = (files: Files) =>
        watchFiles(files, (name, [path]) => {
          // A long file is read in several parts.
          if (["openSync", "lstatSync", "statSync"].includes(name)) calls += 1;
          // The cost of reading the names of a folder grows with its size.
          if (name === "readdirSync") calls += fs.readdirSync(String(path)).length;
        });
      const ran = await world.run(command, { wrapFiles: counting });
      expect(ran.stderr).not.toContain("error:");
      expect(ran.exitCode).toBe(0);
      return calls;
    };
    expect(await count(1000)).toBe(await count(1));
  });
});

it("a create waits for the disk so often: the first one, which makes the folders of the journal, and a later one", async () => {
  const world = createWorld({ files, isFirstOfDay: true });
  let syncs = 0;
  const wrapFiles = (files: Files) =>
    watchFiles(files, (name) => {
      if (name === "fsyncSync") syncs += 1;
    });
  for (const [line, most] of [
    ["create -f x.yaml", 10],
    ["create -f plain.yaml --new", 14],
  ] as const) {
    expect((await world.run(line, { wrapFiles })).exitCode).toBe(0);
    expect(syncs).toBe(most);
  }
});

it("journal list gives the newest first, and all without a known outcome, and says what it leaves out", async () => {
  const world = createWorld({ files, faults: ["create#1:drop-before-commit"] });
  await world.run("create -f x.yaml --settle-for 100ms");
  for (const name of ["One", "Two", "Three"])
    await world.run(
      `create --name ${name} --severity MINOR --service Checkout=${serviceId} --message M. --new`,
    );
  const list = async (flags: string) => {
    const { stdout, stderr } = await world.run(`journal list ${flags} -o json`);
    return { names: JSON.parse(stdout).map(({ name }: { name: string }) => name), stderr };
  };
  expect(await list("")).toEqual({ names: ["Three", "Two", "One", "Checkout fails"], stderr: "" });
  expect(await list("--limit 4")).toMatchObject({ stderr: "" });
  const { names, stderr } = await list("--limit 2");
  expect(names).toEqual(["Three", "Two", "Checkout fails"]);
  expect(JSON.parse(stderr).warning).toBe(
    "only the newest 2 and those without a known outcome are listed: --limit lists more",
  );
});

describe("incident journal", () => {
  const uncertain = async () => {
    const world = createWorld({ files, faults: ["create#1:drop-before-commit"] });
    const { exitCode } = await world.run(`${create} --settle-for 1s`);
    expect(exitCode).toBe(8);
    return world;
  };
  const settle = `INCIDENT_CLI_STATE_DIR=state journal settle ${id} --settle-for 1s`;

  it("needs no settings to be read", async () => {
    const world = await uncertain();
    const env = { INCIDENT_CLI_BASE_URL: "", INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_ACCOUNT_ID: "" };
    expect((await world.run(`INCIDENT_CLI_STATE_DIR=state journal show ${id}`, { env })).exitCode).toBe(0);
  });

  it.each(["--created", "--not-created"])("wants --yes for %s where there is no terminal", async (flag) => {
    const world = await uncertain();
    const { exitCode, stderr, requests } = await world.run(`${settle} ${flag}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--yes");
    expect(requests).toEqual([]);
  });

  it("settles by looking, without a flag", async () => {
    const world = createWorld({ files, faults: ["create#1:slow-commit=1h"] });
    await world.run(`${create} --settle-for 1s`);
    expect((await world.run(settle)).exitCode).toBe(8);
    world.clock.advance(3_600_000);
    expect(await world.run(settle)).toMatchObject({ exitCode: 0 });
    expect((await world.run(settle)).stderr).toContain("there is nothing to settle");
  });
});
