// A dry run of a create or an apply shows what the run then does, whatever names the incident, and refuses what the run refuses.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id, terminal } from "../../harness/builders.ts";
import { createWorld, type Setup, type World } from "../../harness/incident.ts";

const update = (text: string) => `{ description: "${text}" }`;
const files = {
  "x.yaml": definitionYaml({ id }),
  "plain.yaml": definitionYaml(),
  "more.yaml": definitionYaml({ incidentUpdates: `[${update("One.")}, ${update("Two.")}]` }),
  "incident-templates/rule.yaml": `when: { status: firing }
dedupKey: "\${key}"
startedAt: at
resolve: { when: { status: resolved } }
variables: { level: { values: { critical: CRITICAL, warning: MAJOR }, otherwise: MAJOR } }
---
${definitionYaml({ severity: "${level}" })}`,
  "firing.json": `{ "status": "firing", "key": "a", "at": "06:20", "level": "warning" }`,
  "worse.json": `{ "status": "firing", "key": "a", "at": "06:20", "level": "critical" }`,
  "over.json": `{ "status": "resolved", "key": "a", "at": "06:20", "level": "warning" }`,
};
const posted = `update ${id} --status identified --message Found.`;
const [firing, worse, over] = ["firing", "worse", "over"].map(
  (name) => `create --template rule --vars ${name}.json`,
) as [string, string, string];
const create = "create -f x.yaml";
const edited = definitionYaml({ id, name: "Search is slow" });

interface Case {
  /** The commands before the dry run. */
  readonly before?: readonly string[];
  readonly change?: Readonly<Record<string, string>>;
  readonly line: string;
  readonly setup?: Setup;
  /** The exit code, and the methods of the requests that are shown and sent. */
  readonly is: readonly [number, ...string[]];
  readonly says?: string;
}

const cases: Readonly<Record<string, Case>> = {
  "declares it": { line: create, is: [0, "POST"] },
  "is answered by an id": { before: [create], line: create, is: [0], says: `already declared ${id}` },
  "is answered by an id whose incident is resolved": {
    before: [create, `resolve ${id} --message Over.`],
    line: create,
    is: [0],
    says: `${id} is resolved, and nothing was declared`,
  },
  "refuses a definition that was edited": {
    before: [create],
    change: { "x.yaml": edited },
    line: create,
    is: [6],
    says: "was changed since it was declared",
  },
  "posts the update that the file has got since, for a key": {
    before: ["create -f more.yaml --key a"],
    change: { "more.yaml": files["more.yaml"].replace('"Two." }', `"Two." }, ${update("Three.")}`) },
    line: "create -f more.yaml --key a",
    is: [0, "POST"],
    says: "already declared",
  },
  "takes the open incident for a key, from another machine": {
    before: ["INCIDENT_CLI_STATE_DIR=other create -f plain.yaml"],
    line: "create -f plain.yaml --key a",
    is: [0],
    says: "still open",
  },
  "declares the first one of a dedup key": { line: "create -f plain.yaml --dedup-key a", is: [0, "POST"] },
  "is answered by a dedup key": {
    before: ["create -f plain.yaml --dedup-key a"],
    line: "create -f plain.yaml --dedup-key a",
    is: [0],
    says: "already open",
  },
  "declares the next one of a dedup key": {
    before: ["create -f plain.yaml --dedup-key a", "resolve --dedup-key a --message Over."],
    line: "create -f plain.yaml --dedup-key a",
    is: [0, "POST"],
  },
  "refuses where a plain create is unsettled": {
    before: ["create -f plain.yaml --settle-for 1s"],
    line: "create -f plain.yaml --settle-for 1s",
    setup: { faults: ["create#1:drop-before-commit"], sandbox: { onlySpec: true } },
    is: [8],
    says: "it is not known whether",
  },
  "refuses one with an id that may be an unsettled plain one": {
    before: ["create -f plain.yaml --settle-for 1s"],
    line: create,
    setup: { faults: ["create#1:drop-before-commit"], sandbox: { onlySpec: true } },
    is: [8],
    says: "whose outcome is not known",
  },
  "refuses an update whose outcome is not known": {
    before: [create, `${posted} --settle-for 1s`],
    line: `${posted} --settle-for 1s`,
    setup: { faults: ["update#1:drop-before-commit"] },
    is: [8],
    says: "it is not known whether",
  },
  "finds an update whose outcome was not known": {
    before: [create, `${posted} --settle-for 1s`],
    line: posted,
    setup: { faults: ["update#1:drop-after-commit", "get#3-7:503"] },
    is: [0],
  },
  "posts the end of an alert": { before: [firing], line: over, is: [0, "POST"] },
  "posts no end of an alert whose incident is resolved": {
    before: [firing, "resolve --dedup-key a --message Over."],
    line: over,
    is: [0],
  },
  "leaves the end of an alert to the person who has taken it over": {
    before: [firing, "update --dedup-key a --status identified --message Found."],
    line: over,
    is: [0],
    says: "has an update of a person",
  },
  "refuses the end of an alert whose create is unsettled": {
    before: [`${firing} --settle-for 1s`],
    line: `${over} --settle-for 1s`,
    setup: { faults: ["create#1:drop-before-commit"] },
    is: [8],
    says: "it is not known whether",
  },
  "raises the severity of an alert": { before: [firing], line: worse, is: [0, "PUT"], says: "already open" },
  "does not lower the severity of an alert": { before: [worse], line: firing, is: [0], says: "already open" },
};

