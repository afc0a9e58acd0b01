// The files of a journal in a folder, as a process leaves them, and as it finds those of others.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolderSequences } from "../../../src/journal/folder/sequences.ts";
import type { Files } from "../../../src/platform/context.ts";
import { temporaryFolder } from "../../harness/incident.ts";

const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };

function openFolder(replaced: Partial<Files> = {}, root = join(temporaryFolder(), "state")) {
  const files: Files = { ...fs, fsyncSync: () => undefined, ...replaced };
  const sequences = createFolderSequences({ files, system: { random, user: process.getuid?.() } }, root);
  const sequence = sequences.open("a");
  const folder = join(root, "journal/a");
  const names = () => (fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []);
  const fill = async (count: number, from = 0) => {
    for (let at = from; at < from + count; at += 1) await sequence.append(at, { writer: `w${at}` });
  };
  return { fill, folder, names, root, sequence, sequences };
}

const shown = async ({ sequence }: Pick<ReturnType<typeof openFolder>, "sequence">, from = 0) => {
  const { entries, first } = await sequence.read(from);
  return [first, ...entries.map(({ writer }) => writer)];
};

describe("a sequence in a folder", () => {
  it("has a file for each entry, whose name is its number", async () => {
    const opened = openFolder();
    await opened.fill(2);
    expect(opened.names()).toEqual(["00000000.json", "00000001.json"]);
    expect(fs.readFileSync(join(opened.folder, "00000001.json"), "utf8")).toBe('{"writer":"w1"}\n');
    expect(await shown(opened)).toEqual([0, "w0", "w1"]);
    expect(await opened.sequences.names()).toEqual(["a"]);
    expect(await opened.sequence.append(1, { writer: "late" })).toBe("taken");
  });

  it("is read as it is where a drop has stopped at any of its files", async () => {
    const opened = openFolder();
    await opened.fill(4);
    fs.linkSync(join(opened.folder, "00000003.json"), join(opened.folder, "00000003.begins"));
    fs.rmSync(join(opened.folder, "00000001.json"));
    expect(await shown(opened)).toEqual([3, "w3"]);
    await opened.fill(1, 4);
    await opened.sequence.drop(4);
    expect(opened.names()).toEqual(["00000004.begins", "00000004.json"]);
  });

  it("is read again where it is dropped meanwhile", async () => {
    const other = openFolder();
    await other.fill(4);
    let isFirst = true;
    const openSync = ((path: string, flags: number) => {
      if (path.endsWith("00000001.json") && isFirst) {
        isFirst = false;
        void other.sequence.drop(3);
      }
      return fs.openSync(path, flags);
    }) as never;
    expect(await shown(openFolder({ openSync }, other.root))).toEqual([3, "w3"]);
  });

  it("is read again where its new beginning is appended meanwhile", async () => {
    const other = openFolder();
    await other.fill(2);
    let isFirst = true;
    const openSync = ((path: string, flags: number) => {
      if (!path.endsWith("00000002.json") || !isFirst) return fs.openSync(path, flags);
      isFirst = false;
      void other.fill(1, 2);
      void other.sequence.drop(2);
      throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    }) as never;
    expect(await shown(openFolder({ openSync }, other.root), 2)).toEqual([2, "w2"]);
  });

  it.each([0, 1])("cannot be trusted without its entry %i", async (number) => {
    const opened = openFolder();
    await opened.fill(3);
    fs.rmSync(join(opened.folder, `0000000${number}.json`));
    await expect(opened.sequence.read(0)).rejects.toThrow(
      `the journal's file journal/a/0000000${number}.json cannot be trusted: it is gone, and what came after it is not`,
    );
  });

  it("cannot be trusted without its snapshot", async () => {
    const opened = openFolder();
    await opened.fill(3);
    await opened.sequence.drop(2);
    fs.rmSync(join(opened.folder, "00000002.json"));
    await expect(opened.sequence.read(0)).rejects.toThrow(
      "journal/a/00000002.begins cannot be trusted: the entry that it names is gone",
    );
  });

  it("does not take a file of others for its beginning", async () => {
    const opened = openFolder();
    await opened.fill(2);
    fs.writeFileSync(join(opened.folder, "._00000009.begins"), "");
    expect(await shown(opened)).toEqual([0, "w0", "w1"]);
  });

  it("cannot be trusted with an entry that is torn", async () => {
    const opened = openFolder();
    await opened.fill(2);
    fs.writeFileSync(join(opened.folder, "00000001.json"), '{"wri');
    await expect(opened.sequence.read(0)).rejects.toThrow(
      "journal/a/00000001.json cannot be trusted: it is torn",
    );
  });
});
