// The values of -o.

/** The outputs of commands whose JSON Schema `incident schema` prints, by the names of their commands. */
export const describedOutputs = [
  "apply",
  "config-path",
  "config-show",
  "contract-check",
  "contract-pull",
  "contract-show",
  "create",
  "doctor",
  "error",
  "explain",
  "gate",
  "get",
  "journal-copy",
  "journal-init",
  "journal-list",
  "journal-settle",
  "journal-show",
  "login",
  "logout",
  "open",
  "services-import",
  "services-list",
  "templates-list",
  "templates-show",
  "validate",
] as const;

/** The values of `-o`. `text` is the human form of a command without a table; each after `id` is one of the Report's views. */
export const formats = [
  "table",
  "json",
  "yaml",
  "id",
  "markdown",
  "text",
  "github",
  "sarif",
  "junit",
  "curl",
  "definition",
  ...describedOutputs,
] as const;
export type Format = (typeof formats)[number];
