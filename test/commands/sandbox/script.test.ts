// `incident sandbox --script` moves incidents on, and a shell in a sandbox is told what it is.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const files = { "x.yaml": definitionYaml({ id: incidentId }) };
const steps = '--script "1s: monitoring: A fix is being watched." --script "2s: RESOLVED"';

describe("--script", () => {
  it("moves each incident on, so that --wait-for succeeds", async () => {
    const world = createWorld({ files });
    expect((await world.run("sandbox --data kept -- incident create x.yaml")).exitCode).toBe(0);
    const wait = `get ${incidentId} --wait-for resolved --interval 1s --wait-timeout 1m -o json`;
    const { exitCode, stdout } = await world.run(`sandbox --data kept ${steps} -- incident ${wait}`);
    expect(exitCode).toBe(0);
    const { incidentUpdates, lastUpdateStatus } = JSON.parse(stdout);
    expect(lastUpdateStatus).toBe("RESOLVED");
    expect(
      incidentUpdates.map((update: Record<string, string>) => [update.status, update.description]),
    ).toEqual([
      ["INVESTIGATING", "We are looking into it."],
      ["MONITORING", "A fix is being watched."],
      ["RESOLVED", "The script of the sandbox sets the status RESOLVED."],
    ]);
    const later = await world.run(`sandbox --data kept -- incident get ${incidentId} -o json`);
    expect(JSON.parse(later.stdout).lastUpdateStatus).toBe("RESOLVED");
  });

  it.each([
    ["RESOLVED", '--script: "RESOLVED" is not TIME: STATUS, such as 60s: RESOLVED'],
    ['"1s: FIXED"', '--script: "FIXED" is not a status: write one of INVESTIGATING, IDENTIFIED'],
  ])("refuses %s", async (step, text) => {
    const { exitCode, stderr } = await incident(`sandbox --script ${step} -- incident --version`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(text);
  });
});

describe("a shell in a sandbox", () => {
  it("is told what it is, where the page is and how to leave", async () => {
    const { stderr } = await incident("sandbox -- /bin/sh", { terminal: { stdin: true } });
    expect(stderr).toMatch(
      /^This shell uses a sandbox: its incidents exist on this machine alone, and no customer sees them\.\nThe status page: http:\/\/127\.0\.0\.1:\d+\/\nTry: incident create\. To leave: exit, or Ctrl-D\.\n/,
    );
  });

  it.each([
    ["sandbox -- sh", false],
    ["sandbox -- sh runbook.sh", true],
    ["sandbox -- ./runbook.sh", true],
  ])("a script is told nothing: %s", async (line, stdin) => {
    expect((await incident(line, { terminal: { stdin } })).stderr).not.toContain("This shell");
  });
});
