// The help in a terminal of 80 columns.
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/failure.ts";
import { globalFlags } from "../../src/kit/global-flags.ts";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

const groups = [...new Set(specs.map(({ name }) => name.split(" ")[0] as string))];
const pages = [
  "--help",
  ...new Set([...groups, ...specs.map(({ name }) => name)].map((name) => `${name} --help`)),
];

describe("the help", () => {
  it.each(pages)("has no line of prose over 80 columns: incident %s", async (page) => {
    const { stdout } = await incident(page);
    // An example, and a line of a list, stay as they are.
    const isCommand = (line: string) => /^(?:Usage:| {2})/.test(line);
    expect(stdout.split("\n").filter((line) => line.length > 80 && !isCommand(line))).toEqual([]);
  });

  it.each(pages)("is drawn for a terminal of 40 columns: incident %s", async (page) => {
    const { stdout } = await incident(page, { terminal: { stdout: true, columns: 40 } });
    // A command stays whole, so that it can be copied.
    const isCommand = (line: string) => /^(?:Usage:|Output| {2}(?! {4})|.*--help)/.test(line);
    expect(stdout.split("\n").filter((line) => line.length > 40 && !isCommand(line))).toEqual([]);
  });

  it.each(["", "--help", "help"])("has every option and exit code in incident %s", async (line) => {
    const { stdout } = await incident(line);
    for (const { usage } of Object.values(globalFlags)) expect(stdout).toContain(`  ${usage} `);
    for (const [kind, code] of Object.entries(exitCodes))
      expect(stdout).toMatch(new RegExp(`^ +${code}  ${kind} `, "m"));
  });
});
