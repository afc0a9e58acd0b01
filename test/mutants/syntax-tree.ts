// The syntax tree of a source file, as rolldown's parser gives it.
import { parseAst } from "rolldown/parseAst";

/** A node of ESTree with TypeScript; `start` and `end` are offsets in UTF-16 units. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export function parseSource(text: string): Node {
  return parseAst(text, { lang: "ts" }) as unknown as Node;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The direct children, in the order of the source. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .sort((a, b) => a.start - b.start);
}

/** The text of a string literal. */
export function stringOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== "Literal" || typeof node.value !== "string") return undefined;
  return node.value;
}

/** The name of an identifier, a property key or a private name. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  return typeof node.name === "string" ? node.name : stringOf(node);
}
