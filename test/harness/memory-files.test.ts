// The file system in memory against a real disk: the same calls give the same results and the same error codes.
import * as fs from "node:fs";
import { join } from "node:path";
import { array, assert, constantFrom, oneof, property, record } from "fast-check";
import { expect, it } from "vitest";
import { temporaryFolder } from "./incident.ts";
import { createMemoryFiles, type Disk } from "./memory-files.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } = fs.constants;
const path = constantFrom("a", "b", "folder", "folder/a", "folder/b", "folder/sub", "folder/sub/a", "a/b");
const steps = oneof(
  record({
    call: constantFrom("open" as const),
    path,
    flags: constantFrom(
      O_RDONLY,
      O_RDONLY | O_NOFOLLOW,
      O_WRONLY | O_CREAT | O_EXCL,
      O_WRONLY | O_CREAT | O_TRUNC,
      O_WRONLY | O_CREAT | O_APPEND,
      "r",
      "w",
      "wx",
      "a",
    ),
  }),
  record({
    call: constantFrom(
      "stat",
      "lstat",
      "mkdir",
      "make",
      "unlink",
      "list",
      "types",
      "read",
      "remove",
      "clear",
    ),
    path,
  }),
  record({ call: constantFrom("put", "append"), path, text: constantFrom("", "one", "three") }),
  record({ call: constantFrom("link", "rename"), path, to: path }),
);

type Step = typeof steps extends { generate: (...args: never[]) => { value: infer T } } ? T : never;

/** The result of a call, without times, inode numbers, and the numbers of descriptors. */
function carryOut(files: Disk, root: string, step: Step): unknown {
  const file = join(root, step.path);
  const describe = (stat: fs.Stats | undefined) =>
    stat && [stat.isFile(), stat.mode, stat.isFile() && [stat.size, stat.nlink]];
  switch (step.call) {
    case "open": {
      const descriptor = files.openSync(file, step.flags, 0o600);
      const seen: unknown[] = [describe(files.fstatSync(descriptor))];
      for (const work of [
        () => files.writeSync(descriptor, Buffer.from("xyz"), 1),
        () => files.readSync(descriptor, Buffer.alloc(4), 0, 2, null),
        () => files.readFileSync(descriptor, "utf8"),
        () => files.fsyncSync(descriptor),
      ]) {
        seen.push(attempt(work));
      }
      files.closeSync(descriptor);
      return [...seen, attempt(() => files.closeSync(descriptor))];
    }
    case "stat":
      return describe(files.statSync(file, { throwIfNoEntry: false }));
    case "lstat":
      return describe(files.lstatSync(file));
    case "mkdir":
      return files.mkdirSync(file, { mode: 0o700 });
    case "make":
      return files.mkdirSync(file, { recursive: true, mode: 0o700 })?.slice(root.length);
    case "unlink":
      return files.unlinkSync(file);
    case "list":
      return [...files.readdirSync(file)].sort();
    case "types":
      return files
        .readdirSync(file, { withFileTypes: true })
        .map((entry) => `${entry.name} ${entry.isFile()} ${entry.isDirectory()} ${entry.isSymbolicLink()}`)
        .sort();
    case "read":
      return files.readFileSync(file, "utf8");
    case "remove":
      return files.rmSync(file, { force: true });
    case "clear":
      return files.rmSync(file, { force: true, recursive: true });
    case "put":
      return files.writeFileSync(file, step.text, { mode: 0o600 });
    case "append":
      return files.appendFileSync(file, step.text);
    case "link":
      return files.linkSync(file, join(root, step.to));
    case "rename":
      return files.renameSync(file, join(root, step.to));
  }
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

it("gives the results and the error codes of a real disk", () => {
  const folder = temporaryFolder();
  let count = 0;
  assert(
    property(array(steps, { maxLength: 25 }), (sequence) => {
      const root = join(folder, String(++count));
      fs.mkdirSync(root);
      const memory = createMemoryFiles("/root");
      for (const step of sequence) {
        const real = attempt(() => carryOut(fs, root, step));
        expect(attempt(() => carryOut(memory, "/root", step))).toEqual(real);
      }
    }),
    { numRuns: 100 },
  );
});
