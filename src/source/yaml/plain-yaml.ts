// Parses YAML fast, into plain values without positions. The only importer of js-yaml.
import { FAILSAFE_SCHEMA, loadAll, Type, YAMLException } from "js-yaml";
import { toExactNumber } from "./exact-number.ts";

// The scalars of the core schema of YAML 1.2. The schema of the same name in js-yaml also reads 1_000 and 0b1 as numbers.
const integer = /^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const special = new Map([
  [".nan", Number.NaN],
  [".inf", Number.POSITIVE_INFINITY],
  ["+.inf", Number.POSITIVE_INFINITY],
  ["-.inf", Number.NEGATIVE_INFINITY],
]);
const isSpecial = (text: string) => /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(text);

function scalar<T>(name: string, test: (text: string) => boolean, construct: (text: string) => T): Type {
  return new Type(`tag:yaml.org,2002:${name}`, {
    kind: "scalar",
    resolve: (text: string | null) => test(text ?? ""),
    construct: (text: string | null) => construct(text ?? ""),
  });
}

const schema = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalar(
      "null",
      (text) => /^(?:~|null|Null|NULL|)$/.test(text),
      () => null,
    ),
    scalar(
      "bool",
      (text) => /^(?:true|True|TRUE|false|False|FALSE)$/.test(text),
      (text) => /^t/i.test(text),
    ),
    scalar(
      "int",
      (text) => integer.test(text),
      (text) => toExactNumber(BigInt(text)),
    ),
    scalar(
      "float",
      (text) => float.test(text) || isSpecial(text),
      (text) => special.get(text.toLowerCase()) ?? Number.parseFloat(text),
    ),
  ],
});

/** Every document of the text; `undefined` for text that is no YAML, or that is nested too deeply. */
export function loadPlainYaml(text: string): readonly unknown[] | undefined {
  try {
    return loadAll(text, null, { schema });
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}
