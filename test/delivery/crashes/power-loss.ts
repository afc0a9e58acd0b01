// A power failure at every single file operation of a create: what was not synced is gone, or a part of it. Then the
// same command again, and a person who settles truthfully. The incident is declared once; an id that was printed is known,
// and a create whose outcome is not known is listed, and stops another text with its name.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { definitionYaml, numberedId } from "../../harness/builders.ts";
import { createWorld, type Result, type World } from "../../harness/incident.ts";
import { createDice } from "../dice.ts";
import { files, mortal } from "./crash.ts";
import { createVolatileFiles, type Unsynced } from "./volatile-files.ts";

/** What a disk keeps of the parts that were not synced. */
export const policies: Readonly<Record<string, () => (what: Unsynced) => boolean>> = {
  "loses everything": () => () => false,
  "keeps names and loses bytes": () => (what) => what === "name",
  "loses names and keeps bytes": () => (what) => what === "bytes",
  "keeps a subset": () => subset(1),
  "keeps another subset": () => subset(2),
};

function subset(seed: number): (what: Unsynced) => boolean {
  const dice = createDice(seed);
  return () => dice.below(2) === 0;
}

export interface PowerLoss {
  readonly line: string;
  /** The number of incidents that the command declares. */
  readonly incidents: number;
  /** Whether the state directory is new. */
  readonly isFirst: boolean;
  readonly clientIds: "honour" | "ignore";
  readonly policy: string;
  /** The first step, and how many steps later the next one is; each step by default. */
  readonly first?: number;
  readonly by?: number;
}

export interface Losses {
  /** The power failures. */
  readonly failures: number;
  /** After how many of them an incident was declared twice. */
  readonly doubles: readonly string[];
}

/** Fails the power at these steps of the command, and after its end. */
export async function losePowerEverywhere(options: PowerLoss): Promise<Losses> {
  const { by = 1, first = 1 } = options;
  const doubles: string[] = [];
  for (let at = first; ; at += by) {
    const { isDead, names } = await losePowerAt(at, options);
    if (new Set(names).size < names.length) doubles.push(`step ${at}: ${names.join(", ")}`);
    if (!isDead) return { failures: at, doubles };
  }
}

async function losePowerAt(at: number, { clientIds, incidents, isFirst, line, policy }: PowerLoss) {
  const earlier = definitionYaml({ id: numberedId(900), name: "Earlier" });
  const world = createWorld({
    files: { ...files, "earlier.yaml": earlier },
    sandbox: { clientIds },
    isFirstOfDay: true,
  });
  if (!isFirst) expect((await world.run("create -f earlier.yaml")).exitCode).toBe(0);
  const { files: volatile, losePower, syncAll } = createVolatileFiles(world.folder);
  syncAll();
  const { isDead, isDeadAtPrint, wrapFiles, wrapTransport } = mortal(at, "before");
  const transport = wrapTransport(world.sandbox.transport);
  const first = await world.run(line, {
    wrapFiles: () => wrapFiles(volatile),
    transport,
    isDead: isDeadAtPrint,
  });
  losePower((policies[policy] as () => (what: Unsynced) => boolean)());
  // The machine starts again after the deadline of each sender.
  world.clock.advance(10 * 60_000);
  await expectPromises(world, first, `${policy}, step ${at}`);
  const namesOf = () => world.sandbox.incidents().map(({ name }) => String(name));
  const isTold = first.stdout !== "" && namesOf().length === incidents + (isFirst ? 0 : 1);
  // The whole result was printed: without an id, the same content is another incident from now on.
  if (!isTold || !/plain|batch/.test(line)) await runUntilTold(world, line, `${policy}, step ${at}`);
  return { isDead: isDead(), names: namesOf() };
}

async function expectPromises(world: World, { stdout }: Result, place: string): Promise<void> {
  const list = await world.run("journal list --open -o json");
  const listed: { readonly name: string; readonly state: string }[] = JSON.parse(list.stdout);
  for (const { id, name } of world.sandbox.incidents()) {
    if (stdout.includes(String(id))) {
      const shown = await world.run(`journal show ${id} -o json`);
      expect(shown.exitCode, `${place}: ${shown.stderr}`).toBe(0);
      expect(JSON.parse(shown.stdout), place).toMatchObject({ name, state: "created" });
    }
    const own = listed.filter((entry) => entry.name === name);
    expect(own, `${place}: ${name}`).toHaveLength(1);
    if (own[0]?.state === "created") continue;
    const count = world.sandbox.incidents().length;
    const other = definitionYaml({ name: String(name), severity: "MINOR" });
    writeFileSync(join(world.folder, "edited.yaml"), other, { mode: 0o600 });
    const edited = await world.run("create -f edited.yaml");
    expect(edited.stderr, place).toContain(`"${name}" may be the create of`);
    expect([edited.exitCode, world.sandbox.incidents().length], place).toEqual([8, count]);
  }
}

async function runUntilTold(world: World, line: string, place: string): Promise<void> {
  const again = `${line} -o id --settle-for 1s`;
  let result = await world.run(again);
  for (let round = 0; result.exitCode === 8 && round < 4; round += 1) {
    const [, id] = /settle ([0-9a-f-]{36}) --/.exec(result.stderr) as RegExpExecArray;
    const shown = await world.run(`journal show ${id} -o json`);
    const { name } = JSON.parse(shown.stdout);
    const incident = world.sandbox.incidents().find((each) => each.name === name);
    const outcome = incident === undefined ? "--not-created" : `--created --service-id ${incident.id}`;
    expect((await world.run(`journal settle ${id} ${outcome} --yes`)).exitCode, place).toBe(0);
    result = await world.run(again);
  }
  expect(result.exitCode, `${place}: ${result.exitCode} ${result.stderr}`).toBe(0);
}
