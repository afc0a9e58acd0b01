// The machine-made mutants of a source file: small faults that a careless author could write. These are left out:
// - what the compiler or any first run shows, such as a missing `return` of the only value;
// - texts for people: messages, hints, and what is shown while a command works;
// - a mutant that every test notices that notices another one of the same condition: where `a` alone and `b` alone are
//   noticed in place of `a && b`, so are `a || b`, and `a !== 1` in place of `a === 1`;
// - of the two neighbours of a number, one; of a duration or a limit, the longer one, which is slow and never unsafe;
// - the value of a constant of the module: it is a choice, and its neighbour is as good.
// Over 220 lines because each kind of syntax has its mutations here.
import { childrenOf, isNode, type Node, nameOf, stringOf } from "./syntax-tree.ts";
import { otherMember, type Unions } from "./unions.ts";

export interface Mutation {
  readonly mutator: string;
  /** The expression or statement that is chosen as a whole, original or mutated. */
  readonly host: Node;
  /** The part of the host that is replaced, as offsets in the file. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Whether it runs while the module loads. */
  readonly isStatic: boolean;
}

export interface MutationContext {
  readonly text: string;
  readonly ownUnions: Unions;
  readonly allUnions: Unions;
}

interface Place {
  readonly parent: Node | undefined;
  /** The chain of optional accesses that the node is a link of; a link cannot be chosen by itself. */
  readonly chain: Node | undefined;
  readonly isStatic: boolean;
  /** Whether it is a condition, or a part of one: the whole of it is replaced by `true` and `false`. */
  readonly isCondition: boolean;
}

const operators: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "===": ["!=="],
    "!==": ["==="],
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "+": ["-"],
    "-": ["+"],
    "*": ["/"],
    "/": ["*"],
    "%": ["*"],
  }),
);

const otherAssignments: ReadonlyMap<string, string> = new Map([
  ["+=", "-="],
  ["-=", "+="],
  ["*=", "/="],
  ["||=", "="],
  ["&&=", "="],
  ["??=", "="],
]);

/** Methods that are mistaken for each other. */
const otherMethods: ReadonlyMap<string | undefined, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["find", "findLast"],
  ["findLast", "find"],
  ["findIndex", "findLastIndex"],
  ["findLastIndex", "findIndex"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["min", "max"],
  ["max", "min"],
]);

/** Methods whose call can be left out. */
const omittedMethods = new Set([
  "filter",
  "sort",
  "slice",
  "toLowerCase",
  "trim",
  "reverse",
  "toSorted",
  "catch",
]);

/** Of a relation, the one that only differs where both sides are equal. */
const boundaries: ReadonlyMap<string, string> = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
]);

/** What is called to show a text. */
const shown = /^(?:info|progress|say|observe)$/;

/** Fields for people, and fields without which nothing works. */
const keptFields = new Set(["at", "hint", "cause", "type", "kind", "do", "is", "path", "text"]);

export function mutationsOf(program: Node, context: MutationContext): readonly Mutation[] {
  const found: Mutation[] = [];
  visit(program, { parent: undefined, chain: undefined, isStatic: true, isCondition: false }, context, found);
  // No two that give the same program.
  const programs = new Set<string>();
  return found.filter(({ end, replacement, start }) => {
    const text = context.text.slice(0, start) + replacement + context.text.slice(end);
    const isNew = !programs.has(text);
    programs.add(text);
    return isNew;
  });
}

function visit(node: Node, place: Place, context: MutationContext, found: Mutation[]): void {
  if (node.type.startsWith("Import") || (node.type.startsWith("TS") && !isNode(node.expression))) return;
  if (node.type === "ExportAllDeclaration" || isForPeople(node)) return;
  const add = (mutator: string, at: { start: number; end: number }, replacement: string, host = node) =>
    found.push({
      mutator,
      host: place.chain ?? host,
      start: at.start,
      end: at.end,
      replacement,
      isStatic: place.isStatic,
    });
  mutate(node, place, context, add);
  const isFunction = /Function/.test(node.type) || node.type === "PropertyDefinition";
  for (const child of childrenOf(node)) {
    if (child.type.startsWith("TS") && !isNode(child.expression)) continue;
    if (isKey(node, child) || isMessage(node, child)) continue;
    const chain = node.type === "ChainExpression" ? node : place.chain;
    const isLink = node.type === "ChainExpression" || child === node.object || child === node.callee;
    visit(
      child,
      {
        parent: node,
        chain: isLink || child.type === "TSNonNullExpression" ? chain : undefined,
        isStatic: place.isStatic && !isFunction,
        isCondition: isTest(node, child) || (place.isCondition && isPart(node)),
      },
      context,
      found,
    );
  }
}

