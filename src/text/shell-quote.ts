// Writes words for a POSIX shell and for fish, for the commands that people paste.

/**
 * The word in quotes: a shell expands nothing in it, and nothing in it ends it. A backslash stands outside of the
 * quotes, because fish reads it as an escape inside of them.
 */
export function shellQuote(word: string): string {
  return `'${word.replace(/['\\]/g, "'\\$&'")}'`;
}

/** The word as it is where a shell takes it literally, else in quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word);
}
