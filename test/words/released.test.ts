// The interface of the last release is part of today's, except for the lines that the changelog lists under "Breaking".
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url).pathname;
const textOf = (name: string) => readFileSync(`${root}${name}`, "utf8");

/** Each line below its title, without the values that it may take, and those values. */
function entriesOf(text: string): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, readonly string[]>();
  let title = "";
  for (const line of text.split("\n").filter((line) => line !== "")) {
    if (!line.startsWith("  ")) title = line;
    const [, name = line, values = ""] =
      /^( {2}-o) (.*)$/.exec(line) ??
      /^( {2}\.\S+): (.*)$/.exec(line) ??
      /^( {2}.*?) \((.*)\)$/.exec(line) ??
      [];
    entries.set(`${title}\n${name}`, values.split(/, | \| /));
  }
  return entries;
}

/** The name where one operand, `<id>`, became any number of them, `[id...]`: what worked before still works. */
function widened(name: string): string {
  const [command = "", ...lines] = name.split("\n");
  const wider = command.replace(/<([\w-]+)>$/, "[$1...]");
  return [
    wider,
    ...lines.map((line) => (line.trim() === command ? line.replace(command, wider) : line)),
  ].join("\n");
}

/** The lines of `before` that are gone, or have lost a value. */
function removed(before: string, now: string): readonly string[] {
  const entries = entriesOf(now);
  return [...entriesOf(before)].flatMap(([name, values]) => {
    const found = entries.get(name) ?? entries.get(widened(name));
    if (found === undefined) return [name];
    return values.filter((value) => !found.includes(value)).map((value) => `${name} ${value}`);
  });
}

/** The text below "Breaking" among the changes that are not released. */
function breaking(changelog: string): string {
  const [, unreleased = ""] = changelog.split(/^## /m);
  return /^### Breaking\n(.*?)(?=^### |$(?![\s\S]))/ms.exec(unreleased)?.[1] ?? "";
}

const versions = readdirSync(`${root}fixtures/released`)
  .filter((version) => readdirSync(`${root}fixtures/released/${version}`).includes("interface.txt"))
  .sort(new Intl.Collator("en", { numeric: true }).compare);

describe.each(versions.slice(-1))("of the interface of %s", (version) => {
  it("nothing is gone that the changelog does not name", () => {
    const gone = removed(
      textOf(`fixtures/released/${version}/interface.txt`),
      textOf("fixtures/words/interface.txt"),
    );
    const told = breaking(textOf("CHANGELOG.md"));
    expect(gone.filter((line) => !told.includes(line.split("\n  ").at(-1) ?? line))).toEqual([]);
  });
});

describe("what is removed", () => {
  const before =
    "incident get\n  --wait-for <status> (A, B)\n  -o table, json\n\nget -o json\n  .id: string\n  .status?: A | B\n";

  it.each([
    ["a flag", before.replace("  --wait-for <status> (A, B)\n", ""), ["incident get\n  --wait-for <status>"]],
    ["a value of a flag", before.replace("(A, B)", "(A)"), ["incident get\n  --wait-for <status> B"]],
    ["an output", before.replace("table, json", "table"), ["incident get\n  -o json"]],
    ["a field", before.replace("  .id: string\n", ""), ["get -o json\n  .id"]],
    ["a value of a field", before.replace("A | B", "A"), ["get -o json\n  .status? B"]],
  ])("is found: %s", (_, now, gone) => {
    expect(removed(before, now)).toEqual(gone);
  });

  it("is not what was added", () => {
    expect(removed(before, before.replace("A | B", "A | B | C").replace("(A, B)", "(A, B, C)"))).toEqual([]);
  });

  it("is told below Breaking, among the changes that are not released", () => {
    const changelog =
      "## [Unreleased]\n\n### Breaking\n\n- `--wait-for <status>` is gone.\n\n### Fixed\n\n- x\n\n## [1]\n\n### Breaking\n\n- old\n";
    expect(breaking(changelog)).toContain("--wait-for <status>");
    expect(breaking(changelog)).not.toContain("old");
  });
});
