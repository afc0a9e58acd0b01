// No object is read by a name that is any text: a name from outside can be `__proto__` or `constructor`. The compiler
// knows the type of every name, so the check needs no annotation.
import { join } from "node:path";
import {
  isBinaryExpression,
  isBindingElement,
  isComputedPropertyName,
  isElementAccessExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API, type Type, TypeFlags } from "typescript/unstable/sync";
import { expect, it } from "vitest";

/** The expressions that may have any name: guarded by `Object.hasOwn`, or of an object without a prototype. */
const vouched = [
  "src/source/variables.ts: fields[name]",
  "src/source/yaml/read.ts: values[name]",
  "src/untrusted-data.ts: record[name]",
];

interface Use {
  readonly shown: string;
  /** The expression of the name. */
  readonly name: Node;
}

const root = join(import.meta.dirname, "..");

it("no object is read by any text but with ownValue", () => {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProject: join(root, "tsconfig.json") }).getProjects();
    if (project === undefined) throw new Error("tsconfig.json has no project");
    const paths = project.program
      .getSourceFileNames()
      .filter((path) => path.startsWith(join(root, "src/")) || path.startsWith(join(root, "bin/")));
    const uses = paths.flatMap((path) => {
      const file = project.program.getSourceFile(path);
      return file === undefined ? [] : usesIn(file, path.slice(root.length + 1));
    });
    expect(uses.length).toBeGreaterThan(300);
    const types = project.checker.getTypeAtLocation(uses.map(({ name }) => name));
    const found = uses.filter((_, index) => isAnyText(types[index])).map(({ shown }) => shown);
    expect([...new Set(found)].sort()).toEqual(vouched);
  } finally {
    api.close();
  }
});

/** `object[name]`, `name in object` and `{ [name]: value } = object`. */
function usesIn(file: SourceFile, path: string): Use[] {
  const uses: Use[] = [];
  const add = (node: Node, name: Node) =>
    uses.push({ shown: `${path}: ${file.text.slice(node.pos, node.end).trim()}`, name });
  const visit = (node: Node): void => {
    if (isElementAccessExpression(node)) add(node, node.argumentExpression);
    if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) add(node, node.left);
    if (
      isBindingElement(node) &&
      node.propertyName !== undefined &&
      isComputedPropertyName(node.propertyName)
    )
      add(node, node.propertyName.expression);
    node.forEachChild(visit);
  };
  visit(file);
  return uses;
}

/** Whether a name of this type can be any text. A number, a literal and a union of literals cannot. */
function isAnyText(type: Type | undefined): boolean {
  const parts = type?.isUnionType() ? type.getTypes() : [type];
  const any = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.String | TypeFlags.TemplateLiteral;
  return parts.some((part) => part === undefined || (part.flags & any) !== 0);
}
