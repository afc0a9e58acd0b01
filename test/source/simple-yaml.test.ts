// The fast reader of simple YAML: it reads what js-yaml reads, or gives up.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Path } from "../../src/diagnostic.ts";
import { type ParsedText, parseDocuments } from "../../src/source/documents.ts";
import { readValid } from "../../src/source/fast-path.ts";
import { parseSimpleDocument } from "../../src/source/simple-document.ts";
import { loadPlainYaml } from "../../src/source/yaml/plain-yaml.ts";
import { readSimpleYaml } from "../../src/source/yaml/simple-yaml.ts";
import { serviceId } from "../harness/builders.ts";

const catalog = () => ({ file: "", services: new Map(), diagnostics: [] });

/** A definition in every notation that is read. */
const sample = `# Declared by the team on call.
id: 7c9e6679-7425-40de-944b-e07fc1f90ae7
name: Checkout fails, region a:b#c 'y' "z" # a comment

severity:   MAJOR
services:
- id: ${serviceId}
  name: "Check # out: now"
  # Another comment.
- { id: 8a1d3c52-7425-40de-944b-e07fc1f90ae7,  name: Public API 2 } # the last
- id: 9a1d3c52-7425-40de-944b-e07fc1f90ae7
  name: 'It''s'   # quoted
incidentUpdates:
    - status: INVESTIGATING
      description: >-
        We are looking
        into it.


        # More soon.
      notifySubscribers: true
    - description: |
       Two lines.

         
       The second - with: signs.

      publicIncidentUpdateDate: "2026-02-10T07:42:00Z"
    -   description: >
          Folded.
        status: RESOLVED
# The end.
`.replace("         \n", "\n");

/** Fragments with a meaning in YAML, or for one of the functions that the reader uses. */
const fragments = [
  ...[
    "\n",
    " ",
    "  ",
    "\n\n",
    "\n  ",
    "\n      ",
    ": ",
    ":",
    "- ",
    "-",
    ",",
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "''",
  ],
  ...[
    "|\n",
    "|-\n",
    ">\n",
    ">-",
    "#",
    " # ",
    "\n# c\n",
    "\n    # c\n",
    "---\n",
    "...\n",
    "\\",
    "?",
    "@",
    "<<: ",
  ],
  ...["null", "true", "False", "~", "1", "7c9e6679-7425-40de-944b-e07fc1f90ae7", "x: y", "\nname: q", "_"],
  ...[
    "__proto__: x",
    "a:b",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\uffff",
    "é",
    "🚨",
    "\r\n",
    "\nduration: 5",
    "inf",
  ],
];

const change = fc.oneof(
  fc.record({ at: fc.nat(), remove: fc.nat(4), insert: fc.constantFrom("", ...fragments) }),
  fc.record({ line: fc.nat(), spaces: fc.integer({ min: -2, max: 3 }) }),
  fc.record({ line: fc.nat(), to: fc.nat() }),
);

/** The sample with some pieces replaced, lines moved, and lines indented in another way. */
const changed = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) =>
  changes.reduce((text, each) => {
    if ("at" in each) {
      const at = each.at % (text.length + 1);
      return text.slice(0, at) + each.insert + text.slice(at + each.remove);
    }
    const lines = text.split("\n");
    const [line = ""] = lines.splice(each.line % lines.length, 1);
    if ("to" in each) lines.splice(each.to % (lines.length + 1), 0, line);
    else
      lines.splice(
        each.line % (lines.length + 1),
        0,
        each.spaces < 0 ? line.replace(/^ {1,2}/, "") : " ".repeat(each.spaces) + line,
      );
    return lines.join("\n");
  }, sample),
);

