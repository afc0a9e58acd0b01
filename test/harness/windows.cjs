// Makes a process see Windows, as far as JavaScript can tell: drive letters, backslashes, no user ids, no modes, and
// folders that cannot be opened. Load it with --require. The drive C: is the folder that SIMULATED_DRIVE names.
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");

const drive = process.env.SIMULATED_DRIVE;
const workingDirectory = "C:\\work";

/** The file of this machine for a path of the simulated one. Paths of the installation stay. */
const toReal = (given) => {
  if (typeof given !== "string") return given;
  const onDrive = /^C:[\\/]?(.*)$/is.exec(given);
  const own = (onDrive?.[1] ?? given).replaceAll("\\", "/");
  return onDrive === null ? own : `${drive}/${own}`;
};
const toSimulated = (real) =>
  real === drive || real.startsWith(`${drive}/`)
    ? `C:\\${real.slice(drive.length + 1).replaceAll("/", "\\")}`
    : real;

const systemError = (code, call) => Object.assign(new Error(`${code}: ${call}`), { code });

for (const name of [
  "lstatSync",
  "mkdirSync",
  "mkdtempSync",
  "openSync",
  "readFileSync",
  "readdirSync",
  "rmSync",
  "statSync",
  "statfsSync",
  "unlinkSync",
  "writeFileSync",
  "existsSync",
]) {
  const real = fs[name];
  fs[name] = (file, ...others) => {
    const found = toReal(file);
    if (name === "openSync" && fs.existsSync(found) && realStat(found).isDirectory())
      throw systemError("EISDIR", `open '${file}'`);
    const result = real(found, ...others);
    // Nobody else has a mode or an owner there.
    if (/^l?statSync$/.test(name) && result !== undefined)
      Object.assign(result, { uid: 0, mode: result.mode | 0o666 });
    return name === "mkdtempSync" ? toSimulated(result) : result;
  };
}
const realStat = fs.statSync;
for (const name of ["linkSync", "renameSync"]) {
  const real = fs[name];
  fs[name] = (from, to) => {
    if (name === "linkSync" && process.env.SIMULATED_LINKS === "none") throw systemError("EPERM", "link");
    return real(toReal(from), toReal(to));
  };
}
const realpath = fs.realpathSync.native;
fs.realpathSync = Object.assign((file) => toSimulated(realpath(toReal(file))), {
  native: (file) => toSimulated(realpath(toReal(file))),
});
for (const name of ["O_NOFOLLOW", "O_NONBLOCK"]) delete fs.constants[name];

// Node itself goes on with the paths of this machine.
const load = Module._load;
Module._load = (id, ...others) => (/^(?:node:)?path$/.test(id) ? path.win32 : load(id, ...others));
Object.defineProperty(process, "platform", { value: "win32" });
process.getuid = undefined;
process.cwd = () => workingDirectory;
os.homedir = () => "C:\\Users\\me";
os.tmpdir = () => "C:\\Users\\me\\AppData\\Local\\Temp";
