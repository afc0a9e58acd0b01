// A state directory that the system refuses: the command says what to do, sends nothing, and reports no bug.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { sampled } from "../harness/cases.ts";
import { createWorld, type World } from "../harness/incident.ts";
import { refusing } from "../harness/watched-files.ts";

const text = definitionYaml({ id });
const files = { "x.yaml": text, "plain.yaml": definitionYaml(), "folder/x.yaml": text };

const sending = [
  "create -f x.yaml",
  "create -f plain.yaml",
  "create -f plain.yaml --dedup-key payments",
  "create -f plain.yaml --key deploy-1",
  "apply -f folder --yes",
];
const reading = ["journal list", `journal show ${id}`, `journal settle ${id} --not-created --yes`, "gate"];
const lines = [...sending, ...reading, "doctor"];

/** Names of state directories, from the folder of the world. */
const places: readonly (readonly [why: string, place: (world: World) => string])[] = [
  ["below a file", () => "/dev/null/x"],
  ["below a file of the project", () => "x.yaml/state/deep"],
  ["that is a file", () => "x.yaml"],
  ["with a name of 300 characters", () => "s".repeat(300)],
  ["with a path of 6,000 characters", () => "state/".repeat(1000)],
  [
    "that is a link to itself",
    ({ folder }) => {
      fs.symlinkSync("loop", join(folder, "loop"));
      return "loop";
    },
  ],
  [
    "below a link to itself",
    ({ folder }) => {
      fs.symlinkSync("loop", join(folder, "loop"));
      return "loop/state";
    },
  ],
];

describe.each(places)("a state directory %s", (_, place) => {
  it.each(sampled(lines, 2))("is an error that %s explains", async (line) => {
    const world = createWorld({ files });
    const { exitCode, posts, screen } = await world.run(`INCIDENT_CLI_STATE_DIR=${place(world)} ${line}`);
    expect(screen).not.toContain("this is a bug");
    expect(exitCode, screen).toBe(2);
    expect(posts).toBe(0);
    expect(screen.replace(/\s+/g, " ")).toMatch(/INCIDENT_CLI_STATE_DIR/);
  });
});

/** Refuses every call of these that concerns a path. */
const refusingPaths = (code: string, concerned: (path: string) => boolean, names: readonly string[]) =>
  refusing(
    code,
    (name, args) => names.includes(name) && args.some((arg) => typeof arg === "string" && concerned(arg)),
  );

const inJournal = (path: string) => /\/state\/journal\/./.test(path);
const isJournal = (path: string) => /\/state\/journal$/.test(path);
const inState = (path: string) => /\/state(\/|$)/.test(path);
const looks = ["lstatSync", "statSync", "openSync", "readdirSync"];
const changes = ["openSync", "mkdirSync", "linkSync", "renameSync", "unlinkSync"];

describe.each([
  ["whose journal may not be entered", refusingPaths("EACCES", inJournal, [...looks, ...changes])],
  ["whose journal may not be listed", refusingPaths("EACCES", isJournal, ["readdirSync"])],
  [
    "that may not be entered",
    refusingPaths("EACCES", (path) => /\/state\/./.test(path), [...looks, ...changes]),
  ],
  [
    "whose parent may not be entered",
    refusingPaths("EACCES", inState, [...looks, ...changes, "realpathSync"]),
  ],
  ["that fails to read", refusingPaths("EIO", inJournal, looks)],
])("a state directory %s", (_, wrapFiles) => {
  it.each(sampled(lines, 2))("is an error that %s explains", async (line) => {
    const world = createWorld({ files });
    expect((await world.run("INCIDENT_CLI_STATE_DIR=state create -f plain.yaml --new")).exitCode).toBe(0);
    const before = world.sandbox.incidents().length;
    const { exitCode, screen } = await world.run(`INCIDENT_CLI_STATE_DIR=state ${line}`, { wrapFiles });
    expect(screen).not.toContain("this is a bug");
    // What is read without the journal may be missing, or open.
    expect(sending.includes(line) ? [0, 2, 7] : [0, 2, 5, 7, 12], screen).toContain(exitCode);
    if (sending.includes(line) && exitCode > 0) expect(world.sandbox.incidents()).toHaveLength(before);
  });
});

it("a state directory is named as a word of a shell", async () => {
  const env = { INCIDENT_CLI_STATE_DIR: "my state" };
  const { stderr } = await createWorld({ files }).run("journal list", { env });
  expect(stderr).toContain("chmod 700 'my state', on a disk");
});

const codes = ["EROFS", "ENOSPC", "EDQUOT", "EACCES", "EIO"];
const calls = ["mkdirSync", "linkSync", "writeSync", "fsyncSync"];

// Each code meets each line and each call, and each line each call.
describe.each(codes.map((code, row) => [code, row] as const))(
  "a state directory that answers %s",
  (code, row) => {
    it.each(sending.map((line, column) => [line, calls[(row + column) % calls.length] as string]))(
      "stops %s before it is sent: %s",
      async (line, call) => {
        const world = createWorld({ files });
        const wrapFiles = refusing(code, (name) => name === call);
        const { exitCode, screen } = await world.run(`INCIDENT_CLI_STATE_DIR=state ${line}`, { wrapFiles });
        expect(exitCode, screen).toBe(2);
        expect(screen).not.toContain("this is a bug");
        expect(screen.replace(/\s+/g, " ")).toMatch(
          /INCIDENT_CLI_STATE_DIR; --no-journal \(of create, update and resolve\) sends without a journal/,
        );
        expect(world.sandbox.incidents()).toEqual([]);
        // Nothing is left that a later run takes for an attempt.
        expect((await world.run(`INCIDENT_CLI_STATE_DIR=state ${line}`)).exitCode).toBe(0);
        expect(world.sandbox.incidents()).toHaveLength(1);
      },
    );
  },
);
