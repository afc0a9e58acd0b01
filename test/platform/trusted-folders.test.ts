// Which folders are trusted, over a simulated tree of owners and modes: /home/me is a link to /data/me where `links` says.
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { type FolderDeps, findUntrustedFolder } from "../../src/platform/trusted-folders.ts";

type Tree = Readonly<Record<string, readonly [uid: number, mode: number]>>;

const me = 1000;
const home: Tree = {
  "/": [0, 0o755],
  "/home": [0, 0o755],
  "/home/me": [me, 0o700],
  "/home/me/.config": [me, 0o700],
};

function find(tree: Tree, { user = me, real = {} }: { user?: number; real?: Record<string, string> } = {}) {
  const statSync = (path: string, options?: { throwIfNoEntry: boolean }) => {
    const entry = tree[path];
    if (entry === undefined && options?.throwIfNoEntry === false) return undefined;
    if (entry === undefined) throw new Error(`ENOENT ${path}`);
    return { uid: entry[0], mode: 0o040000 | entry[1] };
  };
  const realpathSync = { native: (path: string) => real[path] ?? path };
  const files = { statSync, realpathSync } as unknown as FolderDeps["files"];
  return findUntrustedFolder({ files, user }, "/home/me/.config/incident-cli");
}

describe("a folder", () => {
  it.each<[string, Tree, ReturnType<typeof find>]>([
    ["of this user", {}, undefined],
    ["of root", { "/home/me": [0, 0o755] }, undefined],
    [
      "of another user",
      { "/home/me/.config": [1001, 0o700] },
      { folder: "/home/me/.config", problem: "belongs to another user" },
    ],
    [
      "that its group can change",
      { "/home/me": [me, 0o770] },
      { folder: "/home/me", problem: "can be changed by other users" },
    ],
    [
      "far above that everyone can change",
      { "/home": [0, 0o777] },
      { folder: "/home", problem: "can be changed by other users" },
    ],
    ["with the sticky bit", { "/home": [0, 0o1777] }, undefined],
  ])("%s is trusted or not", (_, changes, expected) => {
    expect(find({ ...home, ...changes })).toEqual(expected);
  });

  it("of another user is not trusted by root, as with sudo", () => {
    expect(find(home, { user: 0 })).toEqual({
      folder: "/home/me/.config",
      problem: "belongs to another user",
    });
  });

  it("is judged by its real path as well", () => {
    const tree: Tree = { ...home, "/data": [0, 0o777], "/data/config": [me, 0o700] };
    expect(find(tree, { real: { "/home/me/.config": posix.join("/data", "config") } })).toEqual({
      folder: "/data",
      problem: "can be changed by other users",
    });
  });
});
