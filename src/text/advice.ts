// Commands as a person pastes them into a shell, and the place for a task without one.

/** A command line, or a part of one. Each value is one word, in quotes where a shell needs them. */
export function shell(texts: TemplateStringsArray, ...words: readonly string[]): string {
  return String.raw({ raw: texts }, ...words.map(shellWord));
}

export function commandText(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/**
 * The word in quotes that no shell expands and nothing in it ends. A backslash stands outside of them, because fish reads it
 * as an escape inside. A character that a terminal shows as an escape is one here. Line breaks at the end are left out.
 */
export function shellQuote(word: string): string {
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(word)) {
    const escaped = word.replace(/['\\%\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
      Array.from(Buffer.from(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
    );
    return `"$(printf '${escaped}')"`;
  }
  return `'${word.replace(/['\\]/g, "'\\$&'")}'`;
}

/** The word as it is where a shell takes it literally, else in quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word);
}

/** The place for a task without a command or an operation. `link`: the address of the incident, where it is known. */
export function inWebApplication(link?: string): string {
  return `in the service's web application${link === undefined ? "" : `: ${link}`}`;
}
