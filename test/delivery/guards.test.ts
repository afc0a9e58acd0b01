// Whatever goes wrong after the first byte: the run ends with 8, names the id, and no hint leads to a second create.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/http/transport.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";
import { refusing } from "../harness/watched-files.ts";
import { answer, createService, incidentOf, lost, refusal } from "./services-by-hand.ts";

const files = { "x.yaml": definitionYaml({ id }) };
const flags = "--settle-for 1s";
const create = `create -f x.yaml ${flags}`;

const full = refusing("ENOSPC", (name) => name === "writeSync");

/** Hints that would lead to a second create. */
const misleading = /nothing was sent|--no-journal|move it away|run it again, or/;

describe("an uncertain create that is found", () => {
  it.each(["create -f x.yaml", `journal settle ${id}`])("with the disk full leaves %s at 8", async (line) => {
    const world = createWorld({ files });
    let isThere = false;
    const { sent, transport } = createService(lost, () =>
      isThere ? answer(200, incidentOf()) : refusal(404),
    );
    expect((await world.run(create, { transport })).exitCode).toBe(8);
    isThere = true;
    const again = await world.run(`${line} ${flags}`, { transport, wrapFiles: full });
    expect(again.exitCode).toBe(8);
    expect(again.stderr).toContain(`incident ${id} is declared, but the journal has no record of it`);
    expect(again.stderr).not.toMatch(misleading);
    expect((await world.run(create, { transport })).exitCode).toBe(0);
    expect(sent).toHaveLength(1);
  });
});

describe("after the first byte", () => {
  const during = (spoil: (world: World) => Outcome | Promise<Outcome>) => {
    const world = createWorld({ files });
    return { world, service: createService(() => spoil(world)) };
  };
  const remove = (world: World) =>
    fs.rmSync(join(world.folder, "home/.local/state/incident-cli"), { recursive: true });

  it.each(
    Object.entries<(world: World) => Outcome>({
      "a fault of the tool": () => {
        throw new TypeError("x is undefined");
      },
      "a journal that is removed, and no answer": (world) => {
        remove(world);
        return lost;
      },
      "a journal that is removed, and a refusal that is larger than it": (world) => {
        remove(world);
        return answer(500, { statusCode: 500, error: "Error", message: "x".repeat(16_000_000) });
      },
      "an entry that is torn": (world) => {
        const folder = join(world.folder, "home/.local/state/incident-cli/journal");
        const [name = ""] = fs.readdirSync(folder);
        fs.writeFileSync(join(folder, name.replace("-000", "-001")), "torn", { mode: 0o600 });
        return lost;
      },
    }),
  )("%s ends a create with 8 and the id", async (_, spoil) => {
    const { service, world } = during(spoil);
    const result = await world.run(create, service);
    expect(result.exitCode).toBe(8);
    expect(result.stderr).toContain(id);
    expect(result.stderr).toContain(`incident journal settle ${id}`);
    expect(result.stderr).not.toMatch(misleading);
  });

  it("a journal that is removed leaves a create that was answered with its id, and no rerun in the dark", async () => {
    const { service, world } = during((world) => {
      remove(world);
      return answer(201, incidentOf());
    });
    const first = await world.run(`${create} -o id`, service);
    expect(first).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    expect((await world.run(create, service)).exitCode).not.toBe(0);
    expect(service.sent).toHaveLength(1);
  });
});
