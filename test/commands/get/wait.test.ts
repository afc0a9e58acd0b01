import { describe, expect, it } from "vitest";
import { answer, incidentId as id } from "../../harness/builders.ts";
import { incident, type Setup } from "../../harness/incident.ts";

const other = "8c9e6679-7425-40de-944b-e07fc1f90ae7";

/** A service whose incidents change to the next status with each poll. `null` is a network failure. */
function statuses(...all: readonly (string | null)[]): Setup {
  const looks = new Map<string, number>();
  return {
    transport: async ({ url }) => {
      const asked = url.slice(-36);
      const look = looks.get(asked) ?? 0;
      looks.set(asked, look + 1);
      const lastUpdateStatus = all[Math.min(look, all.length - 1)];
      if (lastUpdateStatus === null)
        return { phase: "unsent", reason: "connection", detail: "connect ECONNREFUSED" };
      return answer({ id: asked, name: "Checkout fails", lastUpdateStatus });
    },
  };
}

describe("incident get --wait-for", () => {
  it.each([
    ["the status that it has", "identified", ["IDENTIFIED"], 1],
    ["a status that it gets", "RESOLVED", ["INVESTIGATING", "MONITORING", "RESOLVED"], 3],
    ["a status that it has passed", "monitoring", ["RESOLVED"], 1],
    ["a status in another letter case", "resolved", ["Investigating", "resolved"], 2],
    ["a status, over a failing network", "resolved", ["INVESTIGATING", null, null, "RESOLVED"], 4],
  ])("ends with %s", async (_, status, all, looks) => {
    const { exitCode, stdout, requests } = await incident(
      `get ${id} --wait-for ${status} -o id`,
      statuses(...all),
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${id}\n` });
    expect(requests).toHaveLength(looks);
  });

  it("ends with exit 10 after the timeout, and prints the incidents", async () => {
    const service = statuses("INVESTIGATING");
    const { exitCode, stdout, stderr, requests } = await incident(
      `get ${id} --wait-for resolved --wait-timeout 25s -o json`,
      service,
    );
    expect(exitCode).toBe(10);
    expect(JSON.parse(stdout).lastUpdateStatus).toBe("INVESTIGATING");
    expect(JSON.parse(stderr).error).toMatchObject({
      kind: "timeout",
      exitCode: 10,
      message: `not RESOLVED within 25 s: ${id} is INVESTIGATING`,
      retryable: true,
    });
    // At 0, 10 and 20 seconds.
    expect(requests).toHaveLength(3);
  });

  it("waits for each incident", async () => {
    const service = statuses("MONITORING", "RESOLVED");
    const { exitCode, requests } = await incident(`get ${id} ${other} --wait-for resolved -o id`, service);
    expect(exitCode).toBe(0);
    expect(requests.map(({ url }) => url.slice(-36))).toEqual([id, other, id, other]);
  });

  it("logs the condition and each change without a terminal", async () => {
    const { stderr } = await incident(
      `get ${id} --wait-for resolved -o id`,
      statuses("MONITORING", "RESOLVED"),
    );
    expect(stderr).toBe(`waiting for RESOLVED, at most 30 m\n${id}  RESOLVED  Checkout fails\n`);
  });

  it("keeps within the rate limit with many incidents", async () => {
    const ids = Array.from(
      { length: 20 },
      (_, at) => `7c9e6679-7425-40de-944b-${String(at).padStart(12, "0")}`,
    );
    const line = `get ${ids.join(" ")} --wait-for resolved --wait-timeout 60s -o id`;
    const { exitCode, requests } = await incident(line, statuses("INVESTIGATING"));
    expect(exitCode).toBe(10);
    expect(requests.length).toBeLessThanOrEqual(600);
  });

  it("ends with 130 at Ctrl-C", async () => {
    const interrupt = new AbortController();
    const service = statuses("INVESTIGATING").transport as NonNullable<Setup["transport"]>;
    const { exitCode, stderr } = await incident(`get ${id} --wait-for resolved`, {
      signal: interrupt.signal,
      transport: (...args) => {
        setImmediate(() => interrupt.abort("SIGINT"));
        return service(...args);
      },
      clock: {
        now: Date.now,
        monotonic: Date.now,
        sleep: (milliseconds, signal) =>
          new Promise((resolve) => {
            const timer = setTimeout(resolve, milliseconds);
            signal?.addEventListener("abort", () => resolve(clearTimeout(timer)));
          }),
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain("run it again to go on waiting");
  });
});
