// What a rerun does after an unknown outcome, if the definition was changed in between: it never sends silently.
import { describe, expect, it } from "vitest";
import { findSimilarCreate } from "../../../src/delivery/failures.ts";
import { access, definitionYaml, incidentId, serviceId } from "../../harness/builders.ts";
import { createWorld, type Setup, type World } from "../../harness/incident.ts";
import { at, openScripted, requestOf } from "../in-memory/deliveries.ts";

const update = (fields: string) => `[{ description: We are looking into it., ${fields} }]`;
const dated = (date: string) => update(`publicIncidentUpdateDate: "${date}"`);

/** The definition of the first run, and that of the second. */
const sameMeaning: readonly (readonly [string, Record<string, string>, Record<string, string>])[] = [
  ["a block for plain text", {}, { incidentUpdates: "\n  - description: |\n      We are looking into it." }],
  ["a service id in capitals", {}, { services: `[{ name: Checkout, id: ${serviceId.toUpperCase()} }]` }],
  ["an account", {}, { services: `[{ name: Checkout, id: ${serviceId}, accountId: ${access.accountId} }]` }],
  [
    "the same instant in another zone",
    { incidentUpdates: dated("2026-11-20T06:00:00Z") },
    { incidentUpdates: dated("2026-11-20T07:00:00+01:00") },
  ],
  ["a notification", {}, { incidentUpdates: update("notifySubscribers: true") }],
  ["an id in capitals", { id: incidentId }, { id: incidentId.toUpperCase() }],
];

const otherMeaning: readonly (readonly [string, Record<string, string>, string])[] = [
  ["a corrected text", { incidentUpdates: "[{ description: We look into it. }]" }, "the same name"],
  ["another severity", { severity: "MINOR" }, "the same name"],
  ["an added id", { id: incidentId }, "the same content"],
  ["an added id, and a corrected text", { id: incidentId, severity: "MINOR" }, "the same name"],
  ["another notation of the name", { name: '"Checkout  fails"', severity: "MINOR" }, "the same name"],
];

const flags = "--settle-for 1s";

async function unsettled(
  first: Record<string, string>,
  second: Record<string, string>,
  setup: Setup = { faults: ["create#1:drop-before-commit"] },
): Promise<World> {
  const files = { "x.yaml": definitionYaml(first), "y.yaml": definitionYaml(second) };
  const world = createWorld({ files, ...setup });
  const result = await world.run(`create -f x.yaml ${flags}`);
  expect(result).toMatchObject({ exitCode: 8, posts: 1 });
  return world;
}

describe("after an unknown outcome, a rerun with", () => {
  it.each(sameMeaning)(
    "%s is the same create: it sends nothing, and finds the incident later",
    async (_, first, second) => {
      const world = await unsettled(first, second, { faults: ["create#1:slow-commit=5s"] });
      const again = await world.run(`create -f y.yaml ${flags}`);
      expect(again).toMatchObject({ exitCode: 8, posts: 0 });
      expect(again.stderr).toContain("it is not known whether");
      expect(JSON.parse((await world.run("journal list -o json")).stdout)).toHaveLength(1);
      world.clock.advance(5000);
      // Where the second asks for a notification, the first one has not sent it.
      const exitCode = JSON.stringify(second).includes("notifySubscribers: true") ? 6 : 0;
      expect(await world.run(`create -f y.yaml ${flags}`)).toMatchObject({ exitCode, posts: 0 });
      expect(world.sandbox.incidents()).toHaveLength(1);
    },
  );

  it.each(otherMeaning)("%s stops, and names both creates", async (_, second, reason) => {
    const world = await unsettled({}, second);
    const again = await world.run(`create -f y.yaml ${flags}`);
    expect(again).toMatchObject({ exitCode: 8, posts: 0 });
    const [id] = (await world.run("journal list -o id")).stdout.trim().split("\n");
    expect(again.stderr).toContain(`may be the create of ${id}, sent at`);
    expect(again.stderr).toContain(reason);
    expect(again.stderr).toContain("--new");
    expect(again.stderr).toContain(`incident journal settle ${id} --not-created`);
    expect(await world.run(`create -f y.yaml --new ${flags}`)).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it("an alert of a key of its own is another incident", async () => {
    const world = await unsettled({}, { name: "Refunds fail" });
    expect(await world.run("create -f y.yaml --dedup-key refunds")).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it("the rest of a batch continues after the create that is not settled", async () => {
    const files = { "x.yaml": `${definitionYaml()}---\n${definitionYaml({ name: "Refunds fail" })}` };
    const world = createWorld({ files, faults: ["create#1:slow-commit=5s"] });
    expect(await world.run(`create -f x.yaml ${flags}`)).toMatchObject({ exitCode: 8, posts: 1 });
    world.clock.advance(5000);
    expect(await world.run(`create -f x.yaml ${flags}`)).toMatchObject({ exitCode: 0, posts: 1 });
  });
});

it.each([
  ["by its id where the service keeps ids", "honoured", `incident get ${incidentId}`],
  ["at the status page alone where the service replaces ids", "ignored", undefined],
] as const)("a create that may concern another one is looked for %s", async (_, evidence, command) => {
  const { append, options } = openScripted([], [], { learned: [evidence, evidence] });
  const { content } = requestOf();
  const log = await append({ type: "sending", at, withId: true, deadline: 30_000, content });
  const failure = findSimilarCreate(options, [log], content);
  const look = failure?.details.commands?.find(({ purpose }) => purpose === "look for it");
  expect(look?.command).toEqual(command);
});
