// A crash before every single file operation, request and print of a command, and in the middle of a write; then the same
// command again. Whatever was on disk, each incident and each update is there once, and the rerun knows the id.
import { expect } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import type { Files } from "../../../src/platform/context.ts";
import { definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";

const content = definitionYaml();
/** The fourth text repeats the second. */
export const timeline = ["We look.", "It is slow.", "It is back.", "It is slow.", "It is over."];
const statusOf = (text: string) => (text === "It is over." ? "RESOLVED" : "IDENTIFIED");
const other = (name: string, number?: number) =>
  definitionYaml({ ...(number !== undefined && { id: numberedId(number) }), name });
export const files = {
  "id.yaml": definitionYaml({ id: incidentId }),
  "plain.yaml": content,
  "batch.yaml": `${content}---\n${other("Search fails")}`,
  "timeline.yaml": definitionYaml({
    id: incidentId,
    incidentUpdates: `[${timeline.map((text) => `{ status: ${statusOf(text)}, description: ${text} }`)}]`,
  }),
  "folder/1.yaml": other("Shop 1 fails", 1),
  "folder/2.yaml": other("Shop 2 fails", 2),
  "folder/3.yaml": other("Shop 3 fails", 3),
};

const steps = new Set<PropertyKey>([
  "mkdirSync",
  "openSync",
  "writeSync",
  "fsyncSync",
  "linkSync",
  "renameSync",
  "unlinkSync",
]);
export type Moment = "before" | "half-way";

class Died extends Error {}

/**
 * Lets the process die at its `at`th step: from then on nothing of it reaches the disk, the network or a person. Half-way
 * there are only writes. `isDead` is asked before each print.
 */
export function mortal(at: number, moment: Moment) {
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
  const wrapFiles = (real: Files): Files =>
    new Proxy(real, {
      get(target, name) {
        const method = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        const mortalMethod = (...args: unknown[]) => {
          if (dead) throw new Died("dead");
          if (steps.has(name)) takeStep();
          if (name === "writeSync" && moment === "half-way") count += 1;
          if (name !== "writeSync" || moment !== "half-way" || count !== at)
            return method.apply(target, args);
          const [descriptor, bytes] = args as [number, Buffer];
          target.writeSync(descriptor, bytes, 0, Math.floor(bytes.length / 2));
          return die();
        };
        // Such as `realpathSync.native`.
        return Object.assign(mortalMethod, method);
      },
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

export interface CrashOptions {
  readonly line: string;
  /** The number of incidents that the command declares. */
  readonly incidents: number;
  /** The texts of its incident, where it posts updates. */
  readonly texts?: readonly string[];
  /** Every how many steps it crashes before one. */
  readonly by: number;
}

/** Crashes the command at its steps, at each moment. Gives the number of its steps at each. */
export async function crashEverywhere(options: CrashOptions): Promise<Record<Moment, number>> {
  return { before: await crashAt("before", options), "half-way": await crashAt("half-way", options) };
}

async function crashAt(moment: Moment, { by, incidents, line, texts }: CrashOptions): Promise<number> {
  for (let at = 1; ; at += moment === "before" ? by : 1) {
    const world = createWorld({
      files,
      isFirstOfDay: true,
      ...(texts && { sandbox: { onlySpec: false } }),
    });
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