const changesIn = ({ requests }: Awaited<ReturnType<World["run"]>>) =>
  requests.filter(({ method }) => method !== "GET");

describe("a dry run", () => {
  it.each(Object.entries(cases))("%s, as the run does", async (_, { before = [], change = {}, ...given }) => {
    const { is, line, says = "", setup } = given;
    const [exitCode, ...methods] = is;
    const world = createWorld({ files, sandbox: { onlySpec: false }, ...setup });
    for (const each of before) await world.run(each);
    for (const [name, text] of Object.entries(change)) writeFileSync(join(world.folder, name), text);
    const dry = await world.run(`${line} --dry-run -o json`);
    expect(dry.exitCode, dry.stderr).toBe(exitCode);
    expect(dry.stderr).toContain(says);
    expect(changesIn(dry)).toEqual([]);
    const printed = dry.stdout === "" ? [] : [JSON.parse(dry.stdout)].flat();
    const shown = printed.filter(({ how }) => how !== "not-applicable");
    expect(shown.map(({ method }) => method)).toEqual(methods);
    const confirmed = methods.length > 0 && shown[0].command !== undefined;
    const sent = await world.run(confirmed ? shown[0].command.slice(1).join(" ") : line);
    expect(sent.exitCode, sent.stderr).toBe(exitCode);
    const bodies = changesIn(sent).map(({ body = "" }) => JSON.parse(body));
    const wanted = shown.map(({ body }) => JSON.parse(body));
    // An edit by PUT carries the other fields as they are right before it is sent.
    const said = ({ id: _, ...body }: Record<string, unknown>, at: number) =>
      methods[at] === "PUT" ? { severity: body.severity } : body;
    expect(bodies.map(said)).toEqual(wanted.map(said));
    // An update gets its id as it is sent.
    for (const [at, { id: own }] of wanted.entries()) if (own !== undefined) expect(bodies[at].id).toBe(own);
    expect(changesIn(sent).map(({ method, url }) => [method, url])).toEqual(
      shown.map(({ method, url }) => [method, url]),
    );
    // The same confirmation once more is answered.
    if (!confirmed) return;
    const again = await world.run(shown[0].command.slice(1).join(" "));
    expect([again.exitCode, changesIn(again)]).toEqual([0, []]);
  });

  it("of an alert is what --confirm needs", async () => {
    const world = createWorld({ files, sandbox: { onlySpec: false } });
    expect((await world.run(firing)).exitCode).toBe(0);
    for (const line of [over, worse]) {
      const other = await world.run(`${line} --confirm sha256:${"0".repeat(64)}`);
      expect([other.exitCode, changesIn(other)]).toEqual([13, []]);
    }
  });

  it("needs another confirmation of a dedup key for the next incident", async () => {
    const world = createWorld({ files, sandbox: { onlySpec: false } });
    const { stdout } = await world.run("create -f plain.yaml --dedup-key a --dry-run -o json");
    const line = JSON.parse(stdout).command.slice(1).join(" ");
    expect((await world.run(line)).exitCode).toBe(0);
    expect((await world.run("resolve --dedup-key a --message Over.")).exitCode).toBe(0);
    const again = await world.run(line);
    expect([again.exitCode, changesIn(again)]).toEqual([13, []]);
  });
});

interface ApplyCase {
  readonly before: readonly string[];
  readonly faults?: readonly string[];
  readonly change?: string;
  /** The exit code, the action, and the number of requests that are shown and sent. */
  readonly is: readonly [number, string, number];
  readonly says?: string;
}

