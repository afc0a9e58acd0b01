// The words for a merge key (<<), which YAML 1.2 does not have: the fields that it stands for, written out.
import { isDeepStrictEqual } from "node:util";
import type { DiagnosticMessage, Path } from "../diagnostic.ts";
import type { Violation } from "../rules/violations.ts";
import { isMapping } from "../untrusted-data.ts";

export function isMergeKey({ keyword, path }: Violation): boolean {
  return keyword === "no-other-fields" && path.at(-1) === "<<";
}

/** Whether a violation is gone once the fields of a merge key are written out. */
export function followsFrom(merge: Violation, { keyword, path, value }: Violation): boolean {
  if (keyword === "required") return parentOf(path) === parentOf(merge.path);
  if (keyword !== "no-other-fields" || path.at(-1) === "<<") return false;
  return [merge.value].flat().some((part) => isDeepStrictEqual(part, value));
}

/** `all` has the violations of the whole value. */
export function mergeMistake(merge: Violation, all: readonly Violation[]): DiagnosticMessage {
  const fields = Object.assign({}, ...[merge.value].flat().filter(isMapping).reverse());
  const holder = all.find((each) => each.keyword !== "required" && followsFrom(merge, each))?.path.at(-1);
  const isPlain = (value: unknown) =>
    typeof value === "string" && /^[\p{L}\p{N}][\p{L}\p{N} .-]*$/u.test(value);
  return {
    message: '"<<" is a merge key, and YAML 1.2 has none',
    hint: `write its fields out${holder === undefined ? "" : `, and remove "${holder}"`}`,
    example: Object.entries(fields)
      .map(([name, value]) => `${name}: ${isPlain(value) ? value : JSON.stringify(value)}`)
      .join("\n"),
  };
}

function parentOf(path: Path): string {
  return JSON.stringify(path.slice(0, -1));
}
