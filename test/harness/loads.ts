// Runs the built command and says what it loaded: the packages whose code was evaluated, the parts of Node, and
// which files came with code from the cache.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { execa } from "execa";
import { temporaryFolder } from "./incident.ts";

export const command = join(import.meta.dirname, "../../dist/incident.cjs");

/** The Node that the built command is run with; another one than runs the tests where .ci/run says so. */
export const node = process.env.INCIDENT_TEST_NODE || process.execPath;

export interface Loads {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Names of bundled packages. */
  readonly packages: readonly string[];
  /** Names of Node's modules, as they are required. */
  readonly builtins: readonly string[];
  /** Files of the command, and whether V8 took code for them from the cache. */
  readonly files: Readonly<Record<string, boolean>>;
}

const preload = `
const vm = require("node:vm");
const Module = require("node:module");
const seen = { files: {}, builtins: new Set() };
const Script = vm.Script;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    seen.files[options.filename] = options.cachedData !== undefined && !this.cachedDataRejected;
  }
};
const load = Module._load;
Module._load = function (id, parent, isMain) {
  if (Module.isBuiltin(id)) seen.builtins.add(id);
  return load.call(this, id, parent, isMain);
};
process.on("exit", () => {
  require("node:fs").writeFileSync(process.env.LOADS, JSON.stringify({ files: seen.files, builtins: [...seen.builtins] }));
});
`;

/** Without `env.XDG_CACHE_HOME` there is no cache yet. */
export async function loadsOf(
  args: readonly string[],
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Loads> {
  const folder = temporaryFolder();
  const told = join(folder, "loads.json");
  writeFileSync(join(folder, "preload.cjs"), preload);
  const { exitCode, stdout, stderr } = await execa(
    node,
    ["--require", join(folder, "preload.cjs"), command, ...args],
    {
      reject: false,
      stdin: "ignore",
      env: { HOME: folder, XDG_CACHE_HOME: folder, LOADS: told, ...env },
    },
  );
  const loaded: { files: Record<string, boolean>; builtins: string[] } = JSON.parse(
    readFileSync(told, "utf8"),
  );
  const paths = Object.keys(loaded.files);
  return {
    exitCode,
    stdout,
    stderr,
    packages: [...new Set(paths.flatMap(packagesIn))].sort(),
    builtins: loaded.builtins.sort(),
    files: Object.fromEntries(paths.map((path) => [basename(path), loaded.files[path] as boolean])),
  };
}

/** What the first line of a built file says that it holds. */
export function packagesIn(path: string): string[] {
  if (dirname(path) !== dirname(command)) return [];
  return /^\/\/ holds (.*)/.exec(readFileSync(path, "utf8"))?.[1]?.split(" ") ?? [];
}
