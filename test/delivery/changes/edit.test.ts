// One edit of an incident: compared before it is sent, and read again.
import { describe, expect, it } from "vitest";
import { type EditedFields, isRecorded, makeEdit } from "../../../src/delivery/changes/edit.ts";
import type { Incident } from "../../../src/incident/wire.ts";
import { newest, unsettled } from "../../../src/journal/model.ts";
import { numberedId } from "../../harness/builders.ts";
import { account } from "../in-memory/deliveries.ts";
import { openSandboxed } from "./sandboxed.ts";

type World = Awaited<ReturnType<typeof openSandboxed>>;

async function edit(world: World, fields: EditedFields) {
  const incident = await world.read();
  return makeEdit(world.options, incident, { operation: world.edit, fields }).then(
    ({ how }) => how,
    (error: Error & { kind?: string }) => `${error.kind ?? error.name}: ${error.message}`,
  );
}

/** The service answers an edit with this incident, whether it takes the edit or not. */
function answering(world: World, incident: Incident, takesEdit: boolean): World {
  const { client } = world.options;
  const editIncident: typeof client.editIncident = async (...given) => {
    if (takesEdit) await client.editIncident(...given);
    return { kind: "edited", incident };
  };
  return { ...world, options: { ...world.options, client: { ...client, editIncident } } };
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

  it("with an unknown outcome is told, and once it appears nothing is sent", async () => {
    const world = await openSandboxed({ faults: ["edit#1:slow-commit=60s"] });
    expect(await edit(world, critical)).toMatch(
      /^uncertain: it is not known whether the edit \(severity\) of .* was made/,
    );
    world.clock.advance(60_000);
    expect(await edit(world, critical)).toBe("edited-before");
    expect(world.sent).toHaveLength(1);
  });

  it.each([
    ["shows neither", "uncertain: it is not known whether the edit (severity) of "],
    ["shows it later", "edited"],
  ])("whose answer shows the values from before it is read back: a service that %s", async (later, end) => {
    const world = await openSandboxed();
    const before = await world.read();
    const ended = await edit(answering(world, before, later === "shows it later"), critical);
    expect(ended.slice(0, end.length)).toBe(end);
    expect(await isRecorded(world.options, world.id, critical)).toBe(end === "edited");
  });

  it("whose answer shows the values from before it is made where the service shows others of its own", async () => {
    const shows = (incident: Incident) =>
      JSON.parse(JSON.stringify(incident).replace("It isn't here", "It isn’t here"));
    const world = await openSandboxed({ shows });
    const old = answering(world, await world.read(), true);
    expect(await edit(old, { name: "It isn't here" })).toBe("edited");
  });

  it("keeps the values that the answer has of its own where the read after it is behind", async () => {
    let stale: Incident | undefined;
    const world = await openSandboxed({ shows: (incident) => stale ?? incident });
    const before = await world.read();
    stale = before;
    const { options } = answering(world, { ...before, name: "It isn&#39;t here, edited" }, true);
    const request = { operation: world.edit, fields: { name: "It isn't here" } };
    const { altered = {} } = await makeEdit(options, before, request);
    expect(Object.keys(altered)).toEqual(["name"]);
  });

  it("is no operation: the journal has a record of it, and nothing that is open", async () => {
    const world = await openSandboxed({ faults: ["edit#1:drop-before-commit"] });
    const { journal } = world.options;
    expect(await edit(world, critical)).toMatch(/^uncertain/);
    expect(unsettled(await journal.model(world.options.service))).toEqual([]);
    expect(await isRecorded(world.options, world.id, critical)).toBe(false);
    expect(await edit(world, critical)).toBe("edited");
    expect(await isRecorded(world.options, world.id, critical)).toBe(true);
    expect([...newest(await journal.model(world.options.service))].slice(0, 1)).toMatchObject([
      { state: "created", change: { kind: "edit", fields: ["severity"] } },
    ]);
  });

  it("back and forth is another edit each time", async () => {
    const world = await openSandboxed();
    expect(await edit(world, critical)).toBe("edited");
    expect(await edit(world, { severity: "MAJOR" })).toBe("edited");
    expect(await edit(world, critical)).toBe("edited");
    expect(world.sent).toHaveLength(3);
  });

  it("by a PUT waits until the service shows the edit before it, which it would undo", async () => {
    let stale: Incident | undefined;
    const world = await openSandboxed({ shows: (incident) => stale ?? incident });
    for (const fields of [{ name: "Checkout is slow" }, { name: "Checkout fails" }, critical]) {
      stale = await world.read();
      expect(await edit(world, fields)).toBe("edited");
      expect(await edit(world, { severity: "MINOR" })).toMatch(
        /^unavailable: the service does not show the edit that was made from here at /,
      );
      stale = undefined;
    }
    expect(await edit(world, { name: "Checkout is slow" })).toBe("edited");
    stale = { ...(await world.read()), name: "Refunds fail" };
    world.clock.advance(5 * 60_000);
    expect(await edit(world, { severity: "MINOR" })).toBe("edited");
  });

  it("by a PUT follows an edit that was made again after another", async () => {
    const world = await openSandboxed();
    const [minor, slow] = [{ severity: "MINOR" }, { name: "Checkout is slow" }];
    for (const fields of [critical, minor, critical, slow]) {
      expect(await edit(world, fields)).toBe("edited");
      world.clock.advance(1000);
    }
  });

  it("by a PUT does not wait for services that are shown by their names", async () => {
    const names = (services: unknown) => (services as { name: string }[]).map(({ name }) => name);
    const world = await openSandboxed({
      shows: (incident) => ({ ...incident, services: names(incident.services) }),
    });
    for (const name of ["Search", "Mail"])
      expect(
        await edit(world, { services: [{ id: numberedId(name.length), name, accountId: account }] }),
      ).toBe("edited");
  });

  it("by a PUT carries the name as an edit before it was sent, not with the escapes of the service", async () => {
    const world = await openSandboxed({
      shows: (incident) => ({ ...incident, name: String(incident.name).replaceAll("&", "&amp;") }),
    });
    expect(await edit(world, { name: "Cart & Checkout" })).toBe("edited");
    expect(await edit(world, critical)).toBe("edited");
    expect(await edit(world, { severity: "MINOR" })).toBe("edited");
    expect(await world.read()).toMatchObject({ name: "Cart &amp; Checkout", severity: "MINOR" });
  });
});
