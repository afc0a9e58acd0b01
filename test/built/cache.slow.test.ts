// The code cache of the built command: its use, its permissions, and a correct result with every kind of broken cache.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/incident.ts";
import { loadsOf } from "../harness/loads.ts";
import { isMissing } from "../harness/programs.ts";
import { temporaryRoot } from "../harness/temporary-root.ts";
import { withSandbox } from "../harness/with-sandbox.ts";

const args = ["validate", join(import.meta.dirname, "../../fixtures/api-outage.yaml")];

/** The cache folder after two runs: the first lists the files, the second keeps their code. */
let original: string | undefined;
afterAll(() => original && fs.rmSync(original, { recursive: true }));

async function fill(): Promise<string> {
  const base = fs.mkdtempSync(join(temporaryRoot, "incident-cache-"));
  for (const _ of ["list", "code"]) await loadsOf(args, { env: { XDG_CACHE_HOME: base } });
  return base;
}

/** A copy of the filled cache. */
async function filled() {
  original ??= await fill();
  const base = temporaryFolder();
  fs.cpSync(original, base, { recursive: true });
  const folder = join(base, "incident-cli");
  const [name, ...others] = fs.readdirSync(folder);
  expect(others).toEqual([]);
  return { base, folder, file: join(folder, name as string) };
}

/** Runs again, checks the result, and returns how much code came from the cache. */
async function runAgain(base: string) {
  const { files, exitCode, stdout, stderr } = await loadsOf(args, { env: { XDG_CACHE_HOME: base } });
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: "1 definition in 1 file: valid",
    stderr: "",
  });
  const taken = Object.values(files);
  return taken.every(Boolean) ? "all" : taken.some(Boolean) ? "some" : "none";
}

