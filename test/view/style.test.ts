import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { answer, incidentId as id } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

function answering(...bodies: unknown[]) {
  let next = 0;
  return { transport: async () => answer(bodies[next++ % bodies.length]) };
}

describe("output for people", () => {
  it("aligns the columns of a table for characters of any width", async () => {
    const rows = ["MAJOR", "重大な障害", "👩‍💻", "e\u0301"].map((severity) => ({ id, severity, name: "x" }));
    const { stdout } = await incident(`get ${id} ${id} ${id} ${id}`, answering(...rows));
    const [head, ...lines] = stdout.trimEnd().split("\n") as [string, ...string[]];
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(stringWidth(line.slice(0, -1))).toBe(head.indexOf("NAME"));
  });

  it.each([40, 80, 200])("wraps long text at %i columns", async (columns) => {
    const description =
      "決済が失敗しています。 We are looking into failed payments of some customers. ".repeat(8);
    const body = { id, name: "n", incidentUpdates: [{ description }] };
    const { stdout } = await incident(`get ${id}`, { ...answering(body), terminal: { columns } });
    const timeline = stdout.split("\n\n").at(-1) as string;
    for (const line of timeline.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });
});
