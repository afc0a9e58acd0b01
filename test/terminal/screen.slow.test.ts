// A read in a real terminal: while it waits, with --watch, and through a pager.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { command, node } from "../built/program.ts";
import { isMissing } from "../harness/programs.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { type Terminal, withTerminal } from "./tmux.ts";

const fixtures = new URL("../../fixtures/", import.meta.url);
const id = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";

/** A terminal in front of a sandbox with these flags and one incident. The create makes the first read. */
async function withIncident(
  line: string,
  sandbox: readonly string[],
  use: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  const file = new URL("api-outage.yaml", fixtures).pathname;
  await withSandbox(async (service) => {
    const { exitCode } = await execa(node, [command, "create", "-f", file], {
      env: service,
      reject: false,
    });
    expect(exitCode).toBe(0);
    await withTerminal(line, { env: service, columns: 80, rows: 24 }, use);
  }, sandbox);
}

describe.skipIf(isMissing("tmux"))("incident get --watch in a terminal", () => {
  it("prints a line for the incident, until Ctrl-C", async () => {
    await withIncident(`incident get ${id} --watch`, [], async ({ press, see }) => {
      await see(`${id}  INVESTIGATING`);
      await press("C-c");
      expect(await see("[exit 130]")).not.toContain("error:");
    });
  });
});

describe.skipIf(isMissing("tmux"))("a wait in a terminal", () => {
  it("is shown while it lasts, and then erased", async () => {
    await withIncident(`incident get ${id}`, ["--fault", "get#2:slow=2s"], async ({ see }) => {
      await see(/^[-\\|/] waiting for 127\.0\.0\.1:\d+$/m);
      const end = await see("[exit 0]");
      expect(end).not.toContain("waiting");
      expect(end.split("\n")[0]).toBe("Public API returns errors for all requests");
    });
  });

  it("counts down to the next attempt after a 429", async () => {
    await withIncident(`incident get ${id}`, ["--fault", "get#2:429=3"], async ({ see }) => {
      await see("rate limited; sending again in 3 s");
      await see("rate limited; sending again in 2 s");
      expect(await see("[exit 0]")).not.toContain("rate limited");
    });
  });

  it("is not written to a file", async () => {
    const line = `incident get ${id} > out 2> err`;
    await withIncident(line, ["--fault", "get#2:slow=1s"], async ({ folder, see }) => {
      await see("[exit 0]");
      expect(readFileSync(join(folder, "err"), "utf8")).toBe("");
    });
  });

  it("shows how long --wait-for has waited", async () => {
    const line = `incident get ${id} --wait-for resolved --wait-timeout 3s`;
    await withIncident(line, [], async ({ see }) => {
      await see(/waiting for RESOLVED, 2 s of 3 s/);
      const end = await see("[exit 10]");
      expect(end).not.toContain("waiting for");
    });
  });
});

describe.skipIf(isMissing("tmux", "less"))("a page", () => {
  it("keeps its colors and its layout in less -R", async () => {
    await withIncident(`incident get ${id} --color | less -R`, [], async ({ press, screen, see }) => {
      expect(await see("(END)")).toContain("Public API returns errors");
      const colored = await screen("colored");
      expect(colored).toContain("\u001b[31m● INVESTIGATING");
      expect(await screen()).not.toContain("ESC[");
      // Node.js restores the terminal, possibly to the mode before the pager enabled single keys.
      await press("q", "Enter");
      await see("[exit 0]");
    });
  });
});
