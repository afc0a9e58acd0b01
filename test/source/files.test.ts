import * as files from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../src/failure.ts";
import { findSources, maxFileSize } from "../../src/source/read-source.ts";
import { temporaryFolder } from "../harness/incident.ts";

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
  for (const folder of ["team/late", "team/node_modules", "team/.hidden", "empty"]) {
    files.mkdirSync(join(cwd, folder), { recursive: true });
  }
  for (const name of [
    "team/b.yaml",
    "team/a.yml",
    "team/c.json",
    "team/notes.md",
    "team/.secret.yaml",
    "team/late/d.yaml",
    "team/node_modules/e.yaml",
    "team/.hidden/f.yaml",
  ]) {
    files.writeFileSync(join(cwd, name), name);
  }
});

async function read(patterns: string[], options: { recurse?: boolean; isTerminal?: boolean } = {}) {
  const { recurse = false, isTerminal = false } = options;
  const stdin = { isTerminal, read: async () => new TextEncoder().encode("from stdin") };
  const sources = await findSources({ files, system: { cwd }, io: { stdin } }, patterns, recurse);
  return [...sources.read()];
}

async function names(patterns: string[], recurse = false): Promise<string[]> {
  return (await read(patterns, { recurse })).map(({ file }) => file);
}

async function failure(patterns: string[], options = {}): Promise<string> {
  const error = await read(patterns, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  expect(error).toMatchObject({ kind: "usage" });
  return error instanceof Failure ? error.message : "";
}

describe("reads", () => {
  it("a file", async () => {
    const [source] = await read(["team/b.yaml"]);
    expect(source?.file).toBe("team/b.yaml");
    expect(new TextDecoder().decode(source?.bytes)).toBe("team/b.yaml");
  });

  it("the definitions directly in a directory, sorted, without hidden ones", async () => {
    expect(await names(["team"])).toEqual(["team/a.yml", "team/b.yaml", "team/c.json"]);
  });

  it("the definitions below a directory with recurse, without hidden folders and node_modules", async () => {
    files.symlinkSync(join(cwd, "team"), join(cwd, "team/late/loop"));
    expect(await names(["team"], true)).toEqual([
      "team/a.yml",
      "team/b.yaml",
      "team/c.json",
      "team/late/d.yaml",
    ]);
  });

  it("a file whose name looks like a pattern of a shell", async () => {
    files.writeFileSync(join(cwd, "file?.yaml"), "");
    files.writeFileSync(join(cwd, "files.yaml"), "");
    expect(await names(["file?.yaml"])).toEqual(["file?.yaml"]);
  });

  it("a file once, even if several patterns match it", async () => {
    expect(await names(["team/b.yaml", "-", "team", "./team/b.yaml", "-"])).toEqual([
      "team/b.yaml",
      "<stdin>",
      "team/a.yml",
      "team/c.json",
    ]);
  });

  it("at most one byte more than the maximum size", async () => {
    files.writeFileSync(join(cwd, "large.yaml"), Buffer.alloc(maxFileSize + 1000));
    const [source] = await read(["large.yaml"]);
    expect(source?.bytes.length).toBe(maxFileSize + 1);
  });
});

it("says why a device is not read, and reads the other files", async () => {
  const [device, other] = await read(["/dev/zero", "team/b.yaml"]);
  expect(device?.unread).toBe("/dev/zero is not a regular file");
  expect(new TextDecoder().decode(other?.bytes)).toBe("team/b.yaml");
});

describe("throws a usage failure", () => {
  it("that names every unreadable pattern", async () => {
    expect(await failure(["no.yaml", "team/b.yaml", "x*.yaml", "empty", "team/b.yaml/z"])).toBe(
      "nothing was read: no.yaml does not exist; x*.yaml does not exist; " +
        "empty has no .yaml, .yml or .json file directly in it, and -R looks into sub-folders as well; " +
        "team/b.yaml/z does not exist",
    );
  });

  it("that names the flag for a folder with files in its sub-folders alone", async () => {
    files.mkdirSync(join(cwd, "outer", "inner"), { recursive: true });
    files.writeFileSync(join(cwd, "outer", "inner", "a.yaml"), "");
    expect(await failure(["outer"])).toBe(
      "outer has no .yaml, .yml or .json file directly in it, and -R looks into sub-folders as well",
    );
  });

  it("that asks for another folder than an empty one", async () => {
    await expect(read(["empty"])).rejects.toThrow(
      expect.objectContaining({ hint: expect.stringContaining("another folder") }),
    );
  });

  it("for a symbolic link to itself", async () => {
    files.symlinkSync("loop.yaml", join(cwd, "loop.yaml"));
    expect(await failure(["loop.yaml"])).toBe("loop.yaml is a symbolic link that leads to itself");
  });

  it("for stdin that is a terminal", async () => {
    expect(await failure(["-"], { isTerminal: true })).toBe("- reads stdin, and stdin is the terminal");
  });
});
