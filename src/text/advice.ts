// Sentences that state the next action, and the commands that they name as a person pastes them.

export type Argv = readonly string[];

/** The words of a literal command line; a value is a word, or a part of one. */
export function argv(texts: TemplateStringsArray, ...values: readonly string[]): Argv {
  const left = [...values];
  return texts
    .join("\0")
    .split(" ")
    .map((word) => word.replaceAll("\0", () => left.shift() ?? ""));
}

/** A sentence that states the next action; its commands are quoted for a shell. */
export function advise(texts: TemplateStringsArray, ...values: readonly (string | Argv)[]): string {
  return texts.map((text, at) => text + commandText(values[at] ?? "")).join("");
}

/** The command as a person pastes it into a shell. */
export function commandText(command: string | Argv): string {
  return typeof command === "string" ? command : command.map(shellWord).join(" ");
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
