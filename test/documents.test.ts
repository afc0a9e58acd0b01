// The documents for users: their length, their links, and the commands and flags that they name.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputsOf } from "../src/kit/command.ts";
import { globalFlags } from "../src/kit/global-flags.ts";
import { environmentVariables } from "../src/workspace/settings.ts";
import { allDocuments, documents, internalDocuments } from "./harness/documents.ts";
import { createWorld } from "./harness/incident.ts";
import { specs } from "./harness/specs.ts";

const root = new URL("..", import.meta.url).pathname;

const everyDocument = new Map([...documents, ...internalDocuments]);

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

/** The command lines in the code of a document, each from the word after `incident`. */
function commandLines(text: string): readonly string[] {
  const fence = /^```\w+\n(.*?)^```$/gms;
  const joined = text.replace(/\\\n\s*/g, "");
  const blocks = [...joined.matchAll(fence)].flatMap(([, block = ""]) => block.split("\n"));
  const spans = [...joined.replace(fence, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  return [...blocks, ...spans]
    .filter((line) => !/^\s*#|^declare|^incident cannot start/.test(line))
    .flatMap((line) => line.split(/(?<=^|[\s(])incident (?=[a-z])/).slice(1))
    .map((line) => line.replace(/\s(?:#|&&|\||--(?=\s)|>).*$/, ""));
}

/** The parts of a command line that name no command, and no flag or format of the command. */
function unknownParts(line: string): readonly string[] {
  const words = line.split(/[\s),;]+/);
  const [first = "", second = ""] = words;
  const spec =
    specs.find(({ name }) => name === `${first} ${second}`) ?? specs.find(({ name }) => name === first);
  if (spec === undefined) return first === "help" ? [] : [first];
  const usages = Object.values({ ...globalFlags, ...spec.flags }).map(({ usage }) => usage);
  const flags = ["--help", "-o", "--output", ...usages.flatMap((usage) => usage.match(/--?[a-z-]+/gi) ?? [])];
  const formats: readonly string[] = outputsOf(spec);
  return words.filter((word, index) => {
    if (words[index - 1] === "-o") return /^[a-z]/.test(word) && !formats.includes(word);
    return /^--?[a-z]/i.test(word) && !flags.includes(word.replace(/=.*$/, ""));
  });
}

describe("the README", () => {
  const readme = documents.get("README.md") ?? "";

  it("has at most 150 lines and 900 words", () => {
    expect(readme.split("\n").length - 1).toBeLessThanOrEqual(150);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
  });

  it("answers the questions of a newcomer in their order", () => {
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "Install",
      "Declare",
      "Update, resolve, list",
      "In CI",
      "Exactly once",
      "Exit codes",
      "More",
    ]);
  });
});

describe("the blocks of the README", () => {
  const blocks = [...(documents.get("README.md") ?? "").matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const textsIn = (language: string) =>
    blocks.filter(([, each]) => each === language).map(([, , text]) => text);
  const lines = textsIn("sh").flatMap((text = "") => text.trimEnd().split("\n"));

  it("have npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = lines.flatMap((line) => line.match(/(?<=npm (?:run )?)(?:demo|test)\b/g) ?? []);
    expect(named).toEqual(["demo", "test"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it("have a definition and commands that run one after the other", async () => {
    const [definition = ""] = textsIn("yaml");
    const world = createWorld({
      files: { "incidents/checkout.yaml": definition },
      sandbox: { onlySpec: false },
    });
    await world.run("validate -R incidents --fix --assign-ids");
    const commands = lines.filter((line) => line.startsWith("incident ")).map((line) => line.slice(9));
    const ended: [string, number][] = [];
    for (const command of commands.map((line) => line.replace(/\s+(?:#|&&).*$/, "")))
      ended.push([command, (await world.run(command)).exitCode]);
    expect(ended).toEqual([
      ["validate -R incidents --for apply -o github", 0],
      ["apply -R -f incidents --deadline 10m", 0],
      ["gate --severity major", 12],
    ]);
  });
});

describe("the first page of docs/", () => {
  const firstPage = "docs/README.md";

  it("is a link of the README", () => {
    expect(linksOf("README.md", documents.get("README.md") ?? "").map(({ target }) => target)).toContain(
      firstPage,
    );
  });

  it("links to every other page", () => {
    const targets = linksOf(firstPage, documents.get(firstPage) ?? "").map(({ target }) => target);
    for (const path of documents.keys())
      if (path !== "README.md" && path !== firstPage) expect(targets).toContain(path);
  });
});

describe("the length of the documents", () => {
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

  it.each([
    ["CONTRIBUTING.md", 2000],
    ["docs/alerts.md", 900],
    ["docs/exactly-once.md", 700],
  ])("%s has at most %i words", (path, limit) => {
    expect(wordsOf(everyDocument.get(path) as string)).toBeLessThanOrEqual(limit);
  });

  it("the pages below docs/ have at most 10,500 words beside the generated one", () => {
    const pages = [...everyDocument].filter(([path]) => /^docs\/(?!commands\.md)/.test(path));
    const words = pages.map(([, text]) => wordsOf(text)).reduce((sum, count) => sum + count, 0);
    expect(words).toBeLessThanOrEqual(10_500);
  });
});

describe("the documents", () => {
  it.each([...everyDocument])("%s has links that lead somewhere", (path, text) => {
    for (const { target, anchor } of linksOf(path, text)) {
      expect(existsSync(join(root, target)), target).toBe(true);
      const headings = [...(everyDocument.get(target) ?? "").matchAll(/^#+ (.+)$/gm)];
      if (anchor !== undefined)
        expect(headings.map(([, heading]) => anchorOf(heading as string))).toContain(anchor);
    }
  });

  it.each([
    ["tests", /`(test\/[\w./-]+)`/g],
    ["sources", /`(src\/[a-z\d./-]+)`/g],
  ])("name %s that exist", (_, pattern) => {
    const paths = [...allDocuments.matchAll(pattern)].map(([, path]) => path as string);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("name commands, flags and formats that exist", () => {
    // The generated page has the examples of the specs, between prose.
    const examples = specs.flatMap((spec) => Object.keys(spec.examples)).join("\n");
    const written = [...documents].filter(([path]) => path !== "docs/commands.md").map(([, text]) => text);
    const lines = [...written, `\`\`\`sh\n${examples}\n\`\`\``].flatMap(commandLines);
    expect(lines.length).toBeGreaterThan(190);
    expect(lines.filter((line) => unknownParts(line).length > 0)).toEqual([]);
  });

  it("name variables that exist", () => {
    const known: readonly string[] = Object.values(environmentVariables);
    const variables = [...allDocuments.matchAll(/INCIDENT_CLI_[A-Z_]+/g)].map(([name]) => name);
    expect(variables.filter((name) => !known.includes(name))).toEqual([]);
  });
});
