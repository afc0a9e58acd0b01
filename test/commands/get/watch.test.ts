import { describe, expect, it } from "vitest";
import { incidentId as id, answer as respond } from "../../harness/builders.ts";
import { incident, type Setup } from "../../harness/incident.ts";

type Answer = "down" | "limited" | "refused" | Readonly<Record<string, unknown>>;

const updates = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"].map((status, index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  status,
  description: `${status.toLowerCase()},\nof course`,
  publicIncidentUpdateDate: `2026-11-20T06:0${index}:00Z`,
}));

/** The incident after its first `count` updates. */
function updated(count: number, more: object = {}) {
  const incidentUpdates = updates.slice(0, count);
  const lastUpdateStatus = incidentUpdates.at(-1)?.status;
  return { id, name: "Checkout fails", lastUpdateStatus, incidentUpdates, ...more };
}

/** A service that gives these answers in turn, then Ctrl-C. */
function answering(...answers: readonly Answer[]): Setup {
  const rest = [...answers];
  const interrupt = new AbortController();
  return {
    signal: interrupt.signal,
    transport: async () => {
      const answer = rest.shift();
      if (answer === undefined) {
        interrupt.abort("SIGINT");
        return { phase: "unsent", reason: "cancelled", detail: "cancelled" };
      }
      if (answer === "down") return { phase: "unsent", reason: "connection", detail: "connect ECONNREFUSED" };
      const status = answer === "limited" ? 429 : answer === "refused" ? 401 : 200;
      const error = { 429: "Too Many Requests", 401: "Unauthorized", 200: "" }[status];
      const body = typeof answer === "string" ? { statusCode: status, error } : answer;
      return respond(body, status);
    },
  };
}

describe("incident get --watch", () => {
  it("prints a line for the first result, and one for each change", async () => {
    const service = answering(
      updated(1),
      updated(1),
      updated(3),
      updated(3),
      updated(3, { name: "Checkout is slow" }),
    );
    const { exitCode, stdout, stderr } = await incident(`get ${id} --watch`, service);
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "watching until Ctrl-C\n" });
    expect(stdout.split("\n")).toEqual([
      `2026-11-20 07:31:00 +01:00  ${id}  INVESTIGATING  Checkout fails`,
      `2026-11-20 07:31:20 +01:00  ${id}  IDENTIFIED  Checkout fails: identified, of course`,
      `2026-11-20 07:31:20 +01:00  ${id}  MONITORING  Checkout fails: monitoring, of course`,
      `2026-11-20 07:31:40 +01:00  ${id}  MONITORING  Checkout is slow`,
      "",
    ]);
  });

  it("prints the answer of the service on one line under -o json", async () => {
    const { stdout } = await incident(`get ${id} -w -o json`, answering(updated(1), updated(2)));
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([updated(1), updated(2)]);
  });

  it("continues after temporary failures of the network or the service, with one warning", async () => {
    const down = Array.from({ length: 12 }, () => "down" as const);
    const service = answering(updated(1), ...down, "limited", updated(2));
    const { stdout, stderr } = await incident(`get ${id} -w`, service);
    expect(stdout).toContain("IDENTIFIED");
    const lines = stderr
      .split("\n")
      .filter((line) => line.startsWith("warning: 127.0.0.1:1 could not be reached"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/; trying again$/);
  });

  it.each([
    ["a service that cannot be reached at first", ["down", "down", "down", "down", "down"], 7],
    ["a key that is refused later", [updated(1), "refused"], 4],
  ] as const)("ends with %s", async (_, answers, code) => {
    const { exitCode } = await incident(`get ${id} -w`, answering(...answers));
    expect(exitCode).toBe(code);
  });

  it("ends when --wait-for is reached", async () => {
    const service = answering(updated(1), updated(4), updated(4));
    const { exitCode, stdout } = await incident(`get ${id} -w --wait-for resolved`, service);
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split("\n").at(-1)).toContain("RESOLVED");
  });
});
