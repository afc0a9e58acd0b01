// The same command again, for an update that no file numbers: until its result was read, it is the same update.
import { describe, expect, it } from "vitest";
import { planUpdate } from "../../../src/delivery/changes/plan-update.ts";
import { postOnce } from "../../../src/delivery/changes/post-once.ts";
import type { Update } from "../../../src/incident/definition.ts";
import type { Incident } from "../../../src/incident/wire.ts";
import { acknowledge } from "../../../src/journal/claims.ts";
import { openSandboxed } from "./sandboxed.ts";

const watching: Update = { status: "MONITORING", description: "We are watching it." };

type World = Awaited<ReturnType<typeof openSandboxed>>;

/** One run of the command; `isKilled`: before its result is read. */
async function update({ addUpdate, id, options }: World, { isKilled = false, isNew = false } = {}) {
  const planned = await planUpdate(options, { incidentId: id, entry: watching, isNew, reopens: false });
  const posted =
    planned.is === "posted-before"
      ? planned.posted
      : await postOnce({ ...options, addUpdate }, planned.request);
  if (!isKilled && posted.log !== undefined) await acknowledge(options, posted.log);
  return posted.how;
}

describe("the same update after one of another person", () => {
  const others = async (world: World) => world.postElsewhere("Another person looks at it.", "IDENTIFIED");

  it("is another one, once the first was told", async () => {
    const world = await openSandboxed();
    expect(await update(world)).toBe("posted");
    await others(world);
    expect(await update(world)).toBe("posted");
    expect(world.sent).toHaveLength(2);
  });

  it("is the first one, as long as nobody was told of it", async () => {
    const world = await openSandboxed();
    expect(await update(world, { isKilled: true })).toBe("posted");
    await others(world);
    expect(await update(world, { isKilled: true })).toBe("posted-before");
    expect(await update(world)).toBe("posted-before");
    expect(world.sent).toHaveLength(1);
    expect(await update(world)).toBe("posted");
    expect(world.sent).toHaveLength(2);
  });

  it("is posted in any case with --new", async () => {
    const world = await openSandboxed();
    expect(await update(world, { isKilled: true })).toBe("posted");
    await others(world);
    expect(await update(world, { isNew: true })).toBe("posted");
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

  it("is not known to be posted where it was deleted", async () => {
    const world = await openChanged(() => []);
    await expect(update(world)).rejects.toMatchObject({ kind: "unavailable", retryable: true });
    expect(await update(world, { isNew: true })).toBe("posted");
    expect(world.sent).toHaveLength(2);
  });

  it("is posted before where it was reworded, and is the last", async () => {
    const world = await openChanged(reworded);
    expect(await update(world)).toBe("posted-before");
    expect(world.sent).toHaveLength(1);
  });

  it("is another one where it was reworded, and another update follows it", async () => {
    const world = await openChanged(reworded);
    await world.postElsewhere("Another person looks at it.", "IDENTIFIED");
    expect(await update(world)).toBe("posted");
    expect(world.sent).toHaveLength(2);
  });
});
