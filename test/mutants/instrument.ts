// A source file with all its mutants at once: at each place, `__mutant(N)` says whether the mutant N is the active one, and
// `__compare(N, …)` notes while it is measured whether the mutant has another value there.

import { type Mutation, mutationsOf } from "./mutators.ts";
import { unmutatedLines } from "./selection.ts";
import { childrenOf, isNode, type Node, nameOf, parseSource } from "./syntax-tree.ts";
import { type Unions, unionsIn } from "./unions.ts";

export interface Mutant {
  /** Unique in a run. */
  readonly number: number;
  readonly file: string;
  readonly line: number;
  readonly isStatic: boolean;
  /** Names the mutant whatever the line: file, function, mutator, and the change. */
  readonly name: string;
  /** The text of the file with this mutant alone. */
  readonly mutate: (text: string) => string;
}

export interface Instrumented {
  readonly code: string;
  readonly mutants: readonly Mutant[];
}

/** `first`: the number of the first mutant. */
export function instrument(file: string, text: string, allUnions: Unions, first: number): Instrumented {
  const program = parseSource(text);
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const lines = text.split("\n");
  const mutations = mutationsOf(program, { text, ownUnions: unionsIn(text), allUnions }).filter(
    ({ start }) => unmutatedLines.get(file)?.test(lines[lineOf(start) - 1] ?? "") !== true,
  );
  const counts = new Map<string, number>();
  const mutants = mutations.map((mutation, index): Mutant => {
    const plain = `${file} | ${functionAt(program, mutation.start)} | ${describeChange(mutation, text)}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    return {
      number: first + index,
      file,
      line: lineOf(mutation.start),
      isStatic: mutation.isStatic,
      name: count === 1 ? plain : `${plain} (${count})`,
      mutate: (original) =>
        original.slice(0, mutation.start) + asCode(mutation) + original.slice(mutation.end),
    };
  });
  const byHost = new Map<Node, { mutation: Mutation; number: number }[]>();
  for (const [index, mutation] of mutations.entries()) {
    const list = byHost.get(mutation.host) ?? [];
    byHost.set(mutation.host, [...list, { mutation, number: first + index }]);
  }
  const render = (node: Node): string => {
    let code = "";
    let at = node.start;
    for (const child of childrenOf(node)) {
      // A shorthand property has the same node twice.
      if (child.start < at) continue;
      code += text.slice(at, child.start) + render(child);
      at = child.end;
    }
    code += text.slice(at, node.end);
    return (byHost.get(node) ?? []).reduceRight((original, { mutation, number }) => {
      const { end, replacement, start } = mutation;
      const mutated = text.slice(node.start, start) + replacement + text.slice(end, node.end);
      // A test for which both have the same value notices nothing, so that only the others count as reaching it.
      if (canBeCompared(mutation))
        return `(__mutant(${number}, 1) ? (${mutated}) : __compare(${number}, (${original}), () => (${mutated})))`;
      if (node.type.endsWith("Statement"))
        return `{ if (__mutant(${number})) { ${mutated} } else { ${original} } }`;
      return `(__mutant(${number}) ? (${mutated}) : (${original}))`;
    }, code);
  };
  return { code: text.slice(0, program.start) + render(program) + text.slice(program.end), mutants };
}

/** Methods that change nothing. */
const pureMethods =
  /^(?:at|every|filter|find|findLast|flatMap|includes|indexOf|join|map|max|min|slice|some|startsWith|endsWith|toLowerCase|trim|split|keys|values|has|get)$/;

/** Whether the mutated expression can be computed beside the original: it changes nothing. */
function canBeCompared({ host, mutator, replacement }: Mutation): boolean {
  if (host.type.endsWith("Statement")) return false;
  return (mutator === "condition" && /^(?:true|false)$/.test(replacement)) || isPure(host);
}

function isPure(node: Node): boolean {
  if (/^(?:Await|Yield|Assignment|Update|New|Import|Tagged)|FunctionExpression$/.test(node.type)) {
    if (node.type !== "ArrowFunctionExpression" || node.async === true || node.expression !== true)
      return false;
  }
  if (node.type === "CallExpression") {
    const callee = node.callee as Node;
    const isPredicate = /^(?:is|has|can|normal)[A-Z]/.test(nameOf(callee) ?? "");
    if (!isPredicate && !pureMethods.test(nameOf(callee.property) ?? "")) return false;
  }
  return node.type !== "BlockStatement" && childrenOf(node).every(isPure);
}

/** As it stands in a file of its own. */
function asCode({ mutator, replacement }: Mutation): string {
  if (mutator === "case") return "undefined as never";
  if (mutator === "statement") return "{}";
  return mutator === "operand" && replacement.startsWith("{") ? `(${replacement})` : replacement;
}

/** The mutants of all files, and their instrumented code. */
export function instrumentAll(sources: ReadonlyMap<string, string>): ReadonlyMap<string, Instrumented> {
  const allUnions = [...sources.values()].flatMap(unionsIn);
  const all = new Map<string, Instrumented>();
  let first = 1;
  for (const [file, text] of sources) {
    const instrumented = instrument(file, text, allUnions, first);
    all.set(file, instrumented);
    first += instrumented.mutants.length;
  }
  return all;
}

function describeChange({ end, host, mutator, replacement, start }: Mutation, text: string): string {
  const shorten = (part: string) => {
    const line = part.replace(/\s+/g, " ").trim();
    return line.length <= 70 ? line : `${line.slice(0, 45)} … ${line.slice(-20)}`;
  };
  const isSmall = end - start < 12 && host.end - host.start < 200;
  const from = isSmall ? host.start : start;
  const to = isSmall ? host.end : end;
  const original = shorten(text.slice(from, to));
  const mutated = shorten(text.slice(from, start) + replacement + text.slice(end, to));
  return `${mutator}: ${original} → ${mutated === "" ? "nothing" : mutated}`;
}

/** The named function around a place. */
function functionAt(node: Node, offset: number, name = "module"): string {
  const child = childrenOf(node).find(({ end, start }) => start <= offset && offset < end);
  if (child === undefined) return name;
  return functionAt(child, offset, ownName(child) ?? name);
}

function ownName(node: Node): string | undefined {
  if (node.type === "FunctionDeclaration") return nameOf(node.id);
  const value = node.type === "VariableDeclarator" ? node.init : node.value;
  const isFunction = isNode(value) && /Function/.test(value.type);
  return isFunction ? nameOf(node.id ?? node.key) : undefined;
}
