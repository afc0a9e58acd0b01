// Patterns that a project's file or a service's document holds, on an engine whose time is linear in the text: a pattern
// can come from a pull request, and must not hang a run. The only importer of re2js.
import { RE2JS } from "re2js";

/** Undefined for a pattern that the engine cannot run: one with a lookaround or a backreference, or no pattern. */
export type CompilePattern = (pattern: string) => Matches | undefined;

interface Matches {
  (text: string): boolean;
  /** The number of its states: a text takes at most this many steps for each of its characters. */
  readonly size?: number;
}

export const compilePattern: CompilePattern = (pattern) => {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return Object.assign((text: string) => compiled.test(text), { size: compiled.programSize() });
  } catch {
    return undefined;
  }
};
