// The files of a command, with something ahead of each call: a count, an error of the system, or a crash.
import type { Files } from "../../src/platform/context.ts";

/** Calls `before` ahead of each function. */
export function watchFiles(files: Files, before: (name: string, args: readonly unknown[]) => void): Files {
  return new Proxy(files, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      const watched = (...args: unknown[]) => {
        before(String(name), args);
        return method.apply(target, args);
      };
      // Such as `realpathSync.native`.
      return Object.assign(watched, method);
    },
  });
}

/** Refuses calls with this code of the system. */
export const refusing =
  (code: string, concerns: (name: string, args: readonly unknown[]) => boolean) =>
  (files: Files): Files =>
    watchFiles(files, (name, args) => {
      if (concerns(name, args)) throw Object.assign(new Error(`${code}: refused, ${name}`), { code });
    });
