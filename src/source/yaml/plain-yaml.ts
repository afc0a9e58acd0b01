// Parses YAML fast, into plain values without positions. The only importer of js-yaml.
import { FAILSAFE_SCHEMA, loadAll, Type, YAMLException } from "js-yaml";
import { toExactNumber } from "./exact-number.ts";

// The scalars of the core schema of YAML 1.2. The schema of the same name in js-yaml also reads 1_000 and 0b1 as numbers.
const schema = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalar("null", /^(?:~|null|Null|NULL|)$/, () => null),
    scalar("bool", /^(?:true|True|TRUE|false|False|FALSE)$/, (text) => /^t/i.test(text)),
    scalar("int", /^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/, (text) => toExactNumber(BigInt(text))),
    scalar("float", /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/, Number.parseFloat),
    scalar("special-float", /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/, toSpecialNumber),
  ],
});

function scalar(name: string, form: RegExp, construct: (text: string) => unknown): Type {
  return new Type(`tag:yaml.org,2002:${name}`, {
    kind: "scalar",
    resolve: (text: string | null) => form.test(text ?? ""),
    construct: (text: string | null) => construct(text ?? ""),
  });
}

function toSpecialNumber(text: string): number {
  if (/nan$/i.test(text)) return Number.NaN;
  return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Every document of the text; `undefined` for text that is no YAML, or that is nested too deeply. */
export function loadPlainYaml(text: string): readonly unknown[] | undefined {
  try {
    return loadAll(text, null, { schema });
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}
