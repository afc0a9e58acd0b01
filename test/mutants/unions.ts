// The unions of string literals in the types of the sources: a mutant returns another member than the code does.
import { childrenOf, isNode, type Node, nameOf, parseSource, stringOf } from "./syntax-tree.ts";

/** Each union as its members, in the order of the source. */
export type Unions = readonly (readonly string[])[];

/** The unions of literals, and those of objects that one field with a literal tells apart. */
export function unionsIn(text: string): Unions {
  const unions: string[][] = [];
  const visit = (node: Node) => {
    if (node.type === "TSUnionType") {
      const members = (node.types as Node[]).flatMap((type) => membersOf(type));
      if (new Set(members).size > 1) unions.push([...new Set(members)]);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseSource(text));
  return unions;
}

/** Another member of the union that has this literal: one of its own file, if there is one. */
export function otherMember(literal: string, own: Unions, all: Unions): string | undefined {
  const union = [...own, ...all].find((members) => members.includes(literal));
  if (union === undefined) return undefined;
  return union[(union.indexOf(literal) + 1) % union.length];
}

const discriminants = new Set(["type", "kind", "do", "is", "because", "phase", "action", "result"]);

function membersOf(type: Node): readonly string[] {
  const literal = isNode(type.literal) ? stringOf(type.literal) : undefined;
  if (literal !== undefined) return [literal];
  if (type.type !== "TSTypeLiteral") return [];
  for (const member of type.members as Node[]) {
    if (!discriminants.has(nameOf(member.key) ?? "")) continue;
    const annotation = (member.typeAnnotation as Node | null)?.typeAnnotation;
    if (!isNode(annotation)) continue;
    if (annotation.type === "TSUnionType") return (annotation.types as Node[]).flatMap(membersOf);
    return membersOf(annotation);
  }
  return [];
}
