#!/usr/bin/env node
// The launcher: answers `--version`, and loads the command for all else, with the code cache. It is bundled to CommonJS
// and small, because it is the only file that every run compiles.
import { readFileSync, writeSync } from "node:fs";
import { Script } from "node:vm";
import { version } from "../src/version.ts";
import { cacheFile, type Group, readCache, writeCache } from "./cache.ts";

type Wrapper = (exports: object, require: (id: string) => unknown, module: object, folder: string) => void;

/** Loads `./command.cjs`. Throws if a file is missing or damaged. */
function loadCommand(): void {
  const file = cacheFile(process.argv[2]);
  const groups = file === undefined ? [] : readCache(file);
  /** The scripts of this run, with their sources. */
  const loaded = new Map<Group, readonly [source: string, script: Script]>();
  const wrappers = new Map<string, Wrapper>();
  const modules = new Map<string, { exports: object }>();

  /** Replaces `require` for the files beside this one. */
  function load(id: string): unknown {
    if (!id.startsWith("./")) return require(id);
    const known = modules.get(id);
    if (known !== undefined) return known.exports;
    if (!wrappers.has(id)) compile(groups.find(({ names }) => names.includes(id)) ?? { names: [id] });
    const module = { exports: {} };
    modules.set(id, module);
    wrappers.get(id)?.(module.exports, load, module, __dirname);
    return module.exports;
  }

  /** Compiles the files of a group as one script, because each script takes time of its own. */
  function compile(group: Group): void {
    const [cachedData, kept] = group.compiled ?? [];
    const source = kept ?? `[${group.names.map(wrapped).join(",")}]`;
    const [name = "", ...others] = group.names;
    const filename = pathOf(others.length === 0 ? name : "./several.cjs");
    const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
    loaded.set(group, [source, script]);
    const functions: readonly Wrapper[] = script.runInThisContext();
    for (const [index, name] of group.names.entries()) wrappers.set(name, functions[index] as Wrapper);
  }

  process.once("exit", (exitCode) => {
    // A mistyped command gets no cache file.
    if (file === undefined || exitCode === 2) return;
    const added = [...loaded.keys()].filter((group) => !groups.includes(group)).flatMap(({ names }) => names);
    // A run with other files, as in a project, uses other functions of all files: the code of each is kept anew.
    const isNew = [...loaded].some(
      ([group, [, script]]) => groups.includes(group) && (!group.compiled || script.cachedDataRejected),
    );
    const kept = groups.map((group): Group => {
      const [source = "", script] = loaded.get(group) ?? [];
      if (!isNew || script === undefined) return group;
      return { names: group.names, compiled: [script.createCachedData(), source] };
    });
    if (isNew || added.length > 0) writeCache(file, added.length === 0 ? kept : [...kept, { names: added }]);
  });
  load("./command.cjs");
}

/** Not `join`: so many calls of it made V8 optimize it, for 5 % of a first run. */
const pathOf = (name: string) => `${__dirname}${name.slice(1)}`;

function wrapped(name: string): string {
  const source = readFileSync(pathOf(name), "latin1");
  return `/* ${name} */(function (exports, require, module, __dirname) {${source}\n})`;
}

/** For speed: `false` for all other arguments, and if stdout fails, for the command to report it. */
function printVersion([, , first, ...more]: readonly string[]): boolean {
  if (first !== "--version" || more.length > 0) return false;
  try {
    return writeSync(1, `${version}\n`) > 0;
  } catch {
    return false;
  }
}

try {
  if (!printVersion(process.argv)) loadCommand();
} catch (error) {
  // The function that escapes all other output is not loaded.
  const problem = (error as Error).message.replace(/\n.*|[^\x20-\x7e]|#(?=#\w*\[)/gs, "?");
  process.stderr.write(`error: incident cannot start: ${problem}\n  next: install incident-cli again\n`);
  process.exitCode = 1;
}