const apply = "apply -f x.yaml --settle-for 1s";
const two = definitionYaml({ id, incidentUpdates: `[${update("One.")}, ${update("Two.")}]` });
const three = two.replace('"Two." }', `"Two." }, ${update("Three.")}`);
const loud = definitionYaml({ id, incidentUpdates: '[{ description: "One.", notifySubscribers: true }]' });
const silent = definitionYaml({ incidentUpdates: `[${update("One.")}]` });

const applyCases: Readonly<Record<string, ApplyCase>> = {
  "declares it": { before: [], is: [0, "create", 1] },
  "refuses where an earlier create is unsettled": {
    before: [apply],
    faults: ["create#1:drop-before-commit"],
    is: [8, "unsettled", 0],
    says: "it is not known whether",
  },
  "finds an earlier create": {
    before: [apply],
    faults: ["create#1:drop-after-commit", "get#1-2:503"],
    is: [0, "unchanged", 0],
  },
  "posts what the file has got since, after a create that it finds": {
    before: [apply],
    faults: ["create#1:drop-after-commit", "get#1-2:503"],
    change: two,
    is: [0, "change", 1],
  },
  "refuses where an earlier update is unsettled": {
    before: [apply, `two ${apply}`],
    faults: ["update#1:drop-before-commit"],
    change: three,
    is: [8, "unsettled", 0],
    says: "it is not known whether",
  },
  "finds an earlier update": {
    before: [apply, `two ${apply}`],
    faults: ["update#1:drop-after-commit", "get#3-4:503"],
    is: [0, "unchanged", 0],
  },
  "posts what follows an earlier update that it finds": {
    before: [apply, `two ${apply}`],
    faults: ["update#1:drop-after-commit", "get#3-4:503"],
    change: three,
    is: [0, "change", 1],
  },
  "refuses a notification that the open incident did not send": {
    before: ["silent INCIDENT_CLI_STATE_DIR=other create -f x.yaml"],
    change: loud,
    is: [6, "failed", 0],
  },
};

it("a person at a terminal is asked about what apply then sends", async () => {
  const world = createWorld({ files: { "x.yaml": two, "open.yaml": silent }, sandbox: { onlySpec: false } });
  await world.run("INCIDENT_CLI_STATE_DIR=other create -f open.yaml");
  const applied = await world.run(apply, { terminal, answers: ["y"] });
  expect(applied.exitCode, applied.stderr).toBe(0);
  expect(applied.screen).toContain("Apply 1 change at");
  expect(applied.screen).toContain("1 update to post");
  expect(changesIn(applied)).toHaveLength(1);
});

describe("a dry run of apply", () => {
  it.each(Object.entries(applyCases))(
    "%s, as the run does",
    async (_, { before, change, faults = [], is, says = "" }) => {
      const [exitCode, action, count] = is;
      const world = createWorld({ files, sandbox: { onlySpec: false }, faults });
      const write = (text: string) => writeFileSync(join(world.folder, "x.yaml"), text);
      const texts: Readonly<Record<string, string>> = { two, silent };
      write(two.replace(`, ${update("Two.")}`, ""));
      for (const line of before) {
        const [first = "", ...rest] = line.split(" ");
        const text = texts[first];
        if (text !== undefined) write(text);
        await world.run(text === undefined ? line : rest.join(" "));
      }
      if (change !== undefined) write(change);
      const shown = await world.run(`${apply} --dry-run`);
      expect(shown.stderr.includes("--confirm")).toBe(count > 0);
      expect((await world.run(`${apply} --dry-run -o markdown`)).exitCode).toBe(exitCode);
      const dry = await world.run(`${apply} --dry-run -o json`);
      expect(dry.exitCode, dry.stderr).toBe(exitCode);
      expect(changesIn(dry)).toEqual([]);
      expect(dry.stderr).toContain(says);
      const { command, results } = JSON.parse(dry.stdout);
      expect(results[0]).toMatchObject({ action });
      expect(results[0].requests).toHaveLength(count);
      const sent = await world.run(count > 0 ? command.slice(1).join(" ") : apply);
      expect(sent.exitCode, sent.stderr).toBe(exitCode);
      expect(changesIn(sent)).toHaveLength(count);
      const errorIn = ({ stderr }: typeof sent) => stderr.slice(stderr.indexOf("error:"));
      if (exitCode > 0) expect(errorIn(shown)).toBe(errorIn(sent));
    },
  );
});
