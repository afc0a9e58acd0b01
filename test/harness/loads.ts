// Runs the built command and lists the packages, the modules of Node and the files that it loads, and the files whose
// code comes from the cache.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { command, node } from "../built/program.ts";
import { temporaryFolder } from "./incident.ts";

export interface Loads {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Names of bundled packages. */
  readonly packages: readonly string[];
  readonly builtins: readonly string[];
  /** The files of the command that V8 compiled, and whether their code came from the cache. */
  readonly files: Readonly<Record<string, boolean>>;
  /** The size of all sources that V8 compiled. */
  readonly bytes: number;
}

const preload = `
const vm = require("node:vm");
const Module = require("node:module");
const seen = { files: {}, builtins: new Set(), bytes: 0 };
const Script = vm.Script;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    seen.bytes += source.length;
    const isCached = options.cachedData !== undefined && !this.cachedDataRejected;
    for (const [, name] of source.matchAll(/\\/\\* \\.\\/([\\w.-]+\\.cjs) \\*\\/\\(function/g)) seen.files[name] = isCached;
  }
};
const load = Module._load;
Module._load = function (id, parent, isMain) {
  if (Module.isBuiltin(id)) seen.builtins.add(id);
  return load.call(this, id, parent, isMain);
};
process.on("exit", () => {
  require("node:fs").writeFileSync(process.env.LOADS, JSON.stringify({ ...seen, builtins: [...seen.builtins] }));
});
`;

/** The cache is empty unless `env.XDG_CACHE_HOME` names a folder. */
export async function loadsOf(
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<Loads> {
  const folder = temporaryFolder();
  const report = join(folder, "loads.json");
  writeFileSync(join(folder, "preload.cjs"), preload);
  const { exitCode, stdout, stderr } = await execa(
    node,
    ["--require", join(folder, "preload.cjs"), command, ...args],
    {
      reject: false,
      stdin: "ignore",
      ...(cwd && { cwd }),
      env: { HOME: folder, XDG_CACHE_HOME: folder, LOADS: report, ...env },
    },
  );
  const loaded: { files: Record<string, boolean>; builtins: string[]; bytes: number } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  const names = Object.keys(loaded.files);
  return {
    exitCode,
    stdout,
    stderr,
    packages: [...new Set(names.flatMap((name) => packagesIn(join(dirname(command), name))))].sort(),
    builtins: loaded.builtins.sort(),
    files: loaded.files,
    bytes: loaded.bytes,
  };
}

/** The packages in the first line of a built file. */
export function packagesIn(path: string): string[] {
  return /^\/\/ holds (.*)/.exec(readFileSync(path, "utf8"))?.[1]?.split(" ") ?? [];
}
