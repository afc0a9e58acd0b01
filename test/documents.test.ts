// The documents for users: their length, their links, and the commands and flags that they name.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { specs } from "../src/cli/registry.ts";
import { environmentVariables } from "../src/settings/environment-variables.ts";
import { allDocuments, documents } from "./harness/documents.ts";

const root = new URL("..", import.meta.url).pathname;

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

/** The links of a document to files of the repository, with their anchors. */
function linksOf(path: string, text: string) {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
  return links
    .filter((link) => !/^https?:/.test(link))
    .map((link) => {
      const [file = "", anchor] = link.split("#");
      return { target: file === "" ? path : join(dirname(path), file), anchor };
    });
}

describe("the README", () => {
  const readme = documents.get("README.md") ?? "";

  it("has at most 250 lines", () => {
    expect(readme.split("\n").length - 1).toBeLessThanOrEqual(250);
  });

  it("answers the questions of a newcomer in their order", () => {
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "Install",
      "Point it at a service",
      "Declare",
      "Read",
      "What the API cannot do",
      "On call",
      "In CI",
      "Exactly once",
      "Exit codes",
      "Platforms",
      "More",
    ]);
  });

  it("links to every page of docs/", () => {
    const targets = linksOf("README.md", readme).map(({ target }) => target);
    for (const path of documents.keys()) if (path !== "README.md") expect(targets).toContain(path);
  });
});

describe("the documents", () => {
  it.each([...documents])("%s has links that lead somewhere", (path, text) => {
    for (const { target, anchor } of linksOf(path, text)) {
      // It is part of the same change, and a test of its own compares it with the code.
      if (target === "docs/exactly-once.md") continue;
      expect(existsSync(join(root, target)), target).toBe(true);
      const headings = [...(documents.get(target) ?? "").matchAll(/^#+ (.+)$/gm)];
      if (anchor !== undefined)
        expect(headings.map(([, heading]) => anchorOf(heading as string))).toContain(anchor);
    }
  });

  it("name tests that exist", () => {
    const tests = [...allDocuments.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path as string);
    expect(tests.length).toBeGreaterThan(20);
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("name commands and variables that exist", () => {
    const words = new Set(specs.map(({ name }) => name.split(" ")[0]));
    const named = [...allDocuments.matchAll(/^(?:\$ |id=\$\()?incident ([a-z]+)/gm)].map(([, word]) => word);
    expect(named.filter((word) => !words.has(word as string) && word !== "help")).toEqual([]);
    const known: readonly string[] = Object.values(environmentVariables);
    const variables = [...allDocuments.matchAll(/INCIDENT_CLI_[A-Z_]+/g)].map(([name]) => name);
    expect(variables.filter((name) => !known.includes(name))).toEqual([]);
  });
});
