#!/usr/bin/env node
// The launcher: answers `--version`, and loads the command for all else. It is bundled to CommonJS and small, because
// it is the only file that every run compiles.
import { writeSync } from "node:fs";
import { version } from "../src/version.ts";
import { loadCommand } from "./load-command.ts";

try {
  if (!printVersion()) loadCommand();
} catch (error) {
  const problem = escapeText(error instanceof Error ? error.message : String(error));
  process.stderr.write(`error: incident cannot start: ${problem}\n  next: install incident-cli again\n`);
  process.exitCode = 1;
}

/** For speed: `false` for all other arguments, and if stdout fails, for the command to report it. */
function printVersion(): boolean {
  const [, , first, ...more] = process.argv;
  if (first !== "--version" || more.length > 0) return false;
  try {
    return writeSync(1, `${version}\n`) > 0;
  } catch {
    return false;
  }
}

/** The first line without characters that a terminal or a log obeys. The function for all other output is not loaded. */
function escapeText(text: string): string {
  const [line = ""] = text.split("\n", 1);
  // Not a literal: V8 looks up its Unicode properties in each run, which takes 1 ms, even if this function is not called.
  const unsafe = String.raw`(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|#(?=#\w*\[)`;
  return line.replace(
    new RegExp(unsafe, "gu"),
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
