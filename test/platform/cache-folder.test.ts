import { expect, it } from "vitest";
import { findCacheFolder } from "../../src/platform/cache-folder.ts";

/** No folder exists yet. */
const files = {
  statSync: () => undefined,
  lstatSync: () => undefined,
  realpathSync: { native: (path: string) => path },
};

it.each<[Record<string, string>, string | undefined]>([
  [{ HOME: "/home/me" }, "/home/me/.cache"],
  [{ USERPROFILE: "/Users/me" }, "/Users/me/.cache"],
  [{ HOME: "/home/me", XDG_CACHE_HOME: "/cache" }, "/cache"],
  [{ HOME: "/home/me", XDG_CACHE_HOME: "" }, "/home/me/.cache"],
  [{}, undefined],
  [{ HOME: "me" }, undefined],
  [{ HOME: "/home/me", XDG_CACHE_HOME: "cache" }, undefined],
])("with %j, caches are in %s", (env, folder) => {
  const found = findCacheFolder(files as unknown as Parameters<typeof findCacheFolder>[0], { env });
  expect(found).toBe(folder && `${folder}/incident-cli`);
});
