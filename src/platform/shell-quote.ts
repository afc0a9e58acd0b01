// Writes words for a POSIX shell, for the commands that people paste.

/** The word in quotes: a shell expands nothing in it, and nothing in it ends it. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The word as it is where a shell takes it literally, else in quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word);
}
