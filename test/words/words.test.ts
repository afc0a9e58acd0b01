// The golden files of every message: a changed word shows as a diff. `npm run words -- -u` rewrites them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groups } from "../../src/cli/registry.ts";
import { diagnosticCodes } from "../../src/diagnostic.ts";
import { exitCodes } from "../../src/failure.ts";
import { namesIn } from "../../src/kit/flags.ts";
import { globalFlags, parserFlags } from "../../src/kit/global-flags.ts";
import { isThorough, sampled } from "../harness/cases.ts";
import { createWorld } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";
import { renderCommandsDocument } from "../outputs/commands-document.ts";
import { files, partsOf } from "./command-lines.ts";
import { type Scenario, scenarios } from "./scenarios.ts";

const refused = ["refused.txt", "answered.txt"]
  .flatMap(partsOf)
  .map(({ said }) => said.replace(/^ {2}/gm, ""))
  .join("\n");

interface JsonError {
  readonly commands?: readonly { readonly command: string }[];
  readonly hint: string;
  readonly kind: string;
  readonly retryable: boolean;
}

const fixtures = new URL("../../fixtures/", import.meta.url).pathname;
const golden = (name: string) => join(fixtures, "words", name);

const filesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(join(fixtures, folder))
      .filter((name) => name.endsWith(".yaml"))
      .sort()
      .map((name) => [name, new Uint8Array(readFileSync(join(fixtures, folder, name)))]),
  );
const only = (files: ReturnType<typeof filesIn>, name: string) => ({ [name]: files[name] ?? "" });
const invalid = filesIn("invalid");
/** The first files of people who know other tools: each can be corrected after its message was read once. */
const newcomer = filesIn("newcomer");

/** The output of a command line, as a person reads it in 80 columns. */
async function shown(line: string, { before, ...setup }: Omit<Scenario, "line"> = {}): Promise<string> {
  const world = createWorld(setup);
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
    inTurn(Object.keys(invalid), (name) => shown(`validate ${name}`, { files: only(invalid, name) })),
  "newcomer.txt": () =>
    inTurn(Object.keys(newcomer), (name) => shown(`validate ${name}`, { files: only(newcomer, name) })),
  "help.txt": () =>
    inTurn(
      [
        "--help",
        ...[...groups.keys()].map((group) => `help ${group}`),
        ...specs.map(({ name }) => `${name} --help`),
      ],
      (line) => shown(line),
    ),
  "failures.txt": () => inTurn(scenarios, ({ line, ...setup }) => shown(line, setup)),
};

/** The commands in a hint, each with what follows it in the clause. */
const named = new RegExp(
  `(?<!into )\\bincident (${specs.map(({ name }) => name).join("|")})\\b([^;,:]*)`,
  "g",
);

describe("an error in JSON", () => {
  it("names no flag that its command does not take, and is retryable where nothing was published", async () => {
    const seen = new Set<string>();
    const texts = (await textOf("failures.txt")).split(/^(?=\$ incident )/m);
    expect(texts.length).toBe(scenarios.length);
    const failing = scenarios.map((scenario, at) => ({ cwd: "", ...scenario, said: texts[at] ?? "" }));
    const shared = createWorld({ files });
    const others = partsOf("refused.txt").map(({ command, cwd, said }) => ({ line: command, cwd, said }));
    for (const { before, cwd, line, said, ...setup } of sampled<(typeof failing)[number]>(
      [...failing, ...others],
      3,
    )) {
      const [told] = /^ +next: .*\bincident .*/ms.exec(said) ?? [];
      if (told === undefined || seen.has(told) || / (-o|--output) /.test(line)) continue;
      seen.add(told);
      const world = cwd === "" ? createWorld(setup) : shared;
      if (before !== undefined) await world.run(before);
      const result = await world.run(`${line} -o json`, { cwd });
      const [, json] = /^(\{"error":.*)$/m.exec(result.stderr) ?? [];
      if (json === undefined) continue;
      const { commands = [], hint, kind, retryable } = JSON.parse(json).error as JsonError;
      if (retryable) expect(["unavailable", "timeout"]).toContain(kind);
      const all = [hint, ...commands.map(({ command }) => command)].join("; ");
      for (const [clause, name, rest = ""] of all.matchAll(named)) {
        const flags = { ...globalFlags, ...parserFlags, ...specs.find((spec) => spec.name === name)?.flags };
        const taken = Object.values(flags).flatMap(({ usage }) => namesIn(usage));
        const given = rest.match(/(?<= )--[a-z-]+/g) ?? [];
        expect([clause, given.filter((flag) => !taken.includes(flag))]).toEqual([clause, []]);
      }
    }
    expect(seen.size).toBeGreaterThan(isThorough ? 20 : 7);
  });
});

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

it("help.txt has characters that every terminal shows", async () => {
  expect(await textOf("help.txt")).not.toMatch(/[^ -~\n]/);
});

it("docs/commands.md is that of the specs", async () => {
  await expect(await renderCommandsDocument()).toMatchFileSnapshot("../../docs/commands.md");
});

describe("the golden files have", () => {
  it("every diagnostic code", async () => {
    const texts = await Promise.all(["diagnostics.txt", "newcomer.txt", "failures.txt"].map(textOf));
    const all = [...texts, refused].join("");
    // A bug.
    expect(diagnosticCodes.filter((code) => !all.includes(`[${code}]`))).toEqual(["fault"]);
  });

  it("every kind of failure", async () => {
    const all = (await textOf("failures.txt")) + refused;
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

/** The sentences of a golden file: the messages and what follows them, as one line each. */
function sentences(text: string): readonly string[] {
  const said = text.split("\n").filter((line) => !/^\$ |^ +\d* ?\| /.test(line));
  return said
    .join("\n")
    .split(/\n(?=\S|\n| {2}(?:next|fix): )/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim());
}

describe("no message shows", () => {
  it.each(faults)("%s", async (_, pattern) => {
    const texts = await Promise.all(["diagnostics.txt", "failures.txt"].map(textOf));
    const all = [...texts, refused].flatMap(sentences);
    expect(all.filter((sentence) => pattern.test(sentence))).toEqual([]);
  });
});

it.each(["no-break-space-after-value.yaml", "severity-in-lower-case.yaml", "status-in-lower-case.yaml"])(
  "--fix makes %s of a newcomer valid",
  async (name) => {
    const world = createWorld({ files: newcomer });
    const { stdout } = await world.run(`validate --fix ${name}`);
    expect(stdout).toContain("1 definition in 1 file: valid");
    expect((await world.run(`validate ${name}`)).exitCode).toBe(0);
  },
);