/** A statement or a function that only shows a text. */
function isForPeople(node: Node): boolean {
  if (node.type === "VariableDeclarator") return shown.test(nameOf(node.id) ?? "");
  const call = node.type === "ExpressionStatement" ? (node.expression as Node) : node;
  if (call.type !== "CallExpression") return false;
  const callee = call.callee as Node;
  return shown.test(nameOf(callee.property ?? callee) ?? "");
}

/** The text of a failure or a warning, or its hint. */
function isMessage(node: Node, child: Node): boolean {
  if (node.type === "Property") return nameOf(node.key) === "hint";
  if (node.type === "NewExpression")
    return nameOf(node.callee) === "Failure" && (node.arguments as Node[])[1] === child;
  const callee = node.type === "CallExpression" ? (node.callee as Node) : undefined;
  return child !== callee && nameOf(callee?.property) === "warn";
}

function isTest(node: Node, child: Node): boolean {
  return (node.type === "IfStatement" || node.type === "ConditionalExpression") && child === node.test;
}

function isPart(node: Node): boolean {
  return node.type === "LogicalExpression" || (node.type === "UnaryExpression" && node.operator === "!");
}

/** Names and patterns, which are no expressions. */
function isKey(node: Node, child: Node): boolean {
  if (node.type === "Property" || node.type === "PropertyDefinition" || node.type === "MethodDefinition")
    return child === node.key && node.computed !== true;
  return node.type === "MemberExpression" && child === node.property && node.computed !== true;
}

type Add = (mutator: string, at: { start: number; end: number }, replacement: string, host?: Node) => void;

function mutate(
  node: Node,
  { isCondition, isStatic, parent }: Place,
  context: MutationContext,
  add: Add,
): void {
  const { text } = context;
  const source = (each: Node) => text.slice(each.start, each.end);
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      mutateOperator(node, { isCondition, parent }, text, add);
      return;
    case "IfStatement":
    case "ConditionalExpression": {
      const test = node.test as Node;
      if (test.operator !== "&&") add("condition", test, "true", test);
      if (test.operator !== "||") add("condition", test, "false", test);
      return;
    }
    case "WhileStatement":
    case "ForStatement": {
      const { test } = node;
      if (isNode(test) && test.type !== "Literal") add("condition", test, "false", test);
      return;
    }
    case "UnaryExpression":
      if ((node.operator === "!" && !isCondition) || node.operator === "-")
        add("negation", node, source(node.argument as Node));
      return;
    case "UpdateExpression": {
      const operator = node.operator === "++" ? "--" : "++";
      add("operator", node, source(node).replace(node.operator as string, operator));
      return;
    }
    case "AssignmentExpression": {
      const { left, operator, right } = node as unknown as { left: Node; operator: string; right: Node };
      const other = otherAssignments.get(operator);
      if (other !== undefined) add("operator", node, `${source(left)} ${other} ${source(right)}`);
      return;
    }
    case "Literal":
      mutateLiteral(node, { isStatic, parent }, context, add);
      return;
    case "SwitchCase": {
      const { test } = node;
      if (isNode(test)) add("case", test, "Symbol()", test);
      return;
    }
    case "ExpressionStatement":
      if (node.directive === undefined || node.directive === null) add("statement", node, ";");
      return;
    case "ThrowStatement":
      // Alone under a condition, this is the condition that is always false.
      if (parent?.type !== "IfStatement") add("statement", node, ";");
      return;
    case "BreakStatement":
    case "ContinueStatement":
      if (parent?.type !== "IfStatement") add("statement", node, ";");
      return;
    case "CallExpression":
    case "NewExpression":
      mutateCall(node, text, add);
      return;
    case "MemberExpression":
      if (node.optional === true) {
        const from = (node.object as Node).end;
        const at = text.indexOf("?.", from);
        add("optional chaining", { start: at, end: at + 2 }, node.computed === true ? "" : ".");
      }
      return;
    case "ObjectExpression":
    case "ArrayExpression":
      mutateElements(node, add);
      return;
  }
}

