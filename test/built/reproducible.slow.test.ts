// The package is reproducible: the same sources make the same files with the same modes, in any folder, with any supported
// Node.js, umask and language.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { temporaryFolder } from "../harness/incident.ts";
import { nodes } from "./program.ts";

const root = join(import.meta.dirname, "../..");

const digestsOf = (folder: string) =>
  readdirSync(folder).map((name) => {
    const digest = createHash("sha256").update(readFileSync(join(folder, name)));
    return [name, digest.digest("hex")] as const;
  });

it("the newest Node.js packs in another folder, umask and language what is built here", async () => {
  const folder = join(temporaryFolder(), "another", "folder");
  const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout: sources } = await execa("git", list, { cwd: root });
  for (const name of sources.split("\n").filter((line) => !line.startsWith("test/"))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const path = [dirname(nodes.at(-1) as string), process.env.PATH].join(delimiter);
  const options = { cwd: folder, env: { PATH: path, LC_ALL: "et_EE.UTF-8" } };
  // `.ci/run` runs the tests with --ignore-scripts.
  const script = "umask 077 && npm pack --silent --ignore-scripts=false && tar -xzf *.tgz";
  const { stdout } = await execa("sh", ["-c", script], options);
  expect(stdout).toMatch(/^incident-cli-\S+\.tgz$/);
  expect(digestsOf(join(folder, "package/dist"))).toEqual(digestsOf(join(root, "dist")));
  const { stdout: entries } = await execa("sh", ["-c", "tar -tvzf *.tgz"], options);
  const modes = new Set(entries.split("\n").map((line) => line.slice(0, 10)));
  expect([...modes].sort()).toEqual(["-rw-r--r--", "-rwxr-xr-x"]);
});
