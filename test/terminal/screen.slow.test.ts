import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { command, node } from "../built/program.ts";
import { isMissing } from "../harness/programs.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { type Terminal, withTerminal } from "./tmux.ts";

const fixtures = new URL("../../fixtures/", import.meta.url);
const id = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";

/** A terminal in front of a sandbox with these faults and one incident. The create makes the first read. */
async function withIncident(
  line: string,
  faults: readonly string[],
  use: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  const file = new URL("api-outage.yaml", fixtures).pathname;
  await withSandbox(async (service) => {
    const { exitCode } = await execa(node, [command, "create", "-f", file], { env: service, reject: false });
    expect(exitCode).toBe(0);
    await withTerminal(line, { env: service, columns: 80, rows: 24 }, use);
  }, faults);
}

describe.skipIf(isMissing("tmux"))("a wait in a terminal", () => {
  it("is shown while it lasts, and then erased", async () => {
    await withIncident(`incident get ${id}`, ["get#2:slow=6s"], async ({ see }) => {
      await see(/^[-\\|/] waiting for 127\.0\.0\.1:\d+$/m);
      const end = await see("[exit 0]");
      expect(end).not.toContain("waiting");
      expect(end.split("\n")[0]).toBe("Public API returns errors for all requests");
    });
  });

  it("counts down to the next attempt after a 429", async () => {
    await withIncident(`incident get ${id}`, ["get#2:429=8"], async ({ see }) => {
      const seen = await see(/rate limited; trying again in \d s/);
      const first = /again in (\d)/.exec(seen)?.[1];
      await see(new RegExp(`rate limited; trying again in (?!${first})\\d s`));
      expect(await see("[exit 0]")).not.toContain("rate limited");
    });
  });

  it("shows how long --wait-for has waited", async () => {
    const line = `incident get ${id} --wait-for resolved --wait-timeout 8s`;
    await withIncident(line, [], async ({ see }) => {
      await see(/waiting for RESOLVED, [1-7] s of 8 s/);
      const end = await see("[exit 10]");
      expect(end).not.toContain("waiting for");
    });
  });
});
