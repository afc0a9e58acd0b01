// A store in memory, for `--no-journal`: it forgets everything when the process ends.
import type { Store } from "./folder-store.ts";

export function createMemoryStore(): Store {
  const texts = new Map<string, string>();
  const put = (name: string, text: string) => !texts.has(name) && texts.set(name, text) !== undefined;
  return {
    put,
    putTogether: (entries) => {
      const text = entries.map((entry) => entry.text).join("");
      return entries.map(({ name }) => put(name, text));
    },
    // Nobody but this process could find them, and it knows what it sends.
    listed: () => [],
    unlist: () => undefined,
    alias: (name, other) => !texts.has(other) && texts.set(other, texts.get(name) ?? "") !== undefined,
    replace: (name, text) => void texts.set(name, text),
    get: (name) => texts.get(name),
    remove: (name) => void texts.delete(name),
    names: (prefix) => [...texts.keys()].filter((name) => name.startsWith(prefix)).sort(),
    sweep: () => undefined,
  };
}
