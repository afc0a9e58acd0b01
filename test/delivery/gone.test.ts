// When a declared incident counts as gone: never by what a cache or a replica explains.
import { describe, expect, it } from "vitest";
import { type Absence, isGone, judgeRead, readDeclared, withMiss } from "../../src/delivery/gone.ts";
import type { LoggedContent } from "../../src/journal/events.ts";
import { operationName } from "../../src/journal/journal.ts";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { createWorld, type Result, type World } from "../harness/incident.ts";
import { at, key, openScripted, requestOf } from "./in-memory/deliveries.ts";
import { incidentOf } from "./services-by-hand.ts";

const second = 1000;
const minute = 60 * second;

/** The evidence of reads in a row: each is the time of a read, or `boot N` for a restart of the machine. */
function evidence(reads: readonly (number | string)[], declaredAt = "one"): Absence | undefined {
  let boot = "boot 1";
  let absence: Absence | undefined;
  for (const read of reads) {
    if (typeof read === "string") boot = read;
    else absence = withMiss(absence, declaredAt, { boot, elapsed: read });
  }
  return absence;
}

describe("the evidence that an incident is gone", () => {
  it.each<[string, (number | string)[], number, boolean]>([
    ["nothing", [], 0, false],
    ["one read", [0], 0, false],
    ["two reads over an hour", [0, 60 * minute], 0, false],
    ["many reads within seconds", Array.from({ length: 50 }, (_, index) => index * second), 0, false],
    ["three reads over four minutes", [0, 2 * minute, 4 * minute], 0, false],
    ["three reads over five minutes", [0, 2 * minute, 5 * minute], 0, true],
    ["a read a minute", [0, 1, 2, 3, 4, 5].map((each) => each * minute), 0, true],
    ["three reads, two of them at once", [0, 1, 5 * minute], 0, false],
    ["three reads, two of them half a minute apart", [0, 30 * second, 5 * minute], 0, true],
    ["three reads, two of them twenty seconds apart", [20 * second, 40 * second, 6 * minute], 0, false],
    ["reads within a longer settling time", [0, 3 * minute, 6 * minute], 10 * minute, false],
    ["reads beyond a longer settling time", [0, 3 * minute, 10 * minute], 10 * minute, true],
    ["reads before and after a restart", [0, 3 * minute, "boot 2", 6 * minute, 7 * minute], 0, false],
    ["enough reads after a restart", [0, "boot 2", 0, 3 * minute, 5 * minute], 0, true],
    ["a clock that goes back", [10 * minute, 0, 5 * minute], 0, false],
  ])("%s", (_, reads, settleFor, expected) => {
    expect(isGone(evidence(reads), settleFor)).toBe(expected);
  });

  it("starts anew with the next declaration", () => {
    const gone = evidence([0, 2 * minute, 5 * minute]);
    const next = withMiss(gone, "two", { boot: "boot 1", elapsed: 6 * minute });
    expect([isGone(gone, 0), isGone(next, 0)]).toEqual([true, false]);
  });
});

describe("what is remembered of the reads of an incident", () => {
  const name = `absent-${operationName(key)}.json`;
  const { content } = requestOf();
  const byReading = { type: "created", at, by: "reading", serviceId: incidentId } as const;
  const evidence = { declaredAt: at, boot: "one", first: -10 * minute, last: -5 * minute, reads: 2 };
  const fewer = { ...evidence, reads: 1 };
  const { reads: _, ...uncounted } = evidence;
  const seconds = { ...evidence, first: -20 * second, last: -20 * second };

  it.each<[string, object | string | undefined, boolean, string, readonly object[]]>([
    ["is nothing while it is found", undefined, true, "found", []],
    ["is forgotten once it is found", fewer, true, "found", [{}]],
    [
      "is the first read that misses it",
      undefined,
      false,
      "not-shown",
      [{ ...evidence, first: 0, last: 0, reads: 1 }],
    ],
    ["is one more", fewer, false, "not-shown", [{ ...fewer, last: 0, reads: 2 }]],
    ["is no more so soon after the last", seconds, false, "not-shown", []],
    ["is enough", evidence, false, "gone", [{ ...evidence, last: 0, reads: 3 }]],
    [
      "is nothing of a note without a count",
      uncounted,
      false,
      "not-shown",
      [{ ...evidence, first: 0, last: 0, reads: 1 }],
    ],
    ["is nothing of a torn note", "torn", false, "not-shown", [{ ...evidence, first: 0, last: 0, reads: 1 }]],
  ])("%s", async (_, note, isFound, judged, written) => {
    const { append, notes, options, written: texts } = openScripted([]);
    if (note !== undefined) notes.set(name, typeof note === "string" ? note : JSON.stringify(note));
    const log = await append({ ...byReading, content });
    expect(await judgeRead(options, log, isFound ? incidentOf() : undefined)).toBe(judged);
    expect(texts.map((text) => JSON.parse(text))).toEqual(written);
  });

  it("is nothing where the machine has no clock of its own", async () => {
    const { append, options, written } = openScripted([]);
    const system = { ...options.system, bootTime: () => undefined };
    const log = await append({ ...byReading, content });
    expect(await judgeRead({ ...options, system }, log, undefined)).toBe("not-shown");
    expect(written).toEqual([]);
  });

  const incident = incidentOf({ lastUpdateStatus: "MONITORING" });
  it.each<[string, LoggedContent, object, object]>([
    ["the answer", content, { incident }, incident],
    ["what was sent", content, {}, content.body],
    [
      "its name",
      { digest: content.digest, name: "Checkout fails" },
      {},
      { id: incidentId, name: "Checkout fails" },
    ],
    ["its id", { digest: content.digest }, {}, { id: incidentId }],
  ])("stands for it while it is not shown: %s", async (_, logged, fields, expected) => {
    const { append, options, told } = openScripted([]);
    const log = await append({ ...byReading, ...fields, content: logged });
    expect(await readDeclared(options, log)).toEqual(expected);
    expect(told).toEqual([expect.stringContaining(`the service does not show ${incidentId}`)]);
  });
});

