// A crash before a file operation, request or print of a command, and in the middle of a write; then the same command again.
// Whatever was on disk, each incident and each update is there once, and the rerun knows the id. CASES=all crashes at each.
import { expect, it } from "vitest";
import type { Transport } from "../../src/http/transport.ts";
import type { Files } from "../../src/platform/context.ts";
import { definitionYaml, incidentId, numberedId } from "../harness/builders.ts";
import { isComplete, isThorough } from "../harness/cases.ts";
import { createWorld } from "../harness/incident.ts";
import { watchFiles } from "../harness/watched-files.ts";

const content = definitionYaml();
/** The fourth text repeats the second. */
const timeline = ["We look.", "It is slow.", "It is back.", "It is slow.", "It is over."];
const statusOf = (text: string) => (text === "It is over." ? "RESOLVED" : "IDENTIFIED");
const files = {
  "plain.yaml": content,
  "batch.yaml": `${content}---\n${definitionYaml({ name: "Search fails" })}`,
  "timeline.yaml": definitionYaml({
    id: incidentId,
    incidentUpdates: `[${timeline.map((text) => `{ status: ${statusOf(text)}, description: ${text} }`)}]`,
  }),
  "folder/1.yaml": definitionYaml({ id: numberedId(1), name: "Shop 1 fails" }),
  "folder/2.yaml": definitionYaml({ id: numberedId(2), name: "Shop 2 fails" }),
};

const calls = "mkdir open write fsync link rename unlink".split(" ");
const steps = new Set<PropertyKey>(calls.map((name) => `${name}Sync`));
type Moment = "before" | "half-way";

class Died extends Error {}

/**
 * Lets the process die at its `at`th step: from then on nothing of it reaches the disk, the network or a person. Half-way
 * there are only writes. `isDead` is asked before each print.
 */
function mortal(at: number, moment: Moment) {
  let count = 0;
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Died("the process died here");
  };
  const takeStep = () => {
    if (dead) throw new Died("dead");
    if (moment === "half-way") return;
    count += 1;
    if (count === at) die();
  };
  const wrapFiles = (files: Files): Files =>
    watchFiles(files, (name, args) => {
      if (dead) throw new Died("dead");
      if (steps.has(name)) takeStep();
      if (name !== "writeSync" || moment !== "half-way" || ++count !== at) return;
      const [descriptor, bytes] = args as [number, Buffer];
      files.writeSync(descriptor, bytes, 0, Math.floor(bytes.length / 2));
      die();
    });
  const wrapTransport =
    (transport: Transport): Transport =>
    async (request, control) => {
      takeStep();
      return transport(request, control);
    };
  const isDeadAtPrint = () => {
    takeStep();
    return false;
  };
  return { wrapFiles, wrapTransport, isDeadAtPrint, isDead: () => dead };
}

interface CrashOptions {
  readonly line: string;
  /** The number of incidents that the command declares. */
  readonly incidents: number;
  /** The texts of its incident, where it posts updates. */
  readonly texts?: readonly string[];
  /** Every how many steps it crashes before one. */
  readonly by: number;
}

/** Crashes the command at its steps, at each moment. Gives the number of its steps at each. */
async function crashEverywhere(options: CrashOptions): Promise<Record<Moment, number>> {
  return { before: await crashAt("before", options), "half-way": await crashAt("half-way", options) };
}

async function crashAt(moment: Moment, { by, incidents, line, texts }: CrashOptions): Promise<number> {
  for (let at = 1; ; at += moment === "before" ? by : 1) {
    const world = createWorld({ files, isFirstOfDay: true, ...(texts && { sandbox: { onlySpec: false } }) });
    const { isDead, isDeadAtPrint, wrapTransport, wrapFiles } = mortal(at, moment);
    const transport = wrapTransport(world.sandbox.transport);
    const first = await world.run(line, { wrapFiles, transport, isDead: isDeadAtPrint });
    if (!isDead()) return at - 1;
    const textsOf = () => world.sandbox.incidents()[0]?.incidentUpdates.map(({ description }) => description);
    // The whole result was printed: the same content is another incident from now on.
    if (first.stdout !== "" && world.sandbox.incidents().length === incidents) continue;
    const place = `${moment} step ${at}`;
    let again = await world.run(`${line} -o id --settle-for 1s`);
    for (let settled = 0; again.exitCode === 8 && settled < incidents; settled += 1) {
      // The `sending` event is durable and the process died before the first byte left: a person decides.
      const [, id] = /settle ([0-9a-f-]{36}) --not-created/.exec(again.stderr) as RegExpExecArray;
      const sent = world.sandbox.incidents().map((incident) => incident.id);
      expect(sent, place).not.toContain(id);
      expect((await world.run(`journal settle ${id} --not-created --yes`)).exitCode, place).toBe(0);
      again = await world.run(`${line} -o id --settle-for 1s`);
    }
    expect(again.exitCode, place).toBe(0);
    expect(world.sandbox.incidents(), place).toHaveLength(incidents);
    expect(world.sandbox.statistics().duplicates, place).toBe(0);
    if (texts !== undefined) expect(textsOf(), place).toEqual(texts);
  }
}

it.each([
  // Its entries, and the cache of its operations.
  ["create -f plain.yaml", { incidents: 1, by: 1 }, 3],
  ["apply -f folder/1.yaml -f folder/2.yaml", { incidents: 2, by: 3 }, 3],
  // In `.ci/run`: each of its crashes runs a create and four posts twice.
  ...(isThorough ? [["apply -f timeline.yaml", { incidents: 1, texts: timeline, by: 7 }, 11] as const] : []),
  ["create -f batch.yaml", { incidents: 2, by: 5 }, 5],
] as const)(
  "a crash at a file operation neither doubles nor loses the incidents and updates of %s",
  async (line, options, writes) => {
    const tried = await crashEverywhere({
      ...options,
      line,
      by: isComplete ? 1 : options.by * (isThorough ? 1 : 3),
    });
    expect(tried.before).toBeGreaterThan(30);
    expect(tried["half-way"]).toBe(writes);
  },
);