describe("the code cache", () => {
  it("lists the files in the first run, keeps their code in the second, and serves the third completely", async () => {
    const base = temporaryFolder();
    expect(await runAgain(base)).toBe("none");
    const folder = join(base, "incident-cli");
    const sizeOf = () => fs.statSync(join(folder, fs.readdirSync(folder)[0] as string)).size;
    expect(sizeOf()).toBeLessThan(10_000);
    expect(await runAgain(base)).toBe("none");
    expect(sizeOf()).toBeGreaterThan(100_000);
    expect(await runAgain(base)).toBe("all");
  });

  it("serves the modules of a request", async () => {
    await withSandbox(async (service) => {
      const env = { ...service, XDG_CACHE_HOME: temporaryFolder() };
      const files = async () => (await loadsOf(["create", "-f", args[1] as string], { env })).files;
      for (const _ of ["list", "code"]) expect(Object.values(await files()).filter(Boolean)).toEqual([]);
      expect(Object.values(await files()).every(Boolean)).toBe(true);
    });
  });

  it("is readable and writable by its user only", async () => {
    const { base, folder, file } = await filled();
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    // Without damage, a copy serves.
    expect(await runAgain(base)).toBe("all");
  });

  const change =
    (alter: (bytes: Buffer) => Buffer) =>
    ({ file }: { readonly file: string }) =>
      fs.writeFileSync(file, alter(fs.readFileSync(file)));
  const truncate = change((bytes) => bytes.subarray(0, bytes.length - 100));

  it("is replaced where it is ignored", async () => {
    const { base, file } = await filled();
    truncate({ file });
    for (const _ of ["list", "code"]) expect(await runAgain(base)).toBe("none");
    expect(await runAgain(base)).toBe("all");
  });

  it.each([
    ["its end is truncated", truncate],
    ["a power failure emptied it", change((bytes) => Buffer.alloc(bytes.length))],
    ["it has no content", change(() => Buffer.alloc(0))],
    ["it has other text", change(() => Buffer.from("code".repeat(1000)))],
    ["it is the code of another build", change(withOtherBuild)],
    ["others can write its folder", ({ folder }) => fs.chmodSync(folder, 0o777)],
    ["others can write the file", ({ file }) => fs.chmodSync(file, 0o666)],
    [
      "a link on its path leads into a repository",
      ({ base }) => {
        fs.renameSync(base, `${base}-repository`);
        onTestFinished(() => fs.rmSync(`${base}-repository`, { recursive: true }));
        fs.mkdirSync(join(`${base}-repository`, ".git"));
        fs.symlinkSync(`${base}-repository`, base);
      },
    ],
    [
      "it is a FIFO",
      ({ file }) => {
        fs.rmSync(file);
        execFileSync("mkfifo", ["-m", "600", file]);
      },
    ],
    [
      "it is a symbolic link",
      ({ file }) => {
        fs.renameSync(file, `${file}-elsewhere`);
        fs.symlinkSync(`${file}-elsewhere`, file);
      },
    ],
    [
      "its folder is a symbolic link",
      ({ folder }) => {
        fs.renameSync(folder, `${folder}-elsewhere`);
        fs.symlinkSync(`${folder}-elsewhere`, folder);
      },
    ],
  ] satisfies [string, (at: { base: string; folder: string; file: string }) => void][])(
    "is ignored where %s",
    async (_, open) => {
      const at = await filled();
      open(at);
      expect(await runAgain(at.base)).toBe("none");
    },
  );

  it("is not written to a folder that others can write", async () => {
    const base = temporaryFolder();
    fs.mkdirSync(join(base, "incident-cli"));
    fs.chmodSync(join(base, "incident-cli"), 0o777);
    expect(await runAgain(base)).toBe("none");
    expect(fs.readdirSync(join(base, "incident-cli"))).toEqual([]);
  });

  it.skipIf(isMissing("strace"))(
    "is flushed before it has its name where it has code, which no power failure may cut",
    () => {
      const base = temporaryFolder();
      const log = join(base, "calls.txt");
      const trace = ["-f", "-o", log, "-e", "trace=?fsync,?rename,?renameat,?renameat2", process.execPath];
      const env = { ...process.env, XDG_CACHE_HOME: base };
      const command = [...trace, join(import.meta.dirname, "../../dist/incident.cjs"), ...args];
      const calls = ["list", "code"].map(() => {
        execFileSync("strace", command, { env });
        return Array.from(
          fs.readFileSync(log, "utf8").matchAll(/^\d+ +(fsync|rename)/gm),
          ([, name]) => name,
        );
      });
      expect(calls).toEqual([["rename"], ["fsync", "rename"]]);
    },
  );

  it("is optional: the command works without a folder for it", async () => {
    const base = join(temporaryFolder(), "file");
    fs.writeFileSync(base, "no folder");
    expect(await runAgain(base)).toBe("none");
  });

  it.each([
    ["that is relative", () => "cache"],
    [
      "in a repository, which could contain prepared code",
      (folder) => {
        fs.mkdirSync(join(folder, ".git"));
        return join(folder, "cache");
      },
    ],
  ] satisfies [string, (folder: string) => string][])("ignores a cache folder %s", async (_, choose) => {
    const base = choose(temporaryFolder());
    expect(await runAgain(base)).toBe("none");
    expect(fs.existsSync(base)).toBe(false);
  });

  it("writes no file for an unknown command", async () => {
    const base = temporaryFolder();
    const { exitCode } = await loadsOf(["validat"], { env: { XDG_CACHE_HOME: base } });
    expect(exitCode).toBe(2);
    expect(fs.readdirSync(base)).toEqual([]);
  });

  it("gains the modules of later runs, and keeps the others", async () => {
    const { base } = await filled();
    const missing = [...args, "no-such-file.yaml"];
    const cached = async (line: readonly string[]) => {
      const { files } = await loadsOf(line, { env: { XDG_CACHE_HOME: base } });
      return Object.values(files).every(Boolean);
    };
    const invalid = ["validate", join(import.meta.dirname, "../../fixtures/invalid/missing-field.yaml")];
    expect([await cached(invalid), await cached(invalid), await cached(invalid)]).toEqual([
      false,
      false,
      true,
    ]);
    await loadsOf(missing, { env: { XDG_CACHE_HOME: base } });
    expect(await runAgain(base)).toBe("all");
  });
});

function withOtherBuild(bytes: Buffer): Buffer {
  const marked = /"buildId":"([0-9a-f]{16})"/.exec(bytes.toString("latin1"))?.[1] as string;
  return Buffer.from(bytes.toString("latin1").replace(marked, "0".repeat(16)), "latin1");
}
