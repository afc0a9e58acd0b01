// The golden files of every message: a changed word shows as a diff. `npm run words -- -u` rewrites them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { topics } from "../../src/cli/help/topic-names.ts";
import { renderCommandsDocument } from "../../src/cli/manual/manual.ts";
import { groups, specs } from "../../src/cli/registry.ts";
import { exitCodes } from "../../src/failure.ts";
import { explanations } from "../../src/incident/explanations.ts";
import { createWorld } from "../harness/incident.ts";
import { type Scenario, scenarios } from "./scenarios.ts";

const fixtures = new URL("../../fixtures/", import.meta.url).pathname;
const golden = (name: string) => join(fixtures, "words", name);

const invalid = Object.fromEntries(
  readdirSync(join(fixtures, "invalid"))
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => [name, new Uint8Array(readFileSync(join(fixtures, "invalid", name)))]),
);

/** The output of a command line, as a person reads it in 80 columns. */
async function shown(line: string, { before, ...setup }: Omit<Scenario, "line"> = {}): Promise<string> {
  const world = createWorld({ nodeVersion: "v22.12.0", ...setup });
  if (before !== undefined) await world.run(before);
  const { exitCode, screen } = await world.run(line);
  const text = screen.replaceAll(world.folder, "/folder").replace(/(?<=127\.0\.0\.1:)\d{4,5}/g, "47811");
  return `$ incident ${line}\n${text.replace(/\n?$/, "\n")}${exitCode === 0 ? "" : `[exit ${exitCode}]\n`}`;
}

async function inTurn<T>(values: readonly T[], show: (value: T) => Promise<string>): Promise<string> {
  let all = "";
  for (const value of values) all += `${await show(value)}\n`;
  return all;
}

const rendered: Readonly<Record<string, () => Promise<string>>> = {
  "diagnostics.txt": () =>
    inTurn(Object.keys(invalid), (name) => shown(`validate ${name}`, { files: invalid })),
  "diagnostics.json": async () => {
    const files: Record<string, unknown> = {};
    for (const name of Object.keys(invalid)) {
      const { stdout } = await createWorld({ files: invalid }).run(`validate ${name} -o json`);
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: Record<string, unknown>[] };
      files[name] = diagnostics.map(({ code, hint, level, message }) => ({ code, level, message, hint }));
    }
    return `${JSON.stringify(files, undefined, 2)}\n`;
  },
  "help.txt": () =>
    inTurn(
      [
        "--help",
        ...topics.map((topic) => `help ${topic}`),
        ...Object.keys(groups).map((group) => `help ${group}`),
        ...specs.map(({ name }) => `${name} --help`),
      ],
      (line) => shown(line),
    ),
  "explanations.txt": () =>
    inTurn(["explain", ...Object.keys(explanations).map((code) => `explain ${code}`)], (line) => shown(line)),
  "failures.txt": () => inTurn(scenarios, ({ line, ...setup }) => shown(line, setup)),
};

const cache = new Map<string, Promise<string>>();
function textOf(name: string): Promise<string> {
  const text = cache.get(name) ?? (rendered[name] as () => Promise<string>)();
  cache.set(name, text);
  return text;
}

describe("the words of", () => {
  it.each(Object.keys(rendered))("%s are those of the golden file", async (name) => {
    await expect(await textOf(name)).toMatchFileSnapshot(golden(name));
  });
});

it("docs/commands.md is that of the specs, as npm run docs writes it", async () => {
  await expect(await renderCommandsDocument()).toMatchFileSnapshot("../../docs/commands.md");
});

describe("the golden files have", () => {
  it("every diagnostic code", async () => {
    const all = (await textOf("diagnostics.txt")) + (await textOf("failures.txt"));
    expect(Object.keys(explanations).filter((code) => !all.includes(`[${code}]`))).toEqual([]);
  });

  it("every kind of failure", async () => {
    const all = await textOf("failures.txt");
    const missing = Object.entries(exitCodes).filter(([, code]) => !all.includes(`[exit ${code}]`));
    // A bug, and the signals.
    expect(missing.map(([kind]) => kind)).toEqual(["internal", "interrupted", "terminated"]);
  });
});

/** What a message shows where a value is missing or a list is empty. */
const faults: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["undefined", /\bundefined\b/],
  ["NaN", /\bNaN\b/],
  ["an object", /\[object /],
  ["a limit of 0", /\b(at most|up to|more than|at least) 0\b/],
  ["nothing after a colon", /^(next|fix): .*:$/],
  ["an empty list", /\b(write one of|with one of|one of|is one of|are)[: ]*(;|$)|(?<!\bhttps?): *[;,]/],
  ["an or without its end", /\bor *([.;,:]|$)/],
  ["an empty pair of quotes", /(?<!blank: )(?<!cannot be )""/],
  ["a double space in a sentence", /[a-z,;] {2,}[a-z]+ [a-z]+ [a-z]+.* next:/],
];

/** The sentences of the golden files: the messages and what follows them, as one line each. */
async function sentences(name: string): Promise<readonly string[]> {
  const text = await textOf(name);
  const said = text.split("\n").filter((line) => !/^\$ |^ +\d* ?\| /.test(line));
  return said
    .join("\n")
    .split(/\n(?=\S|\n| {2}(?:next|fix): )/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim());
}

describe("no message shows", () => {
  it.each(faults)("%s", async (_, pattern) => {
    const all = (await Promise.all(["diagnostics.txt", "failures.txt"].map(sentences))).flat();
    expect(all.filter((sentence) => pattern.test(sentence))).toEqual([]);
  });
});
