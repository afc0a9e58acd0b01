import { expect, it } from "vitest";
import { findCacheFolder } from "../../src/platform/cache-folder.ts";

/** No folder exists yet. */
const files = {
  statSync: () => undefined,
  lstatSync: () => undefined,
  realpathSync: { native: (path: string) => path },
};

const windows = { USERPROFILE: "C:\\Users\\me" };

it.each<[NodeJS.Platform, Record<string, string>, string | undefined]>([
  ["linux", { HOME: "/home/me" }, "/home/me/.cache"],
  ["linux", { HOME: "/home/me", XDG_CACHE_HOME: "/cache" }, "/cache"],
  ["linux", { HOME: "/home/me", LOCALAPPDATA: "C:\\x" }, "/home/me/.cache"],
  ["freebsd", { HOME: "/home/me", XDG_CACHE_HOME: "" }, "/home/me/.cache"],
  ["darwin", { HOME: "/Users/me" }, "/Users/me/Library/Caches"],
  ["darwin", { HOME: "/Users/me", XDG_CACHE_HOME: "/Users/me/.cache" }, "/Users/me/.cache"],
  ["win32", { ...windows, LOCALAPPDATA: "D:\\Local" }, "D:\\Local"],
  ["win32", windows, "C:\\Users\\me\\AppData\\Local"],
  ["win32", { ...windows, XDG_CACHE_HOME: "D:\\cache" }, "D:\\cache"],
  ["linux", {}, undefined],
  ["linux", { HOME: "me" }, undefined],
  ["linux", { HOME: "/home/me", XDG_CACHE_HOME: "cache" }, undefined],
  ["win32", { HOME: "/home/me" }, undefined],
])("on %s with %j, caches are in %s", (platform, env, folder) => {
  const found = findCacheFolder(files as unknown as Parameters<typeof findCacheFolder>[0], { platform, env });
  expect(found).toBe(folder && `${folder}/incident-cli`);
});
