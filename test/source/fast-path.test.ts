// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is what people write in definitions.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../../src/source/catalog.ts";
import { decodeText } from "../../src/source/decode.ts";
import { checkSource, defaultLoadOptions } from "../../src/source/definitions.ts";
import { readValid } from "../../src/source/fast-path.ts";
import { blocks, definitions, mutation, spellings } from "./arbitraries.ts";

const around = defaultLoadOptions();

/** What both ways read; `undefined` where they refuse. */
function both(bytes: Uint8Array) {
  const source = { file: "x.yaml", bytes };
  const read = decodeText(source);
  const checked = checkSource(source, around);
  return {
    quick: "text" in read ? readValid(read.text, around.catalog) : undefined,
    real:
      checked.diagnostics.length === 0 ? checked.definitions.map(({ definition }) => definition) : undefined,
  };
}

describe("the quick way", () => {
  it("accepts the fixtures that are right", () => {
    const folder = new URL("../../fixtures/", import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    const counts = names.map((name) => both(readFileSync(new URL(name, folder))));
    for (const { quick, real } of counts) expect(quick).toEqual(real);
    expect(names.length).toBeGreaterThan(5);
  });

  it("accepts no fixture that is wrong", () => {
    const folder = new URL("../../fixtures/invalid/", import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    for (const name of names)
      expect([name, both(readFileSync(new URL(name, folder))).quick]).toEqual([name, undefined]);
  });

  it.each([
    "name: 'a\nb'\n",
    'name: "a\nb"\n',
    "services: [\n{id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b, name: x}\n]\n",
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
  ])("is not sure of %j, which the parsers do not read alike or which needs more than a parser", (start) => {
    const rest = [
      "name: x",
      "severity: MAJOR",
      "services: [{ id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b, name: x }]",
    ];
    const missing = rest.filter((line) => !start.includes(line.slice(0, line.indexOf(":"))));
    const text = `${start}${missing.join("\n")}\nincidentUpdates: [{ description: x }]\n`;
    expect(readValid(text, around.catalog)).toBeUndefined();
  });

  it("accepts a name of the catalog, and none that it does not have, nor any of a broken catalog", () => {
    const text = `name: x\nseverity: MAJOR\nservices: [checkout]\nincidentUpdates: [{ description: x }]\n`;
    const read = (file: string) => {
      const catalog = readCatalog({ file: "c", bytes: Buffer.from(file) });
      const real = checkSource(
        { file: "x.yaml", bytes: Buffer.from(text) },
        { ...around, catalog: () => catalog },
      );
      return [readValid(text, () => catalog)?.length, real.definitions.length];
    };
    const service = "{ id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b, name: x }";
    expect(read(`services: { checkout: ${service} }`)).toEqual([1, 1]);
    expect(read(`services: { shop: ${service} }`)).toEqual([undefined, 0]);
    expect(read(`services: { checkout: ${service}, shop: {} }`)).toEqual([undefined, 0]);
  });

  it("reads as the real way does, and accepts nothing that it refuses, however a valid definition is written and broken", () => {
    const written = fc
      .tuple(definitions, fc.constantFrom(...Object.values(spellings)))
      .map(([definition, spell]) => Buffer.from(spell(definition)));
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(written, mutation, blocks), (bytes) => {
        const { quick, real } = both(bytes);
        if (quick === undefined) return;
        accepted += 1;
        // The order of fields counts as well: what is sent is written from it.
        expect(JSON.stringify(quick)).toBe(JSON.stringify(real));
      }),
      { seed: 20260302, numRuns: Number(process.env.FUZZ_RUNS ?? 4000) },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
