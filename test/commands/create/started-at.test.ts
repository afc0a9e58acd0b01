import { describe, expect, it } from "vitest";
import { createWorld, incident } from "../../harness/incident.ts";
import { definition, sentBody } from "../sample-definition.ts";

const files = { "x.yaml": definition };
const now = Date.parse("2026-11-20T06:31:00Z");

describe("create --started-at", () => {
  it.each([
    ["2026-11-20T06:00:00Z", "2026-11-20T06:00:00Z"],
    ["2026-11-20T07:00:00+01:00", "2026-11-20T07:00:00+01:00"],
  ])("%s is the date of the first update", async (text, expected) => {
    const { exitCode, requests, stderr } = await incident(`create -f x.yaml --started-at ${text}`, { files });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(sentBody(requests)).toMatchObject({ incidentUpdates: [{ publicIncidentUpdateDate: expected }] });
  });

  it.each([
    ["-20m", 20],
    ["20m", 20],
    ["-1.5h", 90],
    ["-1d", 24 * 60],
  ])("%s is before now", async (text, minutes) => {
    const { exitCode, requests } = await incident(`create -f x.yaml --started-at ${text}`, { files });
    expect(exitCode).toBe(0);
    const [update] = (sentBody(requests) as { incidentUpdates: { publicIncidentUpdateDate: string }[] })
      .incidentUpdates;
    expect(
      Math.abs(now - Number(minutes) * 60_000 - Date.parse(update?.publicIncidentUpdateDate ?? "")),
    ).toBeLessThan(120_000);
  });

  it("dates only the first of several updates", async () => {
    const several = definition.replace(
      /incidentUpdates:.*/s,
      "incidentUpdates: [{ description: a }, { description: b }]\n",
    );
    const { requests } = await incident("create -f x.yaml --started-at 2026-11-20T06:00:00Z", {
      files: { "x.yaml": several },
    });
    const { incidentUpdates } = sentBody(requests) as { incidentUpdates: object[] };
    expect(incidentUpdates.map((update) => "publicIncidentUpdateDate" in update)).toEqual([true, false]);
  });

  it("with a time before now is the same create in a rerun", async () => {
    const world = createWorld({
      files,
      faults: ["create:drop-after-commit"],
      sandbox: { clientIds: "ignore" },
    });
    const line = "create -f x.yaml --started-at -20m --settle-for 1s";
    const first = await world.run(line);
    expect(first.exitCode).toBe(8);
    const second = await world.run(line);
    expect(second).toMatchObject({ exitCode: 8, posts: 0 });
  });
});
