// The same command again, for an update that no file numbers: it is posted once, whatever was posted since.
import { describe, expect, it } from "vitest";
import { planUpdate } from "../../../src/delivery/changes/plan-update.ts";
import { postOnce } from "../../../src/delivery/changes/update-operation.ts";
import type { Update } from "../../../src/incident/definition.ts";
import type { Incident } from "../../../src/incident/wire.ts";
import { openSandboxed } from "./sandboxed.ts";

const watching: Update = { status: "MONITORING", description: "We are watching it." };

type World = Awaited<ReturnType<typeof openSandboxed>>;

async function update({ addUpdate, id, options }: World, { isNew = false } = {}) {
  const planned = await planUpdate(options, { incidentId: id, update: watching, isNew, reopens: false });
  const posted = planned.posted ?? (await postOnce(options, addUpdate, planned.request));
  return posted.how;
}

const movedOn = { kind: "drift", message: expect.stringContaining("and the incident is IDENTIFIED now") };

describe("the same update after one of another person", () => {
  const others = async (world: World) => world.postElsewhere("Another person looks at it.", "IDENTIFIED");

  it("is not posted, and the failure says that the status has moved on", async () => {
    const world = await openSandboxed();
    expect(await update(world)).toBe("posted");
    await others(world);
    await expect(update(world)).rejects.toMatchObject(movedOn);
    expect(world.sent).toHaveLength(1);
  });

  it("is not posted where that one posted it", async () => {
    const world = await openSandboxed();
    await world.postElsewhere(watching.description, "MONITORING");
    expect(await update(world)).toBe("posted-before");
    await others(world);
    await expect(update(world)).rejects.toMatchObject(movedOn);
    expect(world.sent).toHaveLength(0);
  });
});

describe("the same update after a person at the service", () => {
  type Change = (posted: object) => readonly object[];

  /** A world where the update was posted; from then on, the service shows it as `change` has it. */
  async function openChanged(change: Change) {
    let isChanged = false;
    const shows = (incident: Incident): Incident => {
      if (!isChanged) return incident;
      const [first, posted, ...others] = incident.incidentUpdates as readonly { readonly status: string }[];
      const incidentUpdates = [first, ...change(posted as object), ...others];
      return { ...incident, incidentUpdates, lastUpdateStatus: others.at(-1)?.status };
    };
    const world = await openSandboxed({ shows });
    expect(await update(world)).toBe("posted");
    isChanged = true;
    return world;
  }

  const reworded: Change = (posted) => [{ ...posted, description: "We keep watching it." }];

  it("is not posted where it was deleted, without --new", async () => {
    const world = await openChanged(() => []);
    await expect(update(world)).rejects.toMatchObject({ kind: "unavailable" });
    world.clock.advance(6 * 60_000);
    await expect(update(world)).rejects.toMatchObject({ kind: "drift" });
    expect(await update(world, { isNew: true })).toBe("posted");
    expect(world.sent).toHaveLength(2);
  });

  it("is posted before where it was reworded", async () => {
    const world = await openChanged(reworded);
    expect(await update(world)).toBe("posted-before");
    expect(world.sent).toHaveLength(1);
  });
});
