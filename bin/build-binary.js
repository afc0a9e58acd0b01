// Builds the single executable for machines without Node.js: the runtime Bun with the command and its bytecode inside.
// Usage: node bin/build-binary.js [file] [target]. The default target is this machine; every machine builds all of them.
// Beside the executable it writes its bill of materials, and the licences of everything inside.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import config from "../rolldown.config.js";
import { findPackages, renderBillOfMaterials, renderLicences } from "./third-parties.js";

/** By the name of a target: its runtime, and the platform for which npm installs that. */
const targets = {
  "linux-x64": { runtime: "bun-linux-x64-baseline", os: "linux", cpu: "x64", libc: "glibc" },
  "linux-x64-musl": { runtime: "bun-linux-x64-musl-baseline", os: "linux", cpu: "x64", libc: "musl" },
  "linux-arm64": { runtime: "bun-linux-aarch64", os: "linux", cpu: "arm64", libc: "glibc" },
  "linux-arm64-musl": { runtime: "bun-linux-aarch64-musl", os: "linux", cpu: "arm64", libc: "musl" },
  "macos-x64": { runtime: "bun-darwin-x64-baseline", os: "darwin", cpu: "x64" },
  "macos-arm64": { runtime: "bun-darwin-aarch64", os: "darwin", cpu: "arm64" },
  "windows-x64": { runtime: "bun-windows-x64-baseline", os: "win32", cpu: "x64" },
};

const runtimes = join(import.meta.dirname, "runtimes");
const { packages: locked } = JSON.parse(readFileSync(join(runtimes, "package-lock.json"), "utf8"));

/** The package of the target's runtime, as in the lock file. */
function runtimeOf(target) {
  const name = `@oven/${targets[target].runtime}`;
  return { name, ...locked[`node_modules/${name}`] };
}

function nameOfThisMachine() {
  const isMusl =
    process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
  const found = Object.entries(targets).find(
    ([, { os, cpu, libc = "glibc" }]) =>
      os === process.platform && cpu === process.arch && isMusl === (libc === "musl"),
  );
  if (found === undefined) throw new Error(`no runtime for ${process.platform} ${process.arch}`);
  return found[0];
}

/** The runtime's own executable. npm installs it, and compares it with the hash in the lock file. */
function installRuntime(target) {
  const { os, cpu, libc } = targets[target];
  const { name, version } = runtimeOf(target);
  const folder = join(runtimes, "node_modules/.targets", target);
  const installed = join(folder, "node_modules", name);
  const manifest = join(installed, "package.json");
  const isInstalled = existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  if (!isInstalled) {
    mkdirSync(folder, { recursive: true });
    for (const file of ["package.json", "package-lock.json"])
      copyFileSync(join(runtimes, file), join(folder, file));
    const platform = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...platform];
    execFileSync("npm", ["ci", ...options], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
  }
  return join(installed, "bin", os === "win32" ? "bun.exe" : "bun");
}

/** The command as for the package, without the changes that only Node.js needs for its start. Returns its packages. */
async function bundle(folder) {
  const [{ plugins, output, ...options }] = config;
  const inlined = plugins.filter(({ name }) => name === "late" || name === "ascii");
  const command = await rolldown({ ...options, input: { command: "bin/command.ts" }, plugins: inlined });
  const written = await command.write({ ...output, dir: folder, chunkFileNames: "[name]-[hash].cjs" });
  return findPackages(written.output.flatMap(({ moduleIds = [] }) => moduleIds));
}

const target = process.argv[3] ?? nameOfThisMachine();
if (!(target in targets))
  throw new Error(`no target ${target}; there are ${Object.keys(targets).join(", ")}`);
const isWindows = target.startsWith("windows");
const file = resolve(process.argv[2] ?? `dist/binary/incident${isWindows ? ".exe" : ""}`);
const folder = mkdtempSync(join(tmpdir(), "incident-binary-"));
try {
  const builder = installRuntime(nameOfThisMachine());
  const built = join(folder, basename(file));
  const packages = await bundle(join(folder, "bundle"));
  const options = [
    "--compile",
    "--bytecode",
    "--minify-whitespace",
    // Both: the first says which format to write, the second replaces the download that it stands for.
    `--target=${targets[target].runtime.replace("aarch64", "arm64")}`,
    `--compile-executable-path=${installRuntime(target)}`,
    // The runtime compiles a function that runs often to machine code. Ten times later is right for short runs: a create
    // takes an eighth less CPU time, and the check of 3,000 files takes no more.
    "--compile-jit-policy=10",
    // A file of the working directory must not change the executable, or the host that gets a key.
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    "--no-compile-autoload-tsconfig",
    "--no-compile-autoload-package-json",
    `--outfile=${built}`,
  ];
  // Other variables of the environment can change the build.
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  execFileSync(builder, ["build", ...options, join(folder, "bundle/command.cjs")], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      TMPDIR,
      SystemRoot,
      DO_NOT_TRACK: "1",
      BUN_COMPILE_TARGET_TARBALL_URL: "http://127.0.0.1:9/",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  renameOrCopy(built, file);
  // Bun signs the executable for arm64. The one for x64 keeps the signature of Bun itself, which no longer fits.
  if (target === "macos-x64") {
    if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", "--force", file]);
    else process.stderr.write(`${file} starts after a signature on macOS: codesign --sign - --force FILE\n`);
  }
  const runtime = runtimeOf(target);
  writeFileSync(`${file}.cdx.json`, renderBillOfMaterials(packages, runtime));
  writeFileSync(
    join(dirname(file), "licences.txt"),
    `${readFileSync(join(runtimes, "licences.txt"), "utf8")}\n${"-".repeat(80)}\n\n${renderLicences(packages)}`,
  );
  process.stdout.write(
    `${file}  ${target}, ${Math.round(statSync(file).size / 1e6)} MB, Bun ${runtime.version}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The temporary folder can be on another file system. */
function renameOrCopy(from, to) {
  try {
    renameSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