describe("the reader of simple YAML", () => {
  it("reads what js-yaml reads", () => {
    expect(readSimpleYaml(sample)).toEqual(loadPlainYaml(sample)[0]);
    expect(readValid(sample, catalog)).toHaveLength(1);
  });

  it.each([
    "",
    "name: x",
    "name: x\r\n",
    "- name\n",
    "name\n",
    " name: x\n",
    "---\nname: x\n",
    "name: x\n---\nname: y\n",
    "name: x\n...\n",
    "name: x\nname: y\n",
    "name:x\n",
    '"name": x\n',
    "__proto__: x\n",
    "name:\n",
    "name: null\n",
    "name: True\n",
    "name: 1\n",
    "name: 2026-03-01\n",
    "name: é\n",
    "name: -x\n",
    "name: a: b\n",
    "name: a:\n",
    "name: a\n  b\n",
    "name: 'a'\n  b: c\n",
    "name: 'a\n",
    "name: 'a' b\n",
    'name: "a\\n"\n',
    "name: |+\n  a\n",
    "name: |\n\n  a\n",
    "name: |\n a\n  b\n",
    "name: |\na: b\n",
    "name: { a: b }}\n",
    "name: { a: [b] }\n",
    "name: { a: b, a: c }\n",
    "name: { a: b: c }\n",
    "name: { a }\n",
    "name: {}\n",
    "name: [a]\n",
    "name:\n- a\n b: c\n",
    "name:\n  - a\n - b\n",
    "name:\n  - - a\n",
    "a:\n b:\n  c:\n   d:\n    e:\n     f: g\n",
    `${"k".repeat(1025)}: x\n`,
  ])("gives up on %j", (text) => {
    expect(readSimpleYaml(text)).toBeUndefined();
  });

  it("reads a definition as js-yaml does, or gives up, for any change", () => {
    const counts = { compared: 0, left: 0 };
    fc.assert(
      fc.property(changed, (text) => {
        if (readValid(text, catalog) === undefined) return;
        const simple = readSimpleYaml(text);
        counts[simple === undefined ? "left" : "compared"] += 1;
        if (simple !== undefined)
          expect([text, JSON.stringify(simple)]).toEqual([text, JSON.stringify(loadPlainYaml(text)[0])]);
      }),
      { seed: 20261122, numRuns: Number(process.env.FUZZ_RUNS ?? 4000) },
    );
    expect(Math.min(counts.compared, counts.left)).toBeGreaterThan(50);
  });
});

/** Every path of the value, and one below each that it does not have. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const steps = fields.map(([name, field]) => [Array.isArray(value) ? Number(name) : name, field] as const);
  return [
    path,
    [...path, "missing"],
    [...path, 7],
    ...steps.flatMap(([step, field]) => pathsOf(field, [...path, step])),
  ];
}

/** The document of the text with the location of every part; `undefined` unless it is the only one and has no errors. */
function located({ documents, count, diagnostics }: ParsedText) {
  const [document] = documents;
  if (document === undefined || count !== 1 || diagnostics.length > 0) return undefined;
  const { value, locate, textOf, index } = document;
  const parts = pathsOf(value).map((path) => {
    const within = textOf(path).slice(2, 5);
    return { path, text: textOf(path), key: locate(path, "key"), value: locate(path, "value", within) };
  });
  return { json: JSON.stringify(value), index, parts };
}

describe("a document in simple YAML", () => {
  it("is left to the parser where the text is long, which has bounds", () => {
    const text = `${sample}${"# A comment.\n".repeat(8000)}`;
    expect(readSimpleYaml(text)).toBeDefined();
    expect(parseSimpleDocument(text, "x.yaml")).toBeUndefined();
  });

  it("has the positions that the parser gives", () => {
    const simple = parseSimpleDocument(sample, "x.yaml");
    expect(simple && located(simple)).toEqual(located(parseDocuments(sample, "x.yaml")));
  });

  it("has the value and the positions that the parser gives, or is left to it, for any change", () => {
    const counts = { compared: 0, left: 0 };
    fc.assert(
      fc.property(changed, (text) => {
        const simple = parseSimpleDocument(text, "x.yaml");
        counts[simple === undefined ? "left" : "compared"] += 1;
        if (simple !== undefined)
          expect([text, located(simple)]).toEqual([text, located(parseDocuments(text, "x.yaml"))]);
      }),
      { seed: 20261123, numRuns: Number(process.env.FUZZ_RUNS ?? 4000) },
    );
    expect(Math.min(counts.compared, counts.left)).toBeGreaterThan(500);
  });
});
