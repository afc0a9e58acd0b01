// Compiles each pattern once: a large file tests the same few patterns many times, and compiling takes longer than a test.
import type { CompilePattern } from "./patterns.ts";

export function compileOnce(compilePattern: CompilePattern): CompilePattern {
  const compiled = new Map<string, ReturnType<CompilePattern>>();
  return (pattern) => {
    if (!compiled.has(pattern)) compiled.set(pattern, compilePattern(pattern));
    return compiled.get(pattern);
  };
}
