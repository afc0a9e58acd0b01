// The shape of a flag: a row of data, from which the parser, the help and completion follow.

interface FlagValues {
  switch: boolean;
  text: string;
  list: readonly string[];
  /** Milliseconds. The command line takes a unit; a bare number is seconds. */
  duration: number;
  /** A whole number, 0 or more. */
  count: number;
}

export interface FlagSpec {
  /** The syntax is that of commander, which the help also shows: `-f, --file <path>`. */
  readonly usage: string;
  readonly kind: keyof FlagValues;
  readonly summary: string;
  /** The only values that the flag takes; completion offers them. */
  readonly choices?: readonly string[];
  /** Values to offer where the flag also takes others. */
  readonly completions?: readonly string[] | undefined;
}

/** The flags of a command, by the names that its run reads them by. */
export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

export type Flags<F extends FlagSpecs> = { readonly [K in keyof F]?: FlagValues[F[K]["kind"]] };

/** Flags that exclude each other, by their names, in every command that has both. */
export const exclusiveFlags: readonly (readonly [one: string, other: string])[] = [
  ["notify", "noNotify"],
  ["dryRun", "confirm"],
  ["key", "dedupKey"],
  ["created", "notCreated"],
  // Without the journal, nothing remembers the confirmation.
  ["noJournal", "confirm"],
];

/** `-f, --file <path>` has the names `-f` and `--file`. */
export function namesIn(usage: string): readonly string[] {
  return usage.split(/[ ,]+/).filter((part) => part.startsWith("-"));
}

const takes =
  <const K extends FlagSpec["kind"]>(kind: K) =>
  (usage: string, summary: string, completions?: readonly string[]) => {
    return { usage, kind, summary, completions };
  };

/** `-f, --file <path>` has the long name `--file`. */
export function longNameIn(usage: string): string {
  return namesIn(usage).at(-1) ?? usage;
}

/** Makes the spec of a flag from its usage, its summary, and the values that completion offers. */
export const flag = {
  switch: takes("switch"),
  text: takes("text"),
  list: takes("list"),
  duration: takes("duration"),
  count: takes("count"),
  /** One of `choices`, in any letter case, and nothing else. */
  choice: (usage: string, summary: string, choices: readonly string[]) =>
    ({ usage, kind: "text", summary, choices }) as const,
};
