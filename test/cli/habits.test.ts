// The golden table of habits: what people type who know gh, kubectl, terraform, curl or another incident tool, and what
// is answered. The command lines of fixtures/habits.txt run in order, each in a world of its own; `-u` writes the answers.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createWorld, incident, type Result } from "../harness/incident.ts";

const fixture = new URL("../../fixtures/habits.txt", import.meta.url).pathname;

const update = "[{ description: Payments fail., status: INVESTIGATING }]";
const flat = (first: string) => `${first}\nservices: [checkout]\nincidentUpdates: ${update}\n`;
const guid = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";
const files = {
  ".incident.yaml": `services:\n  checkout: { name: Checkout, id: ${guid} }\n  payments: { name: Payments, id: 8a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d }\n`,
  "checkout.yaml": `id: 7c9e6679-7425-40de-944b-e07fc1f90ae7\n${flat("name: Checkout fails\nseverity: MAJOR")}`,
  "new.yaml": `id: 5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01\n${flat("name: Search is slow\nseverity: MINOR")}`,
  "noid.yaml": flat("name: Search is slow\nseverity: MINOR"),
  "lower.yaml": flat("name: Search is slow\nseverity: minor"),
};

/** The answer to one command line, where an incident was declared from checkout.yaml. */
async function answer(line: string): Promise<string> {
  const [command = "", input] = line.split(" < ");
  const world = createWorld({
    files,
    env: { INCIDENT_CLI_WEB_URL: "https://status.example/incidents/{id}" },
  });
  if (/7c9e|latest|last|status|journal/i.test(line)) await world.run("create -f checkout.yaml");
  const stdin = input === undefined ? {} : { stdin: files[input as keyof typeof files] };
  return describe(await world.run(command, stdin), world.folder);
}

/** At most ten lines of the answer: a help page or a table is known by its beginning. */
function describe({ exitCode, screen }: Result, folder: string): string {
  const lines = screen.replaceAll(folder, "/folder").trimEnd().split("\n");
  const shown = lines.length > 10 ? [...lines.slice(0, 3), "…"] : lines;
  return [...shown.map((line) => `  ${line}`.trimEnd()), `  [exit ${exitCode}]`].join("\n");
}

it("every habit gets the answer of the table", async () => {
  const parts = readFileSync(fixture, "utf8").split(/^(?=\$ |# )/m);
  const answered = await parts.reduce<Promise<string>>(async (before, part) => {
    const text = await before;
    const [, line] = /^\$ incident ?(.*)\n/.exec(part) ?? [];
    if (line === undefined) return text + part;
    return `${text}$ incident${line && ` ${line}`}\n${await answer(line)}\n\n`;
  }, Promise.resolve(""));
  await expect(`${answered.trimEnd()}\n`).toMatchFileSnapshot(fixture);
});

it.each([
  ["--help", "Delete an incident, or correct a posted text, in the service's web application."],
  ["create --help", "incident update and incident resolve post the next updates"],
])("incident %s leads to what comes after a create", async (line, sentence) => {
  const { stdout } = await incident(line);
  expect(stdout.replace(/\s+/g, " ")).toContain(sentence);
});