const yaml = definitionYaml();
const files = { "x.yaml": `id: ${incidentId}\n${yaml}`, "alert.yaml": yaml };
const sent = ({ requests }: Result) => requests.filter(({ method }) => method === "POST").length;
const services = ["honour", "ignore"] as const;

/** Runs the line every minute for so many minutes, and gives the exit codes and how much was sent. */
async function everyMinute(world: World, line: string, minutes: number) {
  const runs: (readonly [exitCode: number, sent: number])[] = [];
  for (let at = 0; at < minutes; at += 1) {
    world.clock.advance(minute);
    const result = await world.run(line);
    runs.push([result.exitCode, sent(result)]);
  }
  return runs;
}

describe.each(services)("create --dedup-key with stale reads, where ids are %sd", (clientIds) => {
  const line = "create -f alert.yaml --dedup-key checkout -o id";
  const open = (faults: readonly string[]) => createWorld({ files, faults, sandbox: { clientIds } });

  it("answers an alert that fires again one second later with the incident that it declared", async () => {
    const world = open(["get:stale=5s"]);
    const first = await world.run(line);
    world.clock.advance(second);
    const again = await world.run(line);
    expect(again).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(again.stderr).toContain(`the service does not show ${first.stdout.trim()}`);
    expect({ sent: sent(again), incidents: world.sandbox.incidents().length }).toEqual({
      sent: 0,
      incidents: 1,
    });
  });

  it("ends both of two alerts at once with the same incident", async () => {
    const world = open(["get:stale=5s"]);
    const results = await Promise.all([world.run(line), world.run(line)]);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(new Set(results.map(({ stdout }) => stdout)).size).toBe(1);
    expect(world.sandbox.incidents()).toHaveLength(1);
  });

  it("declares another one after the incident was not there for five minutes", async () => {
    const world = open(["get:404"]);
    await world.run(line);
    expect(await everyMinute(world, line, 6)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 1],
    ]);
  });

  it("starts to count again after a read that finds it", async () => {
    const world = open([]);
    await world.run(line);
    const without = createWorld({ files }).sandbox.transport;
    for (const transport of [without, without, without, undefined, without, without]) {
      world.clock.advance(2 * minute);
      const result = await world.run(line, transport && { transport });
      expect({ exitCode: result.exitCode, sent: sent(result) }).toEqual({ exitCode: 0, sent: 0 });
    }
  });
});

describe("create of a declared incident that the service does not show", () => {
  it("answers with the incident of the journal, and with exit code 5 once it counts as gone", async () => {
    const world = createWorld({ files, faults: ["get:404"] });
    const first = await world.run("create -f x.yaml --without-looking -o json");
    const again = await world.run("create -f x.yaml -o json");
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(first.stdout));
    expect(again.stderr).toContain(`the service does not show ${incidentId}`);
    const runs = await everyMinute(world, "create -f x.yaml", 5);
    expect(runs.at(-1)).toEqual([5, 0]);
    expect(runs.slice(0, -1)).toEqual(Array.from({ length: 4 }, () => [0, 0]));
  });
});

describe("apply of a declared incident that the service does not show", () => {
  it("takes it for known, then for gone, and declares it again only with --recreate", async () => {
    const world = createWorld({ files, faults: ["get:404"] });
    const line = "apply -f x.yaml --fail-on-drift -o json";
    expect((await world.run(line)).exitCode).toBe(0);
    const summaries: unknown[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { exitCode, stdout } = await world.run(line);
      summaries.push([exitCode, JSON.parse(stdout).summary]);
      world.clock.advance(3 * minute);
    }
    expect(summaries).toEqual([
      [0, { known: 1 }],
      [0, { known: 1 }],
      [11, { gone: 1 }],
    ]);
    const anew = await world.run("apply -f x.yaml --recreate");
    expect(sent(anew)).toBe(1);
  });
});
