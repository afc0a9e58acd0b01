// The documents by their paths: the pages for users, and those for the developers of this project.
import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

function textsOf(paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, root), "utf8")]));
}

function pagesOf(folder: string): readonly string[] {
  const names = readdirSync(new URL(folder, root));
  return names.filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
}

/** The README and the pages of docs/, for users. */
export const documents = textsOf(["README.md", ...pagesOf("docs")]);

/** The pages for the developers of this project. */
export const internalDocuments = textsOf([
  "AGENTS.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...pagesOf("docs/internals"),
]);

/** The text of all of them, one after the other. */
export const allDocuments = [...documents.values(), ...internalDocuments.values()].join("\n");
