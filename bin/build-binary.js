// Builds the single executable for machines without Node.js: a copy of the running Node.js with the command and its
// code cache inside. Usage: node bin/build-binary.js [file]. The executable is for this platform and Node.js version.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inject } from "postject";
import { rolldown } from "rolldown";
import config from "../rolldown.config.js";

const file = resolve(process.argv[2] ?? "dist/binary/incident");
const folder = mkdtempSync(join(tmpdir(), "incident-binary-"));
try {
  // One file, because a single executable cannot load other files.
  const [{ plugins, output, ...options }] = config;
  const bundle = await rolldown({
    ...options,
    input: { command: "bin/command.ts" },
    plugins: plugins.slice(0, 2),
  });
  await bundle.write({ ...output, dir: folder, codeSplitting: false });

  const blob = join(folder, "command.blob");
  const settings = join(folder, "settings.json");
  writeFileSync(
    settings,
    JSON.stringify({
      main: join(folder, "command.cjs"),
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
    }),
  );
  execFileSync(process.execPath, ["--experimental-sea-config", settings], {
    stdio: ["ignore", "ignore", "inherit"],
  });

  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  copyFileSync(process.execPath, file);
  chmodSync(file, 0o755);
  await inject(file, "NODE_SEA_BLOB", readFileSync(blob), {
    // The fuse that every Node.js executable contains; postject flips it.
    sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
    ...(process.platform === "darwin" && { machoSegmentName: "NODE_SEA" }),
  });
  if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", "--force", file]);
  process.stdout.write(`${file}  ${Math.round(statSync(file).size / 1e6)} MB, Node ${process.version}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
