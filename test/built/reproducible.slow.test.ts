// The package is reproducible: the same sources make the same tarball, in any folder and with any supported Node.js.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { temporaryFolder } from "../harness/incident.ts";
import { node } from "./program.ts";

const root = join(import.meta.dirname, "../..");

/** Copies the sources into `folder`, builds and packs them there, and returns the digest of the tarball. */
async function pack(folder: string, nodePath: string, mask: string, language: string): Promise<string> {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await execa("git", list, { cwd: root });
  for (const name of stdout.split("\n").filter((line) => !line.startsWith("test/"))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const env = { PATH: [dirname(nodePath), process.env.PATH].join(delimiter), LC_ALL: language };
  const packed = await execa("sh", ["-c", `umask ${mask} && npm pack --json`], { cwd: folder, env });
  const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf("[\n")));
  return createHash("sha256")
    .update(readFileSync(join(folder, filename)))
    .digest("hex");
}

it("the tarball is the same to the byte from two folders, two versions of Node.js, two umasks and two languages", async () => {
  const first = await pack(temporaryFolder(), process.execPath, "022", "C");
  const second = await pack(join(temporaryFolder(), "another", "folder"), node, "077", "et_EE.UTF-8");
  expect(second).toBe(first);
});
