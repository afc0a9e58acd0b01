// The length of texts and their lines, numbers, and counts and lists of names, as a person reads them.

/** The length in Unicode code points, as in JSON Schema and in the limits of the service. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The text with at most `length` code points; a shortened text ends in an ellipsis. */
export function cutText(text: string, length: number): string {
  if (text.length <= length || codePointLength(text.slice(0, 2 * length + 1)) <= length) return text;
  const start = [...text.slice(0, 2 * length)].slice(0, length - 1).join("");
  return `${start.trimEnd()}…`;
}

/** A count as `4,987,213`. Without `Intl`, which takes long to load. */
export function withCommas(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 definition`, `2 definitions`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun.replace(/(?<=[^aeiou])y$/, "ie")}s`}`;
}

/** `a, b and c`. */
export function listOf(names: readonly string[], conjunction: "and" | "or" = "and"): string {
  const parts = [names.slice(0, -1).join(", "), ...names.slice(-1)];
  return parts.filter((part) => part !== "").join(` ${conjunction} `);
}

/** The most names that a message lists. */
const mostListed = 12;

/** `a, b, …` */
export function firstOf(names: readonly string[]): string {
  return [...names.slice(0, mostListed), ...(names.length > mostListed ? ["…"] : [])].join(", ");
}

/** Wraps one line between words; a word that is longer than a line stays whole. Returns at least one line. */
export function wrapText(text: string, width: number, measure: (word: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  let cells = 0;
  let hasWord = false;
  for (const [at, word] of text.split(" ").entries()) {
    const wordCells = measure(word);
    const isFull: boolean = hasWord && cells + 1 + wordCells > width;
    if (isFull) lines.push(line);
    hasWord = (hasWord && !isFull) || word.trim() !== "";
    const isFirst = at === 0 || isFull;
    line = isFirst ? word : `${line} ${word}`;
    cells = isFirst ? wordCells : cells + 1 + wordCells;
  }
  return [...lines, line];
}
