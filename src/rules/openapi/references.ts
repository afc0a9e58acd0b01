// Walks a document whose parts may be missing or of another type, and follows references within it. Never leaves the
// document.
import { decodePercent, type Fields, fieldOf, isMapping } from "../../untrusted-data.ts";
import { pointerTo } from "../pointer.ts";

export type Node = Fields;

/** A part of a document, and where it stands as a JSON pointer. */
export interface Located {
  readonly value: unknown;
  readonly at: string;
}

/** A chain of references that is longer than this is taken for a cycle. */
const longestChain = 50;

/**
 * Follows the references of a value; undefined for a target that is missing or outside of the document. `isReferred`
 * tells a value that stands elsewhere.
 */
export function follow(
  root: unknown,
  { value, at }: Located,
): (Located & { readonly isReferred: boolean }) | undefined {
  let current: Located = { value, at };
  for (let step = 0; step < longestChain; step += 1) {
    const reference = nodeOf(current.value)?.$ref;
    if (typeof reference !== "string") return { ...current, isReferred: step > 0 };
    if (!reference.startsWith("#")) return undefined;
    const found = lookUp(root, reference);
    if (found === undefined) return undefined;
    current = found;
  }
  return undefined;
}

/** The field of a part that may be missing, with its references followed. */
export function fieldAt(
  root: unknown,
  parent: Located | undefined,
  name: string | number,
): Located | undefined {
  const field = fieldOfPart(parent, name);
  return field && follow(root, field);
}

export function fieldOfPart(parent: Located | undefined, name: string | number): Located | undefined {
  const value = fieldOf(parent?.value, name);
  return parent === undefined || value === undefined ? undefined : { value, at: pointerTo(parent.at, name) };
}

/** The names of the fields of a part that may be missing. */
export function namesIn(part: Located | undefined): readonly string[] {
  return Object.keys(nodeOf(part?.value) ?? {});
}

function lookUp(root: unknown, reference: string): Located | undefined {
  const steps = reference
    .slice(1)
    .split("/")
    .slice(1)
    .map((step) => (decodePercent(step) ?? step).replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce<Located | undefined>(fieldOfPart, { value: root, at: "#" });
}

export function nodeOf(value: unknown): Node | undefined {
  return isMapping(value) ? value : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
