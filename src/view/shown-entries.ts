// Limits a list to the entries that a page shows.

import type { SafeText } from "../platform/terminal/safe-text.ts";
import { withCommas } from "../text/lengths.ts";
import { escapeLine } from "./terminal/escape.ts";

const maxShown = 10_000;

export interface ShownEntries<T> {
  readonly shown: readonly T[];
  /** `190,000 more`; undefined if the page shows all. */
  readonly rest: SafeText | undefined;
}

export function showEntries<T>(entries: readonly T[]): ShownEntries<T> {
  if (entries.length <= maxShown) return { shown: entries, rest: undefined };
  return {
    shown: entries.slice(0, maxShown),
    rest: escapeLine(`${withCommas(entries.length - maxShown)} more`),
  };
}
