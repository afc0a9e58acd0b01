// Converts YAML nodes to plain values, and locates a path of the value in the text. Resolves aliases in one pass and
// within a limit, because the parser resolves them in quadratic time.
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { DiagnosticMessage } from "../../diagnostic.ts";
import type { TextError } from "../diagnostic-list.ts";
import { type LocateSpan, lineAt, type SpanOf } from "../positions.ts";

/** The most values that the aliases of a document may repeat in total. An alias bomb exceeds it by far. */
const maxAliasedValues = 10_000;

interface Anchored {
  readonly node: ParsedNode;
  readonly value: unknown;
  /** The number of values in it, including itself. */
  readonly size: number;
}

export interface NodeValue {
  /** Mappings have no prototype; an integer outside the safe range of a number is a bigint. */
  readonly value: unknown;
  readonly errors: readonly TextError[];
  readonly targets: ReadonlyMap<Alias, ParsedNode>;
}

/** Converts the nodes of one document of `text`. For a repeated key, the first value counts. */
export function readNodes(root: ParsedNode | null, text: string, locateSpan: LocateSpan): NodeValue {
  const errors: TextError[] = [];
  const targets = new Map<Alias, ParsedNode>();
  const unused = new Map<string, Scalar.Parsed>();
  const anchors = new Map<string, Anchored | undefined>();
  let size = 0;
  let aliased = 0;

  function report(node: ParsedNode, code: TextError["code"], explain: () => DiagnosticMessage): void {
    errors.push({ code, from: node.range[0], to: node.range[1], explain });
  }

  function read(node: ParsedNode | null): unknown {
    size += 1;
    if (node === null) return null;
    if (isAlias(node)) return readAlias(node);
    const before = size;
    if (node.anchor !== undefined) anchors.set(node.anchor, undefined);
    if (isScalar(node) && node.type === "PLAIN" && typeof node.value === "string") reportMark(node);
    const value = isScalar(node)
      ? readScalar(node.value)
      : isMap(node)
        ? readMap(node)
        : node.items.map(read);
    if (node.anchor !== undefined) anchors.set(node.anchor, { node, value, size: size - before + 1 });
    return value;
  }

  /** A plain text that begins with "!" or "&" loses its first word. */
  function reportMark(node: Scalar.Parsed): void {
    if (node.anchor !== undefined) unused.set(node.anchor, node);
    if (node.tag === "!") reportBefore(node, "!", "the tag ! does not apply here");
  }

  function reportBefore(node: Scalar.Parsed, mark: string, message: string): void {
    const from = text.lastIndexOf(mark, node.range[0] - 1);
    const explain = () => ({ message, hint: markHint(text, from) });
    errors.push({ code: "unknown-tag", from, to: from + mark.length, explain });
  }

  function readMap(map: YAMLMap.Parsed): unknown {
    const fields: Record<string, unknown> = Object.create(null);
    const firsts = new Map<string, ParsedNode>();
    for (const { key, value } of map.items) {
      const name = String(read(key));
      const first = firsts.get(name);
      if (first === undefined) {
        firsts.set(name, key);
        fields[name] = read(value);
      } else {
        report(key, "duplicate-key", () => {
          const { line } = locateSpan(first.range[0], first.range[1]).start;
          return duplicateKey(name, line, map === root && first === map.items[0]?.key);
        });
        read(value);
      }
    }
    return fields;
  }

  function readAlias(alias: Alias & ParsedNode): unknown {
    const anchored = anchors.get(alias.source);
    if (anchored === undefined) {
      const name = alias.source;
      const message = anchors.has(name)
        ? { message: `the value named "&${name}" contains itself`, hint: "write the value out instead" }
        : {
            message: `no anchor before this is named "&${name}"`,
            hint: `name a value with &${name} first; if it is meant as text, put the whole text in quotes`,
          };
      report(alias, "yaml-syntax", () => message);
      return null;
    }
    targets.set(alias, anchored.node);
    unused.delete(alias.source);
    const isWithinBound = aliased <= maxAliasedValues;
    if (isWithinBound) aliased += anchored.size;
    if (aliased <= maxAliasedValues) {
      size += anchored.size;
      return anchored.value;
    }
    if (isWithinBound) report(alias, "too-many-aliases", () => tooManyAliases);
    return null;
  }

  const value = read(root);
  for (const [name, node] of unused) reportBefore(node, `&${name}`, `no alias uses the anchor &${name}`);
  return { value, errors, targets };
}

