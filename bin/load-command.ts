// Loads the command's files with the code cache, and keeps the cache at the end of the process.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { type Compiled, cacheFile, type Group, readCache, writeCache } from "./cache.ts";

type Load = (id: string) => unknown;

type Wrapper = (exports: object, require: Load, module: object, folder: string) => void;

/** A script that was compiled in this run. */
interface Loaded {
  readonly source: string;
  readonly script: Script;
}

/** Loads `./command.cjs`. Throws if a file is missing or damaged. */
export function loadCommand(): void {
  const file = cacheFile(process.argv[2]);
  const groups = file === undefined ? [] : readCache(file);
  const groupOf = new Map(groups.flatMap((group) => group.names.map((name) => [name, group] as const)));
  const loaded = new Map<Group, Loaded>();
  const wrappers = new Map<string, Wrapper>();
  const modules = new Map<string, { exports: object }>();

  /** Replaces `require` for the files beside this one. */
  function load(id: string): unknown {
    if (!id.startsWith("./")) return require(id);
    const known = modules.get(id);
    if (known !== undefined) return known.exports;
    if (!wrappers.has(id)) compile(groupOf.get(id) ?? { names: [id] });
    const module = { exports: {} };
    modules.set(id, module);
    wrappers.get(id)?.(module.exports, load, module, __dirname);
    return module.exports;
  }

  /** Compiles the files of a group as one script, because each script takes time of its own. */
  function compile(group: Group): void {
    const { names, compiled } = group;
    const source = compiled?.source.toString("latin1") ?? `[${names.map(wrapped).join(",")}]`;
    const filename = join(__dirname, names.length === 1 ? `${names[0]}` : "several.cjs");
    const script = new Script(source, { filename, ...(compiled && { cachedData: compiled.code }) });
    loaded.set(group, { source, script });
    const functions: readonly Wrapper[] = script.runInThisContext();
    for (const [index, name] of names.entries()) wrappers.set(name, functions[index] as Wrapper);
  }

  process.once("exit", (exitCode) => {
    const added = [...loaded.keys()].filter((group) => !groups.includes(group)).flatMap(({ names }) => names);
    const isKept = (group: Group) => hasCode(group, loaded.get(group));
    // A mistyped command gets no cache file.
    if (file === undefined || exitCode === 2 || (added.length === 0 && groups.every(isKept))) return;
    const kept = groups.map((group) =>
      isKept(group) ? group : { names: group.names, compiled: codeOf(loaded.get(group) as Loaded) },
    );
    writeCache(file, added.length === 0 ? kept : [...kept, { names: added }]);
  });
  load("./command.cjs");
}

function wrapped(name: string): string {
  const source = readFileSync(join(__dirname, name), "latin1");
  return `/* ${name} */(function (exports, require, module, __dirname) {${source}\n})`;
}

/** Whether the file has the group's code, or need not have it because this run did not load the group. */
function hasCode({ compiled }: Group, loaded: Loaded | undefined): boolean {
  return loaded === undefined || (compiled !== undefined && !loaded.script.cachedDataRejected);
}

function codeOf({ source, script }: Loaded): Compiled {
  return { source: Buffer.from(source, "latin1"), code: script.createCachedData() };
}
