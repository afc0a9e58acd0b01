// Reads the sentences out of the source itself: every Failure, every pair of a message and a hint, and every message and
// question of a running command. An expression in a sentence stands in braces. So that none can be left out.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";

const root = new URL("../../", import.meta.url).pathname;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface SourceWords {
  readonly file: string;
  /** What the sentences are for: `failure usage`, `message and hint`, `warn`, `info`, `ask`. */
  readonly kind: string;
  readonly sentences: readonly string[];
}

/** In the order of the files and of their text. */
export function sourceWords(): readonly SourceWords[] {
  const files = readdirSync(join(root, "src"), { recursive: true })
    .map((name) => join("src", String(name)))
    .filter((name) => name.endsWith(".ts"))
    .sort();
  return files.flatMap((file) => wordsOf(file, readFileSync(join(root, file), "utf8")));
}

function wordsOf(file: string, text: string): SourceWords[] {
  const found: SourceWords[] = [];
  const source = (node: Node) => text.slice(node.start, node.end).replace(/\s+/g, " ");
  const sentence = (node: Node | undefined): string => {
    if (node === undefined) return "";
    if (node.type === "Literal") return String(node.value);
    if (node.type === "TaggedTemplateExpression") return sentence(node.quasi as Node);
    if (node.type !== "TemplateLiteral") return `{${source(node)}}`;
    const quasis = node.quasis as { readonly value: { readonly cooked: string } }[];
    const expressions = node.expressions as Node[];
    return quasis
      .map(
        ({ value }, at) =>
          value.cooked + (expressions[at] === undefined ? "" : `{${source(expressions[at])}}`),
      )
      .join("");
  };
  const property = (node: Node | undefined, name: string) =>
    (node?.properties as Node[] | undefined)?.find(
      ({ key }) => (key as { name?: string } | undefined)?.name === name,
    )?.value as Node | undefined;
  const visit = (value: unknown, inFailure: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, inFailure);
    if (typeof value !== "object" || value === null || !("type" in value)) return;
    const node = value as Node;
    const isFailure = node.type === "NewExpression" && (node.callee as Node).name === "Failure";
    if (isFailure) {
      const [kind, message, details] = node.arguments as Node[];
      const hint = property(details, "hint");
      found.push({
        file,
        kind: `failure ${sentence(kind)}`,
        sentences: [sentence(message), hint === undefined ? sentence(details) : sentence(hint)],
      });
    } else if (node.type === "ObjectExpression" && !inFailure) {
      const [message, hint] = [property(node, "message"), property(node, "hint")];
      const isOwn = [message, hint].some((part) => part && /Literal$/.test(part.type));
      if (message && hint && isOwn)
        found.push({ file, kind: "message and hint", sentences: [sentence(message), sentence(hint)] });
    } else if (node.type === "CallExpression") {
      const callee = node.callee as {
        readonly name?: string;
        readonly property?: { readonly name?: string };
      };
      const name = callee.property?.name ?? callee.name ?? "";
      const [first, , third] = node.arguments as (Node | undefined)[];
      if (["warn", "info", "ask"].includes(name))
        found.push({ file, kind: name, sentences: [sentence(first)] });
      if (name === "confirm") found.push({ file, kind: "ask", sentences: [sentence(third)] });
    }
    for (const [key, child] of Object.entries(node)) if (key !== "type") visit(child, isFailure);
  };
  visit(parseAst(text, { lang: "ts" }), false);
  return found;
}
