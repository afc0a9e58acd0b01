// Checking a file and drawing its diagnostics takes linear time: a bounded number of steps for each character. Steps
// are counted, not timed.
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../src/failure.ts";
import { incidentFacts } from "../src/incident/wire.ts";
import { renderIncidents } from "../src/kit/formats/markdown.ts";
import { checkDocuments, defaultLoadOptions, type LoadOptions } from "../src/source/definitions.ts";
import { fixSource } from "../src/source/fix.ts";
import { parseSource } from "../src/source/yaml/read.ts";
import { wrapText } from "../src/text/lengths.ts";
import { renderFailure } from "../src/view/failure.ts";
import { renderIncident } from "../src/view/incident.ts";
import { colors } from "../src/view/terminal/chalk.ts";
import { createStyle, measureText } from "../src/view/terminal/style.ts";
import { answer, definitionYaml, incidentId as id } from "./harness/builders.ts";
import { isComplete } from "./harness/cases.ts";
import { createWorld } from "./harness/incident.ts";
import { countSteps, stopCounting } from "./harness/steps.ts";

/**
 * In bytes. A page draws the first 10,000 characters of a text and counts the others, so that less than 64 KiB says little.
 * Where the work for each byte grew with the size, it would be over its bound there. CASES=all takes larger ones as well, of
 * which the bounds of a file end the work at the largest one.
 */
const sizes = [2 ** 16, ...(isComplete ? [2 ** 17, 2 ** 18, 2 ** 20] : [])];

const style = createStyle({ columns: 80, isTerminal: false }, colors, () => 0);

/** Checks a text, and draws what is wrong with it. */
function check(text: string): void {
  const bytes = new TextEncoder().encode(text);
  const { diagnostics } = checkDocuments(parseSource({ file: "a.yaml", bytes }), defaultLoadOptions());
  renderFailure(style, new Failure("invalid", text.slice(0, 100), { hint: "", diagnostics }));
}

/** Draws an incident whose every text is `text`. */
function draw(text: string): void {
  const facts = incidentFacts({
    id: text,
    name: text,
    severity: text,
    services: [{ name: text }],
    incidentUpdates: [{ description: text, status: text, created_at: text }],
    created_at: text,
  });
  renderIncident(style, facts);
  renderIncidents([facts]);
}

/** Characters with a meaning in YAML, in variables or in a terminal, and others. */
const character = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(..."\"'{}[],:-?&*!|>%@#$\\`~ \n\ta0") },
  { weight: 1, arbitrary: fc.constantFrom("é", "決", "\u0301", "\u200d", "\u{1f469}", "\u202e", "\u001b") },
);
const unit = fc.array(character, { minLength: 1, maxLength: 4 }).map((characters) => characters.join(""));

/** CASES=all takes those that take longer, and those that are like others, too. */
const known = [
  ...['"', "${", "[", "- ", "&a "],
  ...(isComplete ? ["{}", "---\na\n", "|\n", "'", "${a:-", ":'", '" ', "a: ", "* ", "{a", " "] : []),
];

const seed = Number(process.env.INCIDENT_TEST_SEED ?? 17);

describe("the count of steps", () => {
  it("is at least the number of turns of a loop", async () => {
    let turns = 0;
    const steps = await countSteps(() => {
      for (let outer = 0; outer < 300; outer += 1) for (let inner = 0; inner < 300; inner += 1) turns += 1;
    });
    expect(turns).toBe(90_000);
    expect(steps).toBeGreaterThanOrEqual(turns);
  });
});

describe("a repeated text", () => {
  /** zod takes several thousand steps for each document, however short it is. */
  const mostFor = (text: string) => (text.includes("---") ? 1300 : 300);

  it.each(known)("%j takes few steps a byte, and no more where it is longer", expectFewSteps);

  it.runIf(isComplete)("of any 1 to 4 characters, too", { timeout: 0 }, async () => {
    await fc.assert(fc.asyncProperty(unit, expectFewSteps), { seed, numRuns: 3 });
  });

  async function expectFewSteps(text: string): Promise<void> {
    const counts: number[] = [];
    for (const size of sizes) {
      const repeated = text.repeat(size / Buffer.byteLength(text));
      const steps = await countSteps(() => {
        check(repeated);
        check(`name: ${repeated}"\n`);
        draw(repeated);
      });
      counts.push(steps / size);
    }
    const [shortest = 0, ...longer] = counts;
    expect(shortest).toBeLessThan(mostFor(text));
    for (const count of longer) expect(count).toBeLessThan(1.2 * shortest);
  }
});

