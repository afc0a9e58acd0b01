// The explanations of the diagnostic codes for a file's encoding and YAML.
import type { DiagnosticCode } from "../diagnostic.ts";

export interface Explanation {
  /** One sentence without a full stop, for a list. */
  readonly title: string;
  /** The reason for the rule, and the correction. */
  readonly meaning: string;
  readonly wrong: string;
  readonly right: string;
  /** The source of the rule: a section of the API's specification ("spec"), YAML, or a decision of this tool. */
  readonly basis: string;
}

export const toolDecision = "a choice of this tool";

const yaml = "YAML 1.2";

export const textExplanations = {
  "file-too-large": {
    title: "the file is larger than 1 MiB, or has more than 450,000 YAML tokens",
    meaning:
      "A definition takes about a page. A larger file is probably the wrong file, so it is refused before it is read. A file with too many YAML tokens is refused before it is parsed.",
    wrong: "one file with thousands of documents",
    right: "several files in one folder: incident create -f incidents/",
    basis: toolDecision,
  },
  "not-utf8": {
    title: "the file is not UTF-8",
    meaning:
      "In another encoding, customers would see wrong characters. A byte order mark and CRLF are fine.",
    wrong: "a file saved as UTF-16 or Latin-1",
    right: "the same file, saved as UTF-8",
    basis: "JSON is sent as UTF-8 (spec 4.2)",
  },
  "yaml-syntax": {
    title: "the text is not YAML",
    meaning: "The parser cannot read the text at this position. The message names the most likely mistake.",
    wrong: "name: Outage: checkout",
    right: 'name: "Outage: checkout"',
    basis: yaml,
  },
  "yaml-version": {
    title: "the file asks for another version of YAML",
    meaning: "Under YAML 1.1, NO would be false and dates would not be text. Files are always read as 1.2.",
    wrong: "%YAML 1.1\n---\nname: Checkout fails",
    right: "name: Checkout fails",
    basis: toolDecision,
  },
  "too-deep": {
    title: "lists and mappings are nested more than 100 deep",
    meaning:
      "A definition needs four levels. More levels are a mistake in the brackets, or an attack on the parser.",
    wrong: `name: ${"[".repeat(101)}${"]".repeat(101)}`,
    right: "name: Checkout fails",
    basis: toolDecision,
  },
  "too-many-aliases": {
    title: "aliases expand to more than 10000 values",
    meaning:
      "An alias (*name) repeats what an anchor (&name) marks. Aliases of aliases grow without bound; a person never needs them.",
    wrong: aliasBomb(),
    right: "name: Checkout fails",
    basis: toolDecision,
  },
  "duplicate-key": {
    title: "a field is written twice",
    meaning: "Parsers differ in the value that they keep, so the file is refused.",
    wrong: "severity: MAJOR\nseverity: MINOR",
    right: "severity: MAJOR",
    basis: yaml,
  },
  "unknown-tag": {
    title: "a tag does not apply here",
    meaning:
      "A word that starts with ! is a YAML tag, which sets the type of a value. Definitions need none.",
    wrong: "name: !important Checkout fails",
    right: 'name: "!important: Checkout fails"',
    basis: yaml,
  },
  "no-definition": {
    title: "the file contains no definition",
    meaning:
      "It is empty, or contains only comments. Otherwise a pipeline that wrote an empty file would look successful.",
    wrong: "# to be written",
    right: "name: Checkout fails",
    basis: toolDecision,
  },
} satisfies Partial<Record<DiagnosticCode, Explanation>>;

function aliasBomb(): string {
  const list = (name: string) => `[${Array(10).fill(`*${name}`).join(", ")}]`;
  return `services: [&a [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &b ${list("a")}, &c ${list("b")}, &d ${list("c")}, ${list("d")}]`;
}
