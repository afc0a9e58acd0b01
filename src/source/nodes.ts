// YAML nodes to plain values, and the way from a path back to the place in the text. It resolves aliases
// itself, in one pass and within a bound: the parser's own way takes quadratic time.
import type { Locate, Path } from "../diagnostic.ts";
import type { Places } from "./positions.ts";
import type { Problem, Wording } from "./text-errors.ts";
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type YamlMap,
  type YamlNode,
  type YamlSeq,
} from "./yaml.ts";

/** Values that a document's aliases may stand for together; a bomb is far beyond it, and no person is near. */
const mostAliased = 10_000;

interface Anchored {
  readonly node: YamlNode;
  readonly value: unknown;
  /** How many values it holds, itself included. */
  readonly size: number;
}

export interface Reading {
  /** Mappings have no prototype; an integer that a number cannot hold is a bigint. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** What each alias stands for. */
  readonly targets: ReadonlyMap<Alias, YamlNode>;
}

/** Reads one document's nodes. Of a repeated key, the first value counts. */
export function readNodes(root: YamlNode | null, places: Places): Reading {
  const problems: Problem[] = [];
  const targets = new Map<Alias, YamlNode>();
  const anchors = new Map<string, Anchored | undefined>();
  let size = 0;
  let aliased = 0;

  function report(node: YamlNode, code: Problem["code"], explain: () => Wording): void {
    problems.push({ code, from: node.range[0], to: node.range[1], explain });
  }

  function read(node: YamlNode | null): unknown {
    size += 1;
    if (node === null) return null;
    if (isAlias(node)) return readAlias(node);
    const before = size;
    if (node.anchor !== undefined) anchors.set(node.anchor, undefined);
    const value = isScalar(node) ? exact(node.value) : isMap(node) ? readMap(node) : node.items.map(read);
    if (node.anchor !== undefined) anchors.set(node.anchor, { node, value, size: size - before + 1 });
    return value;
  }

  function readMap(map: YamlMap): unknown {
    const fields: Record<string, unknown> = Object.create(null);
    const firsts = new Map<string, YamlNode>();
    for (const { key, value } of map.items) {
      const name = String(read(key));
      const first = firsts.get(name);
      if (first === undefined) {
        firsts.set(name, key);
        fields[name] = read(value);
      } else {
        report(key, "duplicate-key", () => repeated(name, places(first.range[0], first.range[1]).start.line));
        read(value);
      }
    }
    return fields;
  }

  function readAlias(alias: Alias & YamlNode): unknown {
    const anchored = anchors.get(alias.source);
    if (anchored === undefined) {
      const isOpen = anchors.has(alias.source);
      report(alias, "yaml-syntax", () => (isOpen ? selfContained(alias.source) : unanchored(alias.source)));
      return null;
    }
    targets.set(alias, anchored.node);
    const isWithinBound = aliased <= mostAliased;
    if (isWithinBound) aliased += anchored.size;
    if (aliased <= mostAliased) {
      size += anchored.size;
      return anchored.value;
    }
    if (isWithinBound) report(alias, "too-many-aliases", () => tooMany);
    return null;
  }

  return { value: read(root), problems, targets };
}

/** How to find what a path of the reading's value stands for. */
export function createLocate(
  root: YamlNode | null,
  targets: Reading["targets"],
  places: Places,
  text: string,
): Locate {
  const indexes = new Map<YamlMap, Map<string, YamlMap["items"][number]>>();

  function pairOf(map: YamlMap, name: string): YamlMap["items"][number] | undefined {
    let index = indexes.get(map);
    if (index === undefined) {
      // Reversed, so that of a repeated key the first stays, as in the value.
      index = new Map([...map.items].reverse().map((pair) => [keyText(pair.key), pair]));
      indexes.set(map, index);
    }
    return index.get(name);
  }

  function spanOf(path: Path, part: "key" | "value"): readonly [number, number] {
    let node = root;
    let span = root === null ? ([0, 0] as const) : extent(root);
    for (const [depth, step] of path.entries()) {
      const holder: YamlNode | null | undefined = isAlias(node) ? targets.get(node) : node;
      if (isMap(holder)) {
        const pair = pairOf(holder as YamlMap, String(step));
        if (pair === undefined) break;
        const isKey = part === "key" && depth === path.length - 1;
        span = extent(!isKey && isPresent(pair.value) ? pair.value : pair.key);
        node = pair.value;
      } else if (isSeq(holder)) {
        const item = (holder as YamlSeq).items[Number(step)];
        if (item === undefined) break;
        span = extent(item);
        node = item;
      } else break;
    }
    return span;
  }

  return (path, part = "value", within = undefined) => {
    const [from, to] = spanOf(path, part);
    const found = within === undefined ? -1 : text.slice(from, to).indexOf(within);
    return found === -1 ? places(from, to) : places(from + found, from + found + (within ?? "").length);
  };
}

function keyText(key: YamlNode): string {
  return String(isScalar(key) ? key.value : key);
}

/** From a node's first character to its last, without what merely follows it: comments and line ends. */
function extent(node: YamlNode): readonly [number, number] {
  let last = node;
  for (let part = lastPart(last); part !== undefined; part = lastPart(last)) last = part;
  return [node.range[0], Math.max(node.range[0], last.range[1])];
}

/** What a list or mapping in block style ends with; in flow style, and in text, the end is its own. */
function lastPart(node: YamlNode): YamlNode | undefined {
  if (isMap(node) && !node.flow) {
    const pair = (node as YamlMap).items.at(-1);
    return pair === undefined || isPresent(pair.value) ? (pair?.value ?? undefined) : pair.key;
  }
  return isSeq(node) && !node.flow ? (node as YamlSeq).items.at(-1) : undefined;
}

/** A value that was left out stands nowhere: its field's name is what a person sees. */
function isPresent(value: YamlNode | null): value is YamlNode {
  return value !== null && value.range[0] < value.range[1];
}

/** Integers are read exactly; one that a number holds exactly becomes one. */
function exact(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function repeated(name: string, line: number): Wording {
  return { message: `"${name}" is written twice: first on line ${line}`, hint: "keep one of the two" };
}

function unanchored(name: string): Wording {
  return {
    message: `nothing before this is named "&${name}"`,
    hint: `name a value with &${name} first; if it is meant as text, put the whole text in quotes`,
  };
}

function selfContained(name: string): Wording {
  return { message: `the value named "&${name}" contains itself`, hint: "write the value out instead" };
}

const tooMany: Wording = {
  message: `the aliases here stand for more than ${mostAliased} values`,
  hint: "write the values out, or repeat them less often",
};
