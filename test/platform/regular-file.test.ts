// Reading and writing whole files: nothing blocks, and nothing outside of a checkout changes.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRegularFile } from "../../src/platform/regular-file.ts";
import { createLinkCheck } from "../../src/platform/repository.ts";
import { replaceFile, writeNamedFile } from "../../src/platform/write-file.ts";
import { temporaryFolder } from "../harness/incident.ts";

const deps = { files: fs, system: { cwd: "/", random: { guid: () => "guid", fraction: () => 0 } } };

function fifo(): string {
  const file = join(temporaryFolder(), "fifo");
  execFileSync("mkfifo", [file]);
  return file;
}

describe("readRegularFile", () => {
  it.each([
    ["a FIFO", fifo],
    ["a device", () => "/dev/zero"],
    ["a folder", temporaryFolder],
  ])("returns undefined for %s, at once", (_, create) => {
    expect(readRegularFile(fs, create(), 10)).toBeUndefined();
  });

  it.each([0, 1, 10, 11, 5000, 100_000])("reads %i bytes, at most one more than the limit", (size) => {
    const file = join(temporaryFolder(), "file");
    fs.writeFileSync(file, "x".repeat(size));
    expect(readRegularFile(fs, file, 10)?.bytes.length).toBe(Math.min(size, 11));
    expect(readRegularFile(fs, file, 1_000_000)?.bytes.length).toBe(size);
  });

  it.runIf(fs.existsSync("/proc/self/maps"))("reads a file that has no size", () => {
    expect(readRegularFile(fs, "/proc/self/maps", 1_000_000)?.bytes.length).toBeGreaterThan(1000);
  });
});

describe("a file that a flag or a pipeline names", () => {
  /** A checkout with a link to a file outside, one to a new file outside, and one to a file inside. */
  function checkout() {
    const folder = temporaryFolder();
    const inside = join(folder, "checkout");
    fs.mkdirSync(join(inside, ".git"), { recursive: true });
    for (const file of [join(folder, "secret"), join(inside, "own")]) fs.writeFileSync(file, "before\n");
    fs.symlinkSync("../secret", join(inside, "out"));
    fs.symlinkSync("../new", join(inside, "dangling"));
    fs.symlinkSync("..", join(inside, "folder"));
    fs.symlinkSync("own", join(inside, "in"));
    fs.symlinkSync("checkout", join(folder, "alias"));
    return { folder, inside };
  }

  const write = (file: string) => writeNamedFile(deps, file, "after\n");

  it("is never outside of its repository", () => {
    const { folder, inside } = checkout();
    for (const name of ["out", "dangling", "folder/secret", "folder/new"])
      expect(() => write(join(inside, name))).toThrow("leads out of the repository");
    expect(() => write(join(folder, "alias", "out"))).toThrow("leads out of the repository");
    expect(fs.readFileSync(join(folder, "secret"), "utf8")).toBe("before\n");
    expect(fs.readdirSync(folder).sort()).toEqual(["alias", "checkout", "secret"]);
    write(join(inside, "in"));
    expect(fs.readFileSync(join(inside, "own"), "utf8")).toBe("after\n");
    expect(fs.lstatSync(join(inside, "in")).isSymbolicLink()).toBe(true);
  });

  it("is a regular file or a new one", () => {
    for (const file of [fifo(), "/dev/full", temporaryFolder()])
      expect(() => write(file)).toThrow("is not a regular file");
    const file = join(temporaryFolder(), "new");
    write(file);
    expect(fs.readFileSync(file, "utf8")).toBe("after\n");
  });

  it("is the only thing that is ever replaced, also behind a link", () => {
    const folder = temporaryFolder();
    const link = join(folder, "link");
    const target = fifo();
    fs.symlinkSync(target, link);
    for (const file of [link, target, folder])
      expect(() => replaceFile(deps, file, "after\n", { isPrivate: true })).toThrow("is not a regular file");
    expect(fs.lstatSync(target).isFIFO()).toBe(true);
    expect(fs.readdirSync(folder)).toEqual(["link"]);
  });

  it("is as private as the one that it replaces from its first byte", () => {
    const file = join(temporaryFolder(), "file");
    fs.writeFileSync(file, "before\n", { mode: 0o600 });
    const modes: number[] = [];
    const writeSync = ((descriptor: number, ...given: [Uint8Array]) => {
      modes.push(fs.fstatSync(descriptor).mode & 0o777);
      return fs.writeSync(descriptor, ...given);
    }) as typeof fs.writeSync;
    replaceFile({ ...deps, files: { ...fs, writeSync } }, file, "after\n");
    expect([...modes, fs.statSync(file).mode & 0o777]).toEqual([0o600, 0o600]);
  });

  it("is checked against the repository that it lies in, not that of the working directory", () => {
    const { folder, inside } = checkout();
    const leaves = createLinkCheck(fs);
    expect(
      ["out", "folder/secret", "own", "in", "missing"].map((name) => leaves(join(inside, name))),
    ).toEqual([true, true, false, false, false]);
    expect([leaves(folder), leaves(inside), leaves(join(folder, "secret"))]).toEqual([false, false, false]);
  });
});