function mutateOperator(
  node: Node,
  { isCondition, parent }: Pick<Place, "isCondition" | "parent">,
  text: string,
  add: Add,
): void {
  const { left, operator, right } = node as unknown as { left: Node; operator: string; right: Node };
  const source = (each: Node) => text.slice(each.start, each.end);
  // `...(condition && fields)` is mutated where it is spread.
  if (operator === "&&" && parent?.type === "SpreadElement") return;
  if (operator === "+" && [left, right].some((side) => isText(side))) return;
  const at = { start: left.end, end: right.start };
  const isRelation = /^[<>=!]/.test(operator);
  const boundary = [boundaries.get(operator) ?? []].flat();
  const others = isRelation && isCondition ? boundary : (operators.get(operator) ?? []);
  for (const other of others) add("operator", at, text.slice(at.start, at.end).replace(operator, other));
  if (node.type !== "LogicalExpression") return;
  add("operand", node, source(left));
  // Of a chain, one operand is left out at a time.
  if (left.operator !== operator) add("operand", node, source(right));
}

function isText(node: Node): boolean {
  if (node.type === "BinaryExpression") return isText(node.left as Node) || isText(node.right as Node);
  return node.type === "TemplateLiteral" || stringOf(node) !== undefined;
}

function mutateLiteral(
  node: Node,
  { isStatic, parent }: Pick<Place, "isStatic" | "parent">,
  context: MutationContext,
  add: Add,
): void {
  const { value } = node;
  if (typeof value === "boolean") add("literal", node, String(!value));
  if (typeof value === "number" && !isStatic) {
    const other = value >= 50 ? value / 10 : value === 1 ? 0 : value + 1;
    add("number", node, String(other));
  }
  if (typeof value !== "string" || parent === undefined) return;
  // In a comparison, the operator is mutated; in a list, it is the union itself.
  if (/^(BinaryExpression|SwitchCase|ArrayExpression)$/.test(parent.type)) return;
  const other = otherMember(value, context.ownUnions, context.allUnions);
  if (other !== undefined) add("kind", node, JSON.stringify(other));
}

function mutateCall(node: Node, text: string, add: Add): void {
  const source = (each: Node) => text.slice(each.start, each.end);
  const callee = node.callee as Node;
  const given = node.arguments as Node[];
  const { object, property } = callee as { object?: Node; property?: Node };
  const method = callee.type === "MemberExpression" ? nameOf(property) : undefined;
  if (object?.type === "Identifier" && object.name === "Math") {
    mutateMath(property, add);
    return;
  }
  if (method !== undefined && object !== undefined && property !== undefined) {
    const other = otherMethods.get(method);
    if (other !== undefined) add("method", property, other);
    if (omittedMethods.has(method)) {
      const dot = text.lastIndexOf(".", property.start);
      add("method", { start: text[dot - 1] === "?" ? dot - 1 : dot, end: node.end }, "");
    }
  }
  for (let index = 0; index + 1 < given.length; index += 1) {
    const [one, two] = [given[index] as Node, given[index + 1] as Node];
    if (![one, two].every(isPlain) || source(one) === source(two)) continue;
    add("arguments", { start: one.start, end: two.end }, `${source(two)}, ${source(one)}`);
  }
}

/** The order of its arguments does not matter. */
function mutateMath(property: Node | undefined, add: Add): void {
  const other = otherMethods.get(nameOf(property));
  if (property !== undefined && other !== undefined) add("method", property, other);
}

function isPlain({ type }: Node): boolean {
  return type === "Identifier" || type === "MemberExpression" || type === "CallExpression";
}

/** Leaves a spread or a field out. */
function mutateElements(node: Node, add: Add): void {
  const elements = ((node.properties ?? node.elements) as (Node | null)[]).filter(isNode);
  for (const [index, element] of elements.entries()) {
    if (!isOmitted(element, elements)) continue;
    const next = elements[index + 1];
    const previous = elements[index - 1];
    const start = next === undefined && previous !== undefined ? previous.end : element.start;
    const end = next === undefined ? element.end : next.start;
    add(element.type === "SpreadElement" ? "spread" : "field", { start, end }, "");
  }
}

function isOmitted(element: Node, elements: readonly Node[]): boolean {
  if (element.type === "SpreadElement") return true;
  if (element.type !== "Property" || element.method === true || elements.length < 2) return false;
  if (keptFields.has(nameOf(element.key) ?? "")) return false;
  return !/Function/.test((element.value as Node).type);
}
