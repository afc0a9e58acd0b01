// No fault of a file hides those of another: among others, each file gets the diagnostics that it gets alone.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Diagnostic } from "../../src/diagnostic.ts";
import { checkSource, defaultLoadOptions, type LoadOptions } from "../../src/source/definitions.ts";
import { definitionYaml } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";
import { mutation } from "./arbitraries.ts";

const seed = Number(process.env.INCIDENT_TEST_SEED ?? Date.now());

const text = fc.oneof(
  { weight: 3, arbitrary: mutation.map((bytes) => Buffer.from(bytes)) },
  fc
    .constantFrom(
      definitionYaml(),
      definitionYaml({ severity: "major" }),
      definitionYaml({ id: "{ a: {} }" }),
      definitionYaml({ name: "a fault of the tool" }),
      `variables: {}\n---\n${definitionYaml()}`,
      '{"title": "x", "priority": {"id": "P"}, "status": {"a": 1}, "__proto__": {"level": []}}',
      "<<<<<<< a\nx\n=======\n>>>>>>> b\n",
      `${"[".repeat(200)}\n`,
      "\u0000",
      "",
    )
    .map((each) => Buffer.from(each)),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
);
const texts = fc.array(text, { minLength: 2, maxLength: 5 });
const filesOf = (given: readonly Buffer[]) =>
  Object.fromEntries(given.map((bytes, index) => [`f${index}.yaml`, bytes]));

async function validate(files: Readonly<Record<string, Buffer>>): Promise<readonly Diagnostic[]> {
  const { stdout } = await incident(`validate ${Object.keys(files).join(" ")} -o json`, {
    files,
    inMemory: true,
  });
  return JSON.parse(stdout).diagnostics;
}

it("validate reports for each file what it reports for it alone", async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const files = filesOf(given);
      const together = await validate(files);
      for (const [name, bytes] of Object.entries(files)) {
        // An id that two files have is a fault of both.
        const own = together.filter(
          ({ code, location }) => code !== "duplicate-id" && location.file === name,
        );
        const alone = await validate({ [name]: bytes });
        expect(own).toEqual(alone.filter(({ code }) => code !== "duplicate-id"));
      }
    }),
    { seed, numRuns: 20 },
  );
});

it("a check that throws in one file is a fault of that file alone", () => {
  const options = (): LoadOptions => ({
    ...defaultLoadOptions(),
    policy: {
      check: ({ name }: { readonly name: string }) => {
        if (name === "a fault of the tool") throw new RangeError("Invalid array length");
        return [];
      },
      leaks: undefined,
    } as never,
  });
  fc.assert(
    fc.property(texts, (given) => {
      const sources = Object.entries(filesOf(given)).map(([file, bytes]) => ({ file, bytes }));
      const shared = options();
      const together = sources.map((source) => checkSource(source, shared).diagnostics);
      expect(together).toEqual(sources.map((source) => checkSource(source, options()).diagnostics));
    }),
    { seed, numRuns: 50 },
  );
  const [found] = checkSource(
    { file: "f.yaml", bytes: Buffer.from(definitionYaml({ name: "a fault of the tool" })) },
    options(),
  ).diagnostics;
  expect(found?.code).toBe("fault");
});
