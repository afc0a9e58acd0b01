// The documents for users: the README and the pages of docs/.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const pages = existsSync(new URL("docs/", root)) ? readdirSync(new URL("docs/", root)) : [];

/** The texts of the documents by their paths. */
export const documents: ReadonlyMap<string, string> = new Map(
  ["README.md", ...pages.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)].map((path) => [
    path,
    readFileSync(new URL(path, root), "utf8"),
  ]),
);

/** All of them, one after the other. */
export const allDocuments = [...documents.values()].join("\n");
