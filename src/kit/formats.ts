// The values of -o.

/** The values of `-o`. `text` is the human form of a command without a table; each after `id` is one of the Report's views. */
export const formats = [
  "table",
  "json",
  "id",
  "markdown",
  "text",
  "github",
  "junit",
  "curl",
  "definition",
] as const;
export type Format = (typeof formats)[number];
