// A network file system that links a name and loses its answer: the event is this process's, and it knows.
import { describe, expect, it } from "vitest";
import type { Files } from "../../src/platform/context.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";

const files = {
  "x.yaml": definitionYaml({ id }),
  "plain.yaml": definitionYaml(),
  "folder/1.yaml": definitionYaml({ id: "00000000-0000-4000-8000-00000000000a", name: "A" }),
  "folder/2.yaml": definitionYaml({ id: "00000000-0000-4000-8000-00000000000b", name: "B" }),
};

/** Answers the links of events with an error, after they were carried out or instead. */
const losing =
  (code: string, isLinked: boolean, which: (number: number) => boolean) =>
  (real: Files): Files => {
    let links = 0;
    return {
      ...real,
      linkSync: (from, to) => {
        links += 1;
        if (!which(links)) return real.linkSync(from, to);
        if (isLinked) real.linkSync(from, to);
        throw Object.assign(new Error(`${code}: link`), { code });
      },
    };
  };

const lines = [
  ["create -f x.yaml", 1],
  ["create -f plain.yaml", 1],
  ["apply -f folder --yes", 2],
] as const;

describe.each(["EEXIST", "ETIMEDOUT", "EIO", "ESTALE"])(
  "a link that is carried out and answered with %s",
  (code) => {
    it.each(lines)("is this process's event: %s", async (line, incidents) => {
      const world = createWorld({ files, inMemory: true });
      const wrapFiles = losing(code, true, () => true);
      const { exitCode } = await world.run(`INCIDENT_CLI_STATE_DIR=state ${line} --settle-for 1s`, {
        wrapFiles,
      });
      expect(exitCode).toBe(0);
      expect(world.sandbox.incidents()).toHaveLength(incidents);
      const list = await world.run("INCIDENT_CLI_STATE_DIR=state journal list -o json");
      const states = JSON.parse(list.stdout).map(({ state }: { state: string }) => state);
      expect(states).toEqual(Array(incidents).fill("created"));
    });
  },
);

describe.each(["ETIMEDOUT", "EIO"])("a link that is not carried out and answered with %s", (code) => {
  it.each(lines)("is no event: %s", async (line, incidents) => {
    const world = createWorld({ files, inMemory: true });
    const run = (wrapFiles?: (real: Files) => Files) =>
      world.run(`INCIDENT_CLI_STATE_DIR=state ${line} --settle-for 1s`, wrapFiles && { wrapFiles });
    expect((await run(losing(code, false, () => true))).exitCode).toBe(2);
    expect(world.sandbox.incidents()).toEqual([]);
    expect((await run()).exitCode).toBe(0);
    expect(world.sandbox.incidents()).toHaveLength(incidents);
  });
});

it("an event of another process under the name is not this process's, whatever the link answers", async () => {
  const world = createWorld({ files, inMemory: true });
  let isTaken = false;
  const wrapFiles = (real: Files): Files => ({
    ...real,
    linkSync: (from, to) => {
      // Between the decision of this process and its link, another one has appended the same event.
      if (String(to).includes("/journal/") && !isTaken) {
        real.linkSync(from, to);
        const text = real.openSync(to, "r");
        const bytes = Buffer.alloc(65_536);
        const length = real.readSync(text, bytes, 0, bytes.length, 0);
        real.closeSync(text);
        const theirs = bytes
          .subarray(0, length)
          .toString()
          .replace(/"writer":"[^"]*"/, '"writer":"other-1"');
        real.unlinkSync(to);
        const file = real.openSync(to, "wx", 0o600);
        real.writeSync(file, theirs);
        real.closeSync(file);
        isTaken = true;
        throw Object.assign(new Error("EEXIST: link"), { code: "EEXIST" });
      }
      return real.linkSync(from, to);
    },
  });
  const result = await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml --settle-for 1s", {
    wrapFiles,
  });
  expect(result.exitCode).toBe(8);
  expect(world.sandbox.incidents()).toEqual([]);
});
