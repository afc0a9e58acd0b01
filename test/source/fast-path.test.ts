// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../../src/source/catalog.ts";
import { decodeText } from "../../src/source/decode.ts";
import { checkSource, defaultLoadOptions } from "../../src/source/definitions.ts";
import { acceptSource, readValid } from "../../src/source/fast-path.ts";
import { serviceId } from "../harness/builders.ts";
import { blocks, definitions, mutation, notations } from "./arbitraries.ts";

const loadOptions = defaultLoadOptions();

/** The definitions of both paths; `undefined` for a rejected text. */
function both(bytes: Uint8Array) {
  const source = { file: "x.yaml", bytes };
  const decoded = decodeText(source);
  const checked = checkSource(source, loadOptions);
  return {
    fast: "text" in decoded ? readValid(decoded.text, loadOptions.catalog) : undefined,
    regular:
      checked.diagnostics.length === 0 ? checked.definitions.map(({ definition }) => definition) : undefined,
  };
}

describe("the fast path", () => {
  it("accepts the valid fixtures", () => {
    const folder = new URL("../../fixtures/", import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    const counts = names.map((name) => both(readFileSync(new URL(name, folder))));
    for (const { fast, regular } of counts) expect(fast).toEqual(regular);
    expect(names.length).toBeGreaterThan(5);
  });

  it("accepts no invalid fixture", () => {
    const folder = new URL("../../fixtures/invalid/", import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    for (const name of names)
      expect([name, both(readFileSync(new URL(name, folder))).fast]).toEqual([name, undefined]);
  });

  it.each([
    "name: 'a\nb'\n",
    'name: "a\nb"\n',
    `services: [\n{id: ${serviceId}, name: x}\n]\n`,
    '---{"name": "x"}\n',
    'name: "x"#y\n',
    "name: &a x\n",
    "name: !!str x\n",
    "name: ! x\n",
    "name: ${x:-y}\n",
    'name: "\\u0024{x}"\n',
    "%YAML 1.1\n---\nname: x\n",
    "duration: 1_0\n",
    "name: 0o17\n",
    "name: -.5\n",
    "name: x\ty\n",
    "name: x\rseverity: MINOR\n",
    "? name\n: x\n",
    "name: |+\n  x\n",
    "name: |2\n  x\n",
    "name: |\n  x\n   \n",
  ])("leaves %j to the regular path", (start) => {
    const rest = ["name: x", "severity: MAJOR", `services: [{ id: ${serviceId}, name: x }]`];
    const missing = rest.filter((line) => !start.includes(line.slice(0, line.indexOf(":"))));
    const text = `${start}${missing.join("\n")}\nincidentUpdates: [{ description: x }]\n`;
    expect(readValid(text, loadOptions.catalog)).toBeUndefined();
  });

  it("accepts a name of the catalog, but no unknown name and no name of an invalid catalog", () => {
    const text = `name: x\nseverity: MAJOR\nservices: [checkout]\nincidentUpdates: [{ description: x }]\n`;
    const read = (file: string) => {
      const catalog = readCatalog({ file: "c", bytes: Buffer.from(file) });
      const regular = checkSource(
        { file: "x.yaml", bytes: Buffer.from(text) },
        { ...loadOptions, catalog: () => catalog },
      );
      return [readValid(text, () => catalog)?.length, regular.definitions.length];
    };
    const service = `{ id: ${serviceId}, name: x }`;
    expect(read(`services: { checkout: ${service} }`)).toEqual([1, 1]);
    expect(read(`services: { shop: ${service} }`)).toEqual([undefined, 0]);
    expect(read(`services: { checkout: ${service}, shop: {} }`)).toEqual([undefined, 0]);
  });

  it.each([
    [
      "a warning",
      "severity: MAJOR",
      `services: [{ id: ${serviceId}, name: x }, { id: ${serviceId}, name: y }]`,
    ],
    ["an error", "severity: major", `services: [{ id: ${serviceId}, name: x }]`],
    ["a variable", "severity: ${severity}", `services: [{ id: ${serviceId}, name: x }]`],
  ])("leaves a file with %s to the regular path, which locates it", (_, ...lines) => {
    const text = `name: x\n${lines.join("\n")}\nincidentUpdates: [{ description: x }]\n`;
    expect(acceptSource({ file: "x.yaml", bytes: Buffer.from(text) }, loadOptions)).toBeUndefined();
  });

  it("locates the fields of each document of a file that it accepts", async () => {
    const document = `name: x\nseverity: MAJOR\nservices: [{ id: ${serviceId}, name: x }]\nincidentUpdates: [{ description: x }]\n`;
    const bytes = Buffer.from(`${document}---\n${document}`);
    const { definitions = [] } = acceptSource({ file: "x.yaml", bytes }, loadOptions) ?? {};
    const regular = checkSource({ file: "x.yaml", bytes }, loadOptions).definitions;
    expect(definitions.map(({ openLocate, ...rest }) => rest)).toEqual(
      regular.map(({ openLocate, ...rest }) => rest),
    );
    const lines = definitions.map(async ({ openLocate }) => (await openLocate())(["severity"]).start.line);
    expect(await Promise.all(lines)).toEqual([2, 7]);
  });

  it("gives the result of the regular path, or none, for any notation and any mutation", () => {
    const written = fc
      .tuple(definitions, fc.constantFrom(...Object.values(notations)))
      .map(([definition, spell]) => Buffer.from(spell(definition)));
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(written, mutation, blocks), (bytes) => {
        const { fast, regular } = both(bytes);
        if (fast === undefined) return;
        accepted += 1;
        // Compares the order of fields too, because a request has the fields in that order.
        expect(JSON.stringify(fast)).toBe(JSON.stringify(regular));
      }),
      { seed: 20260302, numRuns: Number(process.env.FUZZ_RUNS ?? 4000) },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
