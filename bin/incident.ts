#!/usr/bin/env node
// The launcher: loads the command with the code cache. It is bundled to CommonJS and small, because it is the only file
// that every run compiles.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { type Compiled, cacheFile, readCache, writeCache } from "./cache.ts";

const file = cacheFile(process.argv[2]);
const cached = file === undefined ? new Map<string, Compiled>() : readCache(file);
const scripts = new Map<string, { readonly source: string; readonly script: Script }>();
const modules = new Map<string, { exports: unknown }>();

/** Replaces `require` for the files beside this one. */
function load(id: string): unknown {
  if (!id.startsWith("./")) return require(id);
  const loaded = modules.get(id);
  if (loaded !== undefined) return loaded.exports;
  const filename = join(__dirname, id);
  const known = cached.get(id);
  const source = known?.source.toString("latin1") ?? wrapped(readFileSync(filename, "latin1"));
  const script = new Script(source, { filename, ...(known && { cachedData: known.code }) });
  const module = { exports: {} };
  modules.set(id, module);
  scripts.set(id, { source, script });
  script.runInThisContext()(module.exports, load, module, filename, __dirname);
  return module.exports;
}

function wrapped(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
}

/** The first line without characters that a terminal or a log obeys. The function for all other output is not loaded. */
function escapeText(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.replace(
    /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|#(?=#\w*\[)/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

process.once("exit", (exitCode) => {
  const isComplete = [...scripts].every(([id, { script }]) => cached.has(id) && !script.cachedDataRejected);
  // A mistyped command gets no cache file.
  if (file === undefined || isComplete || exitCode === 2) return;
  const compiled = [...scripts].map(
    ([id, { source, script }]) =>
      [id, { source: Buffer.from(source, "latin1"), code: script.createCachedData() }] as const,
  );
  writeCache(file, new Map([...cached, ...compiled]));
});

try {
  load("./command.cjs");
} catch (error) {
  const problem = escapeText(error instanceof Error ? error.message : String(error));
  process.stderr.write(`error: incident cannot start: ${problem}\n  next: install incident-cli again\n`);
  process.exitCode = 1;
}
