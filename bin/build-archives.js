// Packs each executable of a release with its licences, the man pages and the completions of the shells.
// Usage: node bin/build-archives.js FOLDER_OF_EXECUTABLES FOLDER_OF_ARCHIVES
// Needs GNU tar, xz and zip, and `npm run build` before. The same executables give the same archives to the byte.
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

/** Bytes; the largest archive that a release may have: 40 MiB. With deflate, as in a zip, the runtime alone takes 50 MB. */
const largest = { "tar.xz": 40 * 2 ** 20, zip: 60e6 };

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
    const form = extension === "" ? "tar.xz" : "zip";
    const archive = join(to, `${folder}.${form}`);
    if (form === "zip") packZip(archive, folder);
    else packTar(archive, folder, filterOf(target));
    const { size } = statSync(archive);
    if (size > largest[form])
      throw new Error(`${archive} has ${size} bytes; at most ${largest[form]} are allowed`);
    const whole = Math.round(statSync(join(from, name)).size / 1e6);
    process.stdout.write(`${archive}  ${Math.round(size / 1e6)} MB, the executable ${whole} MB\n`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Everything has the date of the newest release, so that the archive depends on its content alone. */
function fill(folder, executable, name) {
  mkdirSync(join(folder, "completions"), { recursive: true });
  copyFileSync(executable, join(folder, name));
  chmodSync(join(folder, name), 0o755);
  copyFileSync("LICENSE", join(folder, "LICENSE"));
  copyFileSync(join(from, "licences.txt"), join(folder, "THIRD-PARTY-LICENCES.txt"));
  copyFileSync(`${executable}.cdx.json`, join(folder, "sbom.cdx.json"));
  cpSync("dist/man", join(folder, "man"), { recursive: true });
  for (const [shell, file] of Object.entries(completions)) {
    const script = execFileSync(process.execPath, ["dist/incident.cjs", "completion", shell]);
    writeFileSync(join(folder, "completions", file), script);
  }
  for (const entry of ["", ...readdirSync(folder, { recursive: true })])
    utimesSync(join(folder, entry), new Date(date), new Date(date));
}

function packTar(archive, folder, filter) {
  const options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=go-w,a+rX"];
  const tar = execFileSync("tar", ["--create", ...options, folder], { cwd: work, maxBuffer: 2 ** 30 });
  // The number of threads changes the bytes, and so do XZ_OPT and XZ_DEFAULTS. Small decoders know only CRC32.
  const { PATH } = process.env;
  const xz = { input: tar, maxBuffer: 2 ** 30, env: { PATH } };
  writeFileSync(archive, execFileSync("xz", ["--threads=1", "--check=crc32", ...filter], xz));
}

function packZip(archive, folder) {
  rmSync(archive, { force: true });
  const names = readdirSync(join(work, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(work.length + 1))
    .sort();
  // -X: no owner and no other times.
  const options = { cwd: work, stdio: "ignore", env: { ...process.env, TZ: "UTC" } };
  execFileSync("zip", ["-9X", archive, ...names], options);
}
