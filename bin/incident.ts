#!/usr/bin/env node
// Where a process starts: loads the command with the code cache. It is bundled to CommonJS, and small, because
// it is the one file that is compiled anew each time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { cacheFile, readCache, writeCache } from "./cache.ts";

const file = cacheFile(process.argv[2]);
const cached = file === undefined ? new Map<string, Buffer>() : readCache(file);
const scripts = new Map<string, Script>();
const modules = new Map<string, { exports: unknown }>();

/** As `require` does it, for the files beside this one. */
function load(id: string): unknown {
  if (!id.startsWith("./")) return require(id);
  const known = modules.get(id);
  if (known !== undefined) return known.exports;
  const filename = join(__dirname, id);
  const cachedData = cached.get(id);
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, "latin1")}\n})`;
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  modules.set(id, module);
  scripts.set(id, script);
  script.runInThisContext()(module.exports, load, module, filename, __dirname);
  return module.exports;
}

process.once("exit", (exitCode) => {
  const isComplete = [...scripts].every(([id, script]) => cached.has(id) && !script.cachedDataRejected);
  // What was mistyped is not worth a file.
  if (file === undefined || isComplete || exitCode === 2) return;
  const compiled = [...scripts].map(([id, script]) => [id, script.createCachedData()] as const);
  writeCache(file, new Map([...cached, ...compiled]));
});

load("./command.cjs");
