// Errors in a file, each with a code and a location; their lists are sorted and bounded, so that they never flood a log.

/** Codes are stable, because users filter by them. */
export const diagnosticCodes = [
  "unreadable",
  "file-too-large",
  "body-too-large",
  "fault",
  "not-utf8",
  "yaml-syntax",
  "too-deep",
  "too-many-aliases",
  "duplicate-key",
  "unknown-tag",
  "no-definition",
  "wrong-type",
  "unknown-field",
  "missing-field",
  "unknown-severity",
  "unknown-status",
  "unknown-value",
  "placeholder",
  "cut-text",
  "backward-status",
  "left-placeholder",
  "repeated-definition",
  "repeated-entry",
  "missing-id",
  "duplicate-id",
  "contract",
  "name-too-long",
  "control-character",
  "blank-text",
  "empty-list",
  "not-a-guid",
  "not-a-date",
  "not-a-date-time",
  "not-a-whole-number",
  "unknown-service",
  "other-service",
  "unset-variable",
  "bad-variable",
  "no-input",
  "undeclared-variable",
  "bad-dedup-key",
  "bad-resolve",
  "no-otherwise",
  "policy-notify",
  "policy-text",
  "leak",
] as const;
export type DiagnosticCode = (typeof diagnosticCodes)[number];

/** One step of a path into a document: the name of a field or the index in a list. */
export type Path = readonly (string | number)[];

/** Equal for two paths of the same steps. */
export function keyOf(path: Path): string {
  return JSON.stringify(path);
}

/** Whether a path leads to a part of the whole, or to the whole itself. */
export function isWithin(path: Path, whole: Path): boolean {
  return whole.every((step, at) => step === path[at]);
}

/** A position in a text file. `line` and `column` count from 1; columns are Unicode code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A range of one file; `end` is just past the last character. */
export interface Location {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
  /** The whole source line at `start`, as the file has it. */
  readonly source: string;
}

export interface DiagnosticMessage {
  /** One sentence that states the error. */
  readonly message: string;
  /** One sentence that states the correction. */
  readonly hint: string;
  /** Lines of YAML that show the correction. */
  readonly example?: string;
  /** The most characters that the text may have, where it has more. */
  readonly mostCharacters?: number | undefined;
}

/** A problem of one part of a value. The value comes from a file or from flags. */
export interface Problem extends DiagnosticMessage {
  readonly code: DiagnosticCode;
  /** An error by default. */
  readonly level?: "warning" | "error";
  /** Of the part, or of the field that is missing. */
  readonly path: Path;
  /** The name of the field is wrong, and not its value. */
  readonly part?: "key";
  /** The text in the value that is wrong. */
  readonly within?: string;
  /** The value that the message begins with, where it does: the file may spell it in another way. */
  readonly value?: unknown;
}

export interface Diagnostic extends DiagnosticMessage {
  readonly code: DiagnosticCode;
  readonly level: "error" | "warning";
  readonly location: Location;
}

export function errorAt(
  code: DiagnosticCode,
  message: DiagnosticMessage,
  location: Location,
  level: Diagnostic["level"] = "error",
): Diagnostic {
  return { code, level, ...message, location };
}

/** The most diagnostics of a file. Each part of a check stops soon after it has as many. */
export const maxDiagnostics = 100;

/** The errors, then the warnings, by their positions, without duplicates from aliases. */
export function arranged(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const partsOf = ({ code, location, message }: Diagnostic) =>
    JSON.stringify([code, location.start, message]);
  const sorted = [...new Map(found.toSorted(byPosition).map((each) => [partsOf(each), each])).values()];
  const errors = sorted.filter(isError);
  const [next] = errors.splice(maxDiagnostics);
  const message = "more problems in this file are not shown";
  const hint = "correct the ones above, then check again";
  const more = next && errorAt(next.code, { message, hint }, next.location);
  return [...errors, ...(more ? [more] : []), ...sorted.filter((each) => !isError(each))];
}

/** As `file:line:column`. */
export function placeText({ file, start }: Location): string {
  return `${file}:${start.line}:${start.column}`;
}

/** On one line. */
export function diagnosticText({ code, hint, location, message }: Diagnostic): string {
  return `${placeText(location)}: ${message} [${code}]; ${hint}`;
}

export function isError({ level }: Pick<Problem, "level">): boolean {
  return level !== "warning";
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.location.start, b.location.start];
  return one.line - other.line || one.column - other.column;
}