describe("a large file", () => {
  const entries = (count: number, entry: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => entry(index)).join("");
  const guid = (index: number) => `7c9e6679-7425-40de-944b-${String(index).padStart(12, "0")}`;
  const name = (index: number) => `service-${String((index * 7919) % 100_000).padStart(5, "0")}`;
  const definition = (services: string) =>
    `name: x\nseverity: MAJOR\nservices:\n${services}incidentUpdates:\n  - description: y\n`;
  const names = Array.from(
    { length: 5_000 },
    (_, index) => [name(index), { id: guid(index), name: "n" }] as const,
  );
  const values = new Map(names.map(([name]) => [name, "value"]));
  const catalog = { file: ".incident.yaml", services: new Map(names), diagnostics: [] };
  const options: LoadOptions = {
    variables: { values, used: new Set() },
    catalog,
    checkDeadline: () => undefined,
  };

  it.each([
    ["unknown services", 200, definition(entries(20_000, (index) => `  - ${name(index + 5_000)}\n`))],
    ["services", 110, definition(entries(2_000, (index) => `  - {id: ${guid(index)}, name: n${index}}\n`))],
    ["aliases without an anchor", 100, `[${"*a,".repeat(5_000)}]\n`],
    ["severities in lower case", 350, entries(1_250, () => "---\nname: x\nseverity: minor\n")],
    ["variables without a value", 750, entries(4_000, (index) => `---\nname: \${${name(index + 5_000)}}\n`)],
  ])("of %s is checked and fixed in at most %i steps a character", async (_, most, text) => {
    const bytes = new TextEncoder().encode(text);
    const steps = await countSteps(() => {
      checkDocuments(parseSource({ file: "a.yaml", bytes }), options);
      fixSource({ file: "a.yaml", bytes: Buffer.from(text) }, () => guid(0));
    });
    expect(steps / text.length).toBeLessThan(most);
  });
});

describe("services import", () => {
  it("adds 2,000 services of the same name, in a number of steps that grows as they do", async () => {
    const services = Array.from({ length: 2_000 }, (_, index) => ({
      name: "Public API",
      id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    }));
    const world = createWorld({ transport: async () => answer({ id, services }) });
    let names: string[] = [];
    const steps = await countSteps(async () => {
      const { exitCode, stderr, stdout } = await world.run(`services import ${id} -o json`);
      expect(exitCode, stderr).toBe(0);
      names = JSON.parse(stdout).map(({ name }: { name: string }) => name);
    });
    expect([names[0], names[1], names.at(-1)]).toEqual(["public-api", "public-api-2", "public-api-2000"]);
    expect(steps / services.length).toBeLessThan(10_000);
  });
});

// Regular expressions take no steps. With quadratic time, each of these takes a minute.
describe("wrapping", () => {
  beforeAll(stopCounting);

  it.each(["a", "a ", "決", "e\u0301", "\u0301", " "])("ends for many of %j", (unit) => {
    const text = unit.repeat(2 ** 16 / unit.length);
    expect(wrapText(text, 80, measureText).length).toBeGreaterThan(0);
  });
});

describe("the work", () => {
  beforeAll(stopCounting);

  // Where the work of one of these rules grows with the square of its size, this test does not end.
  it("of a policy ends for long texts and many words", async () => {
    const name = "Checkout fails";
    const description = `${"a".repeat(100_000)} TODO`;
    const words = Array.from({ length: 2000 }, (_, index) => `word${index}`);
    const long = `forbid: [todo, ${"a".repeat(50_000)}]`;
    const updates = Array.from({ length: 1000 }, () => "{ description: No full stop }");
    const world = createWorld({
      files: {
        ".incident.yaml": `policy:\n  name: { forbid: [${words}, fails] }\n  description: { maxLength: 10, ${long} }\n`,
        "long.yaml": definitionYaml({ id: id, name, incidentUpdates: `[{ description: ${description} }]` }),
        "many.yaml": definitionYaml({ id: id, name, incidentUpdates: `[${updates}]` }),
      },
    });
    const { stderr } = await world.run("validate long.yaml");
    expect(stderr).toContain('forbids "fails" in name');
    expect(stderr).toContain('forbids "todo" in description');
    expect((await world.run("validate many.yaml")).exitCode).toBe(3);
  });
});
