// The manual: the man pages are those of the specs, and mandoc finds no fault in them.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { renderManPage } from "../../src/cli/manual/man-page.ts";
import { renderManPages } from "../../src/cli/manual/manual.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { isMissing } from "../harness/programs.ts";

const root = new URL("../..", import.meta.url).pathname;
const edition = { version: "1.2.3", date: "2026-11-22" };

/** The page as a person reads it. */
async function drawn(page: string): Promise<string> {
  const { stdout } = await execa("mandoc", ["-T", "utf8", "-O", "width=78"], { input: page });
  // Bold is a letter, a backspace and the letter again.
  return stdout.replace(/[^\n](?=[\b])/g, "").replace(/[\b]/g, "");
}

it("package.json names every man page", async () => {
  const { man } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(man).toEqual([...(await renderManPages(edition)).keys()].map((name) => `./dist/man/${name}`));
});

describe.skipIf(isMissing("mandoc"))("the man pages", () => {
  it("have no fault that mandoc finds", async () => {
    const folder = mkdtempSync(join(temporaryFolder(), "man"));
    const pages = [...(await renderManPages(edition))];
    for (const [name, text] of pages) writeFileSync(join(folder, name), text);
    const lint = (...names: string[]) =>
      execa("mandoc", ["-T", "lint", ...names], { cwd: folder, reject: false });
    expect((await lint(...pages.map(([name]) => name))).stdout).toBe("");
    writeFileSync(
      join(folder, "broken.1"),
      ".TH BROKEN 1 2026-11-22\n.SH NAME\nbroken \\- x\n.PP\n.SH A\n.XX\n",
    );
    expect((await lint("broken.1")).stdout).toContain("unknown macro");
  });

  it("show the options, examples and exit codes", async () => {
    const pages = await renderManPages(edition);
    const program = await drawn(pages.get("incident.1") as string);
    expect(program).toContain("incident - declare status page incidents from YAML files, exactly once");
    expect(program).toMatch(/8 uncertain\n +a create, an update or an edit was sent,/);
    const apply = await drawn(pages.get("incident-apply.1") as string);
    expect(apply).toMatch(/--fail-on-drift\n +exit with 11/);
    expect(apply).toContain("incident apply -f incidents/ --dry-run\n");
  });

  it("show backslashes, leading dots and signs beyond ASCII as they are", async () => {
    const sections = { Description: ".hidden files:", Examples: "  'a' | grep \\\\.x" };
    const page = { name: "incident", summary: "…", synopsis: "incident", sections, seeAlso: [] };
    const text = await drawn(renderManPage(page, edition));
    expect(text).toContain("incident - …");
    expect(text).toContain(".hidden files:");
    expect(text).toContain("'a' | grep \\\\.x");
  });
});
