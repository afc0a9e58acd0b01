// A crash at every single file operation of a create, before it, after it and in the middle of a write; then the
// same command again. Whatever was on disk, the incident is declared once, and the rerun knows its id.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/http/transport.ts";
import type { Files } from "../../src/platform/context.ts";
import { createWorld } from "../harness/incident.ts";

const content = `name: Checkout fails
severity: MAJOR
services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]
incidentUpdates: [{ description: We are looking into it. }]
`;
const files = {
  "id.yaml": `id: 7c9e6679-7425-40de-944b-e07fc1f90ae7\n${content}`,
  "plain.yaml": content,
  "batch.yaml": `${content}---\n${content.replace("Checkout", "Search")}`,
  "folder/1.yaml": `id: 00000000-0000-4000-8000-000000000001\n${content.replace("Checkout", "Shop 1")}`,
  "folder/2.yaml": `id: 00000000-0000-4000-8000-000000000002\n${content.replace("Checkout", "Shop 2")}`,
  "folder/3.yaml": `id: 00000000-0000-4000-8000-000000000003\n${content.replace("Checkout", "Shop 3")}`,
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
type Moment = "before" | "after" | "half-way";

class Died extends Error {}

/** Lets the process die at its `at`th step: from then on nothing of it reaches the disk or the network. */
function mortal(at: number, moment: Moment) {
  let count = 0;
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Died("the process died here");
  };
  const wrapFiles = (real: Files): Files =>
    new Proxy(real, {
      get(target, name) {
        const method = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) => {
          if (dead) throw new Died("dead");
          if (!steps.has(name)) return method.apply(target, args);
          count += 1;
          if (count === at && moment === "before") die();
          if (count === at && moment === "half-way" && name === "writeSync") {
            const [descriptor, bytes] = args as [number, Buffer];
            target.writeSync(descriptor, bytes, 0, Math.floor(bytes.length / 2));
            die();
          }
          try {
            // A process that dies loses nothing that the system has taken, synced or not.
            return name === "fsyncSync" ? undefined : method.apply(target, args);
          } finally {
            if (count === at) die();
          }
        };
      },
    });
  const wrapExchange =
    (transport: Transport): Transport =>
    async (request, control) => {
      if (dead) throw new Died("dead");
      return transport(request, control);
    };
  return { wrapFiles, wrapExchange, isDead: () => dead };
}

/** Every create, crashed at one step after the other until none is left to crash at. Gives how many there were. */
async function crashEverywhere(line: string, moment: Moment, incidents: number): Promise<number> {
  for (let at = 1; ; at += 1) {
    const world = createWorld({ files });
    const { isDead, wrapExchange, wrapFiles } = mortal(at, moment);
    const first = await world.run(line, { wrapFiles, transport: wrapExchange(world.sandbox.transport) });
    if (!isDead()) return at - 1;
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
  }
}

describe("a crash at any file operation", () => {
  it.each([
    ["create -f id.yaml", 1],
    ["create -f plain.yaml", 1],
    ["create -f batch.yaml", 2],
    ["apply -f folder", 3],
  ])("neither doubles nor loses the incident of %s", async (line, incidents) => {
    const found: number[] = [];
    for (const moment of ["before", "after", "half-way"] as const) {
      found.push(await crashEverywhere(line, moment, incidents));
    }
    expect(Math.min(...found)).toBeGreaterThan(30);
  });
});