/** The replacement of a tag or an anchor that a text seems to begin with. */
export function markHint(text: string, from: number): string {
  const before = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
  const mark = text.charAt(from);
  const rest = lineAt(text, from).slice(before.length).replace(/ #.*$/, "").trimEnd();
  const isWhole = /^[^[{"']*$/.test(before) && rest.length < 200 && /\s[^"'\s]/.test(rest);
  return isWhole
    ? `remove it; if the text begins with "${mark}", write ${JSON.stringify(rest)}`
    : `remove it, or put the text in quotes if it is meant to start with "${mark}"`;
}

export function createSpanOf(root: ParsedNode | null, targets: NodeValue["targets"]): SpanOf {
  const indexes = new Map<YAMLMap.Parsed, Map<string, YAMLMap.Parsed["items"][number]>>();

  function pairOf(map: YAMLMap.Parsed, name: string): YAMLMap.Parsed["items"][number] | undefined {
    let index = indexes.get(map);
    if (index === undefined) {
      // Reversed, so that the first of a repeated key wins, as in the value.
      index = new Map([...map.items].reverse().map((pair) => [keyName(pair.key), pair]));
      indexes.set(map, index);
    }
    return index.get(name);
  }

  return (path, part) => {
    let node = root;
    let span = root === null ? ([0, 0] as const) : spanOfNode(root);
    for (const [depth, step] of path.entries()) {
      const holder: ParsedNode | null | undefined = isAlias(node) ? targets.get(node) : node;
      if (isMap(holder)) {
        const pair = pairOf(holder as YAMLMap.Parsed, String(step));
        if (pair === undefined) break;
        const isKey = part === "key" && depth === path.length - 1;
        span = spanOfNode(!isKey && isPresent(pair.value) ? pair.value : pair.key);
        node = pair.value;
      } else if (isSeq(holder)) {
        const item = (holder as YAMLSeq.Parsed).items[Number(step)];
        if (item === undefined) break;
        span = spanOfNode(item);
        node = item;
      } else break;
    }
    return span;
  };
}

function keyName(key: ParsedNode): string {
  return String(isScalar(key) ? key.value : key);
}

/** The span of a node without the comments and line ends after it. */
function spanOfNode(node: ParsedNode): readonly [number, number] {
  let last = node;
  for (let part = lastPart(last); part !== undefined; part = lastPart(last)) last = part;
  return [node.range[0], Math.max(node.range[0], last.range[1])];
}

/** The last node in a list or mapping in block style. In flow style and in text, the node ends by itself. */
function lastPart(node: ParsedNode): ParsedNode | undefined {
  if (isMap(node) && !node.flow) {
    const pair = (node as YAMLMap.Parsed).items.at(-1);
    return pair === undefined || isPresent(pair.value) ? (pair?.value ?? undefined) : pair.key;
  }
  return isSeq(node) && !node.flow ? (node as YAMLSeq.Parsed).items.at(-1) : undefined;
}

/** Whether the text has the value. For an omitted value, the name of the field is the location. */
function isPresent(value: ParsedNode | null): value is ParsedNode {
  return value !== null && value.range[0] < value.range[1];
}

function readScalar(value: unknown): unknown {
  return typeof value === "bigint" ? toExactNumber(value) : value;
}

function duplicateKey(name: string, line: number, beginsMapping: boolean): DiagnosticMessage {
  const separate = beginsMapping ? 'if another document begins here, write "---" above it; else ' : "";
  return {
    message: `"${name}" is written twice: first on line ${line}`,
    hint: `${separate}keep one of the two`,
  };
}

const tooManyAliases: DiagnosticMessage = {
  message: `the aliases here expand to more than ${maxAliasedValues} values`,
  hint: "write the values out, or repeat them less often",
};

/** Converts an integer to a number if that loses no precision. */
function toExactNumber(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
