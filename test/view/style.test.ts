import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { answer, incidentId as id } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

function answering(...bodies: unknown[]) {
  let next = 0;
  return {
    transport: async () => answer(bodies[next++ % bodies.length]),
  };
}

describe("output for people", () => {
  it("aligns the columns of a table for characters of any width", async () => {
    const rows = ["MAJOR", "重大な障害", "👩‍💻", "e\u0301"].map((severity) => ({ id, severity, name: "x" }));
    const { stdout } = await incident(`get ${id} ${id} ${id} ${id}`, answering(...rows));
    const [head, ...lines] = stdout.trimEnd().split("\n") as [string, ...string[]];
    const column = head.indexOf("NAME");
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(stringWidth(line.slice(0, -1))).toBe(column);
  });

  it.each([40, 80, 200])("wraps long text at %i columns", async (columns) => {
    const description =
      "決済が失敗しています。 We are looking into failed payments of some customers. ".repeat(8);
    const body = { id, name: "n", incidentUpdates: [{ description }] };
    const { stdout } = await incident(`get ${id}`, { ...answering(body), terminal: { columns } });
    const timeline = stdout.split("\n\n").at(-1) as string;
    for (const line of timeline.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  it("escapes control characters in a response", async () => {
    const evil = "\u001b[1A\u001b[2K\rhidden\u202e\u200b";
    const body = {
      id,
      name: evil,
      severity: evil,
      lastUpdateStatus: evil,
      services: [{ name: evil }],
      incidentUpdates: [{ description: evil, status: evil, publicIncidentUpdateDate: evil }],
      duration: evil,
      created_at: evil,
    };
    for (const line of [`get ${id}`, `get ${id} ${id}`, `get ${id} -o definition`]) {
      const { stdout, exitCode } = await incident(line, answering(body));
      expect(exitCode).toBe(0);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there is none.
      expect(stdout).not.toMatch(/[\u001b\r\u202e\u200b]/);
    }
  });

  it("escapes control characters in an error response", async () => {
    const { stderr } = await incident(`get ${id}`, {
      transport: async () =>
        answer({ statusCode: 403, error: "Forbidden", message: "\u001b]0;title\u0007" }, 403),
    });
    expect(stderr).toContain("\\u{1b}]0;title\\u{7}");
  });
});
