// Packs each executable of a release with its licences, the man pages and the completions of the shells.
// Usage: node bin/build-archives.js FOLDER_OF_EXECUTABLES FOLDER_OF_ARCHIVES
// Needs GNU tar, xz and 7z, and `npm run build` before. The same executables give the same archives to the byte.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The name of a completion script, as its shell looks for it. */
const completions = {
  bash: "incident.bash",
  zsh: "_incident",
  fish: "incident.fish",
  powershell: "incident.ps1",
};

/**
 * The forms of an archive: its packer, and the largest size in bytes that a release may have. The zip is for Windows
 * without a program for 7z. Its only method that every unzip knows is deflate, which leaves 53 MB of the runtime alone.
 */
const forms = {
  "tar.xz": { pack: packTar, largest: 41e6 },
  "7z": { pack: pack7z, largest: 41e6 },
  zip: { pack: packZip, largest: 60e6 },
};

/**
 * The filter for the machine code of a target, which takes a thirtieth off its archive. The one for arm64 is too new:
 * xz 5.2 cannot read it.
 */
const filterOf = (target) =>
  target.includes("x64") ? ["--x86", "--lzma2=preset=9e,dict=128MiB"] : ["--lzma2=preset=9e"];

const [from, to] = process.argv.slice(2).map((folder) => resolve(folder));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const date = /^## \[\d.*\] - (\S+)$/m.exec(readFileSync("CHANGELOG.md", "utf8"))?.[1] ?? "2026-11-21";
const work = mkdtempSync(join(tmpdir(), "incident-archives-"));
try {
  mkdirSync(to, { recursive: true });
  const executables = readdirSync(from).filter((name) => /^incident-[a-z0-9-]+(\.exe)?$/.test(name));
  for (const name of executables.sort()) {
    const [, target, extension = ""] = /^incident-([a-z0-9-]+)(\.exe)?$/.exec(name);
    const folder = `incident-${version}-${target}`;
    fill(join(work, folder), join(from, name), `incident${extension}`);
    for (const form of extension === "" ? ["tar.xz"] : ["7z", "zip"]) {
      const { pack, largest } = forms[form];
      const archive = join(to, `${folder}.${form}`);
      rmSync(archive, { force: true });
      pack(archive, folder, target);
      const { size } = statSync(archive);
      if (size > largest) throw new Error(`${archive} has ${size} bytes; at most ${largest} are allowed`);
      const whole = (statSync(join(from, name)).size / 1e6).toFixed(0);
      process.stdout.write(`${archive}  ${(size / 1e6).toFixed(1)} MB, the executable ${whole} MB\n`);
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The date of the newest release and fixed permissions, so that the archive depends on its content alone. */
function fill(folder, executable, name) {
  mkdirSync(join(folder, "completions"), { recursive: true });
  copyFileSync(executable, join(folder, name));
  copyFileSync("LICENSE", join(folder, "LICENSE"));
  copyFileSync(join(from, "licences.txt"), join(folder, "THIRD-PARTY-LICENCES.txt"));
  copyFileSync(`${executable}.cdx.json`, join(folder, "sbom.cdx.json"));
  cpSync("dist/man", join(folder, "man"), { recursive: true });
  for (const [shell, file] of Object.entries(completions)) {
    const script = execFileSync(process.execPath, ["dist/incident.cjs", "completion", shell]);
    writeFileSync(join(folder, "completions", file), script);
  }
  for (const entry of ["", ...readdirSync(folder, { recursive: true })]) {
    const path = join(folder, entry);
    chmodSync(path, entry === name || statSync(path).isDirectory() ? 0o755 : 0o644);
    utimesSync(path, new Date(date), new Date(date));
  }
}

function packTar(archive, folder, target) {
  const options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
  const tar = execFileSync("tar", ["--create", ...options, folder], { cwd: work, maxBuffer: 2 ** 30 });
  // The number of threads changes the bytes, and so do XZ_OPT and XZ_DEFAULTS. Small decoders know only CRC32.
  const { PATH } = process.env;
  const xz = { input: tar, maxBuffer: 2 ** 30, env: { PATH } };
  writeFileSync(archive, execFileSync("xz", ["--threads=1", "--check=crc32", ...filterOf(target)], xz));
}

/** The BCJ2 filter of 7z splits machine code into several streams, so that the archive is a twelfth smaller than with xz. */
function pack7z(archive, folder) {
  run7z(archive, folder, ["-t7z", "-mx=9", "-md=128m", "-mfb=273"]);
}

function packZip(archive, folder) {
  run7z(archive, folder, ["-tzip", "-mx=9", "-mtc=off"]);
}

/** The number of threads changes the bytes, and so does the time zone in a zip. */
function run7z(archive, folder, options) {
  const names = readdirSync(join(work, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(work.length + 1))
    .sort();
  const settings = { cwd: work, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, TZ: "UTC" } };
  execFileSync("7z", ["a", "-mmt=1", ...options, archive, ...names], settings);
}
