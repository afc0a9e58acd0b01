// The files of a state directory: how they are written and synced, and which ones are believed.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { catchFailure, Failure } from "../../../src/failure.ts";
import { openPrivateFolder } from "../../../src/journal/folder/private-files.ts";
import type { Files } from "../../../src/platform/context.ts";
import { temporaryFolder } from "../../harness/incident.ts";

type Calls = Partial<Record<keyof Files, (...args: never[]) => unknown>>;

const user = process.getuid?.();
const failing = (code: string) => Object.assign(new Error(`${code}: refused by the test`), { code });
const refuses = (code: string) => () => {
  throw failing(code);
};

/** The files of this machine, with some calls replaced. `calls` gets the names of those that write, and what they are for. */
function openFiles(replaced: Calls = {}) {
  const calls: string[] = [];
  const places = new Map<number, string>();
  const writing = "write fsync close link rename unlink mkdir".split(" ");
  const noted = new Set<PropertyKey>(writing.map((name) => `${name}Sync`));
  const shown = (path: string) => path.replace(/.*\//, "").replace(/^\.tmp-.*/, ".tmp");
  const files = new Proxy(fs as Files, {
    get(target, name) {
      const method = replaced[name as keyof Files] ?? Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => {
        const [first] = args;
        const place = typeof first === "number" ? places.get(first) : shown(String(first));
        if (noted.has(name)) calls.push(`${String(name)} ${place}`);
        const result = (method as (...args: unknown[]) => unknown).apply(target, args);
        if (name === "openSync") places.set(result as number, shown(String(first)));
        if (name === "closeSync") places.delete(first as number);
        return result;
      };
    },
  });
  return { calls, files, open: () => [...places.values()] };
}

interface Options {
  readonly replaced?: Calls;
  readonly user?: number | undefined;
}

function openFolder({ replaced = {}, ...more }: Options = {}) {
  const path = join(temporaryFolder(), "kept");
  const { calls, files, open } = openFiles(replaced);
  const random = { guid: () => crypto.randomUUID(), fraction: () => 0 };
  const system = { random, user: "user" in more ? more.user : user };
  const folder = openPrivateFolder({ files, system }, path);
  const all = () => (fs.existsSync(path) ? fs.readdirSync(path).sort() : []);
  return { all, calls, folder, open, path };
}

/** The most bytes of a file. */
const limit = 64 * 1024 * 1024;

const messageOf = (work: () => unknown) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Failure ? error.message : `no failure: ${error}`;
  }
};

describe("a private file", () => {
  it.each([
    ["its name after it", user, ["fsyncSync kept", "closeSync kept"]],
    ["no folder to sync on Windows", undefined, []],
  ])("is whole and private, on the disk before it is in its place, and %s", (_, own, synced) => {
    const { all, calls, folder, open, path } = openFolder({ user: own });
    folder.create("first", "text");
    folder.remove("first");
    calls.length = 0;
    folder.create("a", "text");
    const written = [
      "writeSync .tmp",
      "fsyncSync .tmp",
      "closeSync .tmp",
      "linkSync .tmp",
      "unlinkSync .tmp",
    ];
    expect(calls).toEqual([...written, ...synced]);
    expect(fs.readFileSync(join(path, "a"), "utf8")).toBe("text");
    expect(fs.statSync(join(path, "a")).mode & 0o777).toBe(0o600);
    expect([all(), open()]).toEqual([["a"], []]);
  });

  it("is made by one of all who try", () => {
    const { all, folder, open } = openFolder();
    expect([folder.create("a", "text"), folder.create("a", "other")]).toEqual([true, false]);
    expect(folder.read("a")).toBe("text");
    expect([all(), open()]).toEqual([["a"], []]);
  });

  it.each(["EEXIST", "ETIMEDOUT", "EIO", "ESTALE"])(
    "is made also where a link answers with %s, unless its name is that of another file",
    (code) => {
      const linkSync = (file: string, name: string) => {
        fs.linkSync(file, name);
        throw failing(code);
      };
      const lost = openFolder({ replaced: { linkSync: linkSync as never } });
      expect(lost.folder.create("a", "text")).toBe(true);
      expect(lost.folder.create("a", "other")).toBe(false);
      expect(lost.all()).toEqual(["a"]);
      // Another device can have a file with the same number.
      const lstatSync = (path: string) => ({ dev: path.endsWith("/a") ? 1 : 2, ino: 7 });
      const { folder } = openFolder({
        replaced: { linkSync: linkSync as never, lstatSync: lstatSync as never },
      });
      expect(folder.create("a", "text")).toBe(false);
    },
  );

  it.each([
    ["a short file", { fstatSync: () => ({ size: 3 }) }, "the file came out short"],
    ["a full disk", { writeSync: refuses("ENOSPC") }, "ENOSPC: refused by the test"],
    ["a disk that fails", { fsyncSync: refuses("EIO") }, "EIO: refused by the test"],
    ["a folder that is not writable", { openSync: refuses("EACCES") }, "EACCES: refused by the test"],
  ])("is not left behind by %s", (_, replaced, reason) => {
    const { all, folder, open, path } = openFolder({ replaced: { ...replaced } });
    expect(messageOf(() => folder.create("a", "text"))).toBe(
      `the state directory ${path} cannot be used: ${reason}`,
    );
    expect([all(), open()]).toEqual([[], []]);
  });

  it("is not written where it is larger than any that is read", () => {
    const { all, folder } = openFolder();
    expect(messageOf(() => folder.create("a", "x".repeat(limit + 1)))).toContain(
      "its journal is larger than 64 MiB; when no incident of it is open, begin another with INCIDENT_CLI_STATE_DIR",
    );
    folder.create("b", "x".repeat(limit));
    expect(all()).toEqual(["b"]);
  });

  it("says that a full disk needs space", () => {
    const { folder } = openFolder({ replaced: { writeSync: refuses("ENOSPC") } });
    expect(catchFailure(() => folder.create("a", "text"))?.hint).toMatch(/^free some space on its disk; or /);
  });

  it.each(["EPERM", "ENOTSUP", "ETIMEDOUT", "EIO"])(
    "that cannot be linked is not left behind: %s",
    (code) => {
      const { all, folder, path } = openFolder({ replaced: { linkSync: refuses(code) } });
      expect(messageOf(() => folder.create("a", "text"))).toBe(
        `the state directory ${path} cannot be used: ${code}: refused by the test`,
      );
      expect(all()).toEqual([]);
    },
  );

  it("that is gone is removed already, and one that cannot be removed is a failure", () => {
    const { all, folder } = openFolder();
    folder.create("a", "text");
    folder.remove("a");
    folder.remove("a");
    expect(all()).toEqual([]);
    const { folder: other, path } = openFolder({ replaced: { unlinkSync: refuses("EACCES") } });
    expect(messageOf(() => other.remove("a"))).toBe(
      `the state directory ${path} cannot be used: EACCES: refused by the test`,
    );
  });
});

