// A terminal of 40 columns: no line is longer, and no id is cut.
import { expect, it } from "vitest";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";

const terminal = { stdin: true, stdout: true, stderr: true, columns: 40 };
const files = {
  "a.yaml": `id: ${incidentId}\n${definitionYaml({ incidentUpdates: "[{ description: We are looking., notifySubscribers: true }]" })}`,
};

/** The lines that a terminal of 40 columns would cut, except one long word, such as a path. */
function cutLines(text: string): string[] {
  return text.split("\n").filter((line) => line.trimEnd().length > 40 && line.trim().includes(" "));
}

it("no line is cut at 40 columns, and every id stays whole", async () => {
  const world = createWorld({ files, terminal, env: { NO_COLOR: "1" } });
  for (const [line, answers] of [
    [`get ${incidentId}`, []],
    ["create -f a.yaml", ["y"]],
    [`get ${incidentId}`, []],
    ["apply -f a.yaml", []],
    ["journal list", []],
    [`journal show ${incidentId}`, []],
    ["config show", []],
  ] as const) {
    const { stdout, stderr } = await world.run(line, { answers });
    expect({ line, cut: cutLines(stdout + stderr) }).toEqual({ line, cut: [] });
    if (line !== "config show")
      expect({ line, text: stdout + stderr }).toMatchObject({ text: expect.stringContaining(incidentId) });
  }
});

it("headings stand over their columns at 80 columns, and no heading stands over nothing at 40", async () => {
  const world = createWorld({
    files: { ...files, "b.yaml": definitionYaml({ name: "Search is slow" }) },
    terminal: { ...terminal, columns: 80 },
    env: { NO_COLOR: "1" },
    sandbox: { onlySpec: false },
  });
  expect((await world.run("create -f a.yaml -f b.yaml --yes")).exitCode).toBe(0);
  const lines = (await world.run("list")).stdout.split("\n");
  const row = lines.find((line) => line.includes(incidentId));
  for (const [heading, cell] of Object.entries({ ID: incidentId, STATUS: "●", SEVERITY: "▲" }))
    expect({ heading, column: lines[0]?.indexOf(heading) }).toEqual({ heading, column: row?.indexOf(cell) });
  const { stdout } = await world.run("list", { terminal });
  expect(stdout).toContain(incidentId);
  expect(stdout).not.toContain("SEVERITY");
});

it("no line ends inside a command to copy, and no line has spaces alone", async () => {
  const world = createWorld({ files, env: { NO_COLOR: "1" }, faults: ["create:drop-before-commit"] });
  expect((await world.run("create -f a.yaml")).exitCode).toBe(8);
  const { stdout } = await world.run("doctor", { terminal });
  expect(stdout).toContain(`look for it with\nincident journal settle ${incidentId}\n`);
  expect(stdout).not.toMatch(/^ +$/m);
});

it("a question is wrapped between words", async () => {
  const world = createWorld({ files, terminal, env: { NO_COLOR: "1" } });
  const { screen } = await world.run("create -f a.yaml", { answers: ["n"] });
  expect(screen).toContain(
    `account\n11111111-2222-4333-8444-555555555555,\nand notify the subscribers of Checkout?\n`,
  );
});
