// The same command again, for an update that no file numbers: until its result was read, it is the same update.
import { describe, expect, it } from "vitest";
import { planUpdate } from "../../../src/delivery/changes/plan-update.ts";
import { postOnce } from "../../../src/delivery/changes/post-once.ts";
import type { Update } from "../../../src/incident/definition.ts";
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
