// The help at the widths of common terminals.
import { describe, expect, it } from "vitest";
import { reflow } from "../../src/cli/help.ts";
import { topics } from "../../src/cli/help-pages.ts";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

const groups = [...new Set(specs.map(({ name }) => name.split(" ")[0] as string))];
const pages = [
  "--help",
  ...new Set([...groups, ...specs.map(({ name }) => name)].map((name) => `${name} --help`)),
  ...Object.keys(topics).map((name) => `help ${name}`),
];

/** Lines that are too long although they have a place to break at. */
async function longLines(page: string, columns: number): Promise<string[]> {
  const { stdout } = await incident(page, { terminal: { columns } });
  return stdout.split("\n").filter(
    (line) =>
      line.length > columns &&
      line
        .trim()
        .replace(/^# |^- /, "")
        .includes(" "),
  );
}

describe("the help", () => {
  it.each([80, 40])("has no line over %i columns", async (columns) => {
    const long: Record<string, string[]> = {};
    for (const page of pages) {
      const lines = await longLines(page, columns);
      if (lines.length > 0) long[page] = lines;
    }
    expect(long).toEqual({});
  });

  it("has each example below its comment, ready to copy", async () => {
    const { stdout } = await incident("create --help", { terminal: { columns: 50 } });
    expect(stdout).toContain(
      [
        "  # without a file",
        "  incident create --name 'Checkout fails' \\",
        "      --severity major --service checkout \\",
        "      --message 'We are on it.'",
        "",
      ].join("\n"),
    );
  });

  it("moves a summary below its term where the screen is narrow", async () => {
    const { stdout } = await incident("create --help", { terminal: { columns: 40 } });
    expect(stdout).toContain(
      "  --severity <severity>\n      critical, major, medium or minor\n  --service <service>\n",
    );
  });
});

describe("reflow", () => {
  it("takes a line that starts with a flag for text", () => {
    expect(reflow("The text goes on with\n-o json, on the next line.\n\n-o json prints it.", 80)).toBe(
      "The text goes on with -o json, on the next line.\n\n-o json prints it.",
    );
  });

  it("keeps the lines of a fence as they are, for a literal copy", () => {
    const text = "As in:\n\n~~~\nname: a\n---\n- b:  c\n~~~\n\nThe\nend.";
    expect(reflow(text, 60)).toBe("As in:\n\nname: a\n---\n- b:  c\n\nThe end.");
  });

  it("joins the lines of a paragraph, and keeps lists and code apart", () => {
    const text = "One two\nthree four five.\n\n- an item that is long\n  code:";
    expect(reflow(text, 16)).toBe(
      ["One two three", "four five.", "", "- an item that", "  is long", "  code:"].join("\n"),
    );
  });
});