describe("a private folder", () => {
  it("is made with the first file, and again where somebody removed it", () => {
    const { all, calls, folder, path } = openFolder();
    folder.create("a", "text");
    calls.length = 0;
    folder.create("b", "text");
    expect(calls).not.toContain("mkdirSync kept");
    fs.rmSync(path, { recursive: true });
    folder.create("c", "text");
    expect(all()).toEqual(["c"]);
    expect(fs.statSync(path).mode & 0o777).toBe(0o700);
  });

  it("is not written a second time after another error than that it is gone", () => {
    let count = 0;
    const openSync = (path: string, ...options: never[]) => {
      if (!path.includes(".tmp-")) return fs.openSync(path, ...(options as [never]));
      count += 1;
      throw failing("EIO");
    };
    const { folder } = openFolder({ replaced: { openSync: openSync as never } });
    expect(messageOf(() => folder.create("a", "text"))).toContain("EIO: refused by the test");
    expect(count).toBe(1);
  });

  it("lists its files without the temporary ones", () => {
    const { folder, path } = openFolder();
    expect(folder.names()).toEqual([]);
    folder.create("a", "text");
    for (const name of [".tmp-1", "b.tmp-"]) fs.writeFileSync(join(path, name), "");
    expect(folder.names()).toEqual(["a", "b.tmp-"]);
    const { folder: file, path: own } = openFolder();
    fs.writeFileSync(own, "");
    expect(messageOf(() => file.names())).toBe(
      `the journal's folder ${own} cannot be trusted: ENOTDIR: not a directory, scandir '${own}'`,
    );
  });
});

describe("a file that decides whether a create is sent", () => {
  function read(text: string | undefined, { replaced = {}, user: own = user }: Options = {}) {
    const path = join(temporaryFolder(), "file");
    if (text !== undefined) fs.writeFileSync(path, text);
    const { files, open } = openFiles(replaced);
    const result = (() => {
      try {
        const system = { user: own, random: { guid: () => "", fraction: () => 0 } };
        return openPrivateFolder({ files, system }, dirname(path)).read(basename(path));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return error.message.replace(path, "PATH");
      }
    })();
    expect(open()).toEqual([]);
    return result;
  }

  const untrusted = (reason: string) => `the journal's file PATH cannot be trusted: ${reason}`;
  const refusedBy = (code: string, how = "trusted") =>
    `the journal's file PATH cannot be ${how}: ${code}: refused by the test`;
  const byOne = (descriptor: number, bytes: Buffer, at: number, length: number) => {
    expect(at + length).toBeLessThanOrEqual(bytes.length);
    return fs.readSync(descriptor, bytes, at, 1, null);
  };
  const sized = (size: number) => ({ fstatSync: () => ({ isFile: () => true, uid: user, size }) });
  const { O_NONBLOCK: _, ...constants } = fs.constants;

  it.each<[string, string | undefined, Options, string | undefined]>([
    ["is there", "text", {}, "text"],
    ["is empty", "", {}, ""],
    ["is missing", undefined, {}, undefined],
    ["is gone when it is opened", "text", { replaced: { openSync: refuses("ENOENT") } }, undefined],
    ["comes in pieces", "text", { replaced: { readSync: byOne as never } }, "text"],
    ["is shorter than it says", "text", { replaced: sized(limit) }, "text"],
    ["is as large as a file may be", "x".repeat(limit), {}, "x".repeat(limit)],
    ["is larger", "x".repeat(limit + 1), {}, untrusted("it is larger than anything written here")],
    ["is a symbolic link", "text", { replaced: { openSync: refuses("ELOOP") } }, refusedBy("ELOOP")],
    ["cannot be opened", "text", { replaced: { openSync: refuses("EACCES") } }, refusedBy("EACCES")],
    ["cannot be read", "text", { replaced: { readSync: refuses("EIO") } }, refusedBy("EIO", "read")],
    ["belongs to another user", "text", { user: 4711 }, untrusted("it belongs to another user")],
  ])("is believed, or not, where it %s", (_, text, options, expected) => {
    expect(read(text, options)).toBe(expected);
  });

  it("is read where the system has no O_NONBLOCK", () => {
    expect(read("text", { replaced: { constants: constants as never } })).toBe("text");
  });

  it("is no folder", () => {
    const { folder, path } = openFolder();
    fs.mkdirSync(join(path, "a"), { recursive: true });
    expect(messageOf(() => folder.read("a"))).toContain("it is not a regular file");
  });
});
