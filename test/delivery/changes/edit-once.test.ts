// One edit of an incident, exactly once, with PUT and with PATCH.
import { describe, expect, it } from "vitest";
import type { EditedFields } from "../../../src/delivery/changes/edit-identity.ts";
import { editOnce } from "../../../src/delivery/changes/edit-once.ts";
import { openSandboxed } from "./sandboxed.ts";

type World = Awaited<ReturnType<typeof openSandboxed>>;

async function edit(world: World, fields: EditedFields) {
  const incident = await world.read();
  return editOnce({ ...world.options, edit: world.edit }, { incident, fields }).then(
    ({ how }) => how,
    (error: Error & { kind?: string }) => `${error.kind ?? error.name}: ${error.message}`,
  );
}

const critical = { severity: "CRITICAL" };

describe("an edit", () => {
  it("changes its field, and nothing else", async () => {
    const world = await openSandboxed();
    const { severity: _, updated_at: __, ...before } = await world.read();
    expect(await edit(world, critical)).toBe("edited");
    expect(await world.read()).toMatchObject({ ...before, severity: "CRITICAL" });
    expect(world.told).toEqual([]);
  });

  it("to what the incident has already sends nothing", async () => {
    const world = await openSandboxed();
    expect(await edit(world, { severity: "MAJOR", name: " Checkout  fails" })).toBe("edited-before");
    expect(world.sent).toEqual([]);
  });

  it.each([["edit#1:drop-after-commit"], ["edit#1:error-after-commit"], ["edit#1:slow-commit=3s"]])(
    "is found after %s, and sent once",
    async (fault) => {
      const world = await openSandboxed({ faults: [fault], delivery: { settleFor: 10_000 } });
      expect(await edit(world, critical)).toBe("edited");
      expect(world.sent).toHaveLength(1);
    },
  );

  it("with an unknown outcome is not sent again, and found once it appears", async () => {
    const world = await openSandboxed({ faults: ["edit#1:slow-commit=60s"] });
    expect(await edit(world, critical)).toMatch(
      /^uncertain: it is not known whether the edit \(severity\) of "Checkout fails" was made/,
    );
    expect(await edit(world, critical)).toMatch(/^uncertain/);
    world.clock.advance(60_000);
    expect(await edit(world, critical)).toBe("found");
    expect(world.sent).toHaveLength(1);
  });

  it("back and forth is another edit each time", async () => {
    const world = await openSandboxed();
    expect(await edit(world, critical)).toBe("edited");
    expect(await edit(world, { severity: "MAJOR" })).toBe("edited");
    expect(await edit(world, critical)).toBe("edited");
    expect(world.sent).toHaveLength(3);
  });

  it("is made only of the incident as it was read last", async () => {
    const world = await openSandboxed();
    const { client } = world.options;
    const reads: string[] = [];
    const conditions: unknown[] = [];
    const withTags: Pick<typeof client, "editIncident" | "getForEdit"> = {
      async getForEdit(...args) {
        reads.push(`"${reads.length + 1}"`);
        return { ...(await client.getForEdit(...args)), etag: reads.at(-1) };
      },
      editIncident(operation, id, body, given) {
        conditions.push(given?.ifMatch);
        return client.editIncident(operation, id, body, given);
      },
    };
    expect(
      await edit({ ...world, options: { ...world.options, client: { ...client, ...withTags } } }, critical),
    ).toBe("edited");
    expect(reads).not.toEqual([]);
    expect(conditions).toEqual([reads.at(-1)]);
  });

  it("warns of each other field that changed", async () => {
    const world = await openSandboxed();
    const { client } = world.options;
    const editIncident: typeof client.editIncident = (operation, id, body, conditions) =>
      client.editIncident(operation, id, { ...body, name: "Another name" }, conditions);
    const options = { ...world.options, client: { ...client, editIncident } };
    expect(await edit({ ...world, options }, critical)).toBe("edited");
    expect(world.told).toEqual([
      expect.stringMatching(/^warning: the edit of .* is made, and the service changed more: name$/),
    ]);
  });
});
