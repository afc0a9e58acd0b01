// The values of -o, a row each: the kinds of results that the format draws, and its file. The formats of a command follow
// from the kind of its results.
import { Failure } from "../failure.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import { type FlagSpecs, longNameIn } from "./flags.ts";
import type { Draw, Kind } from "./report.ts";

/** The file has a function for each kind, and for no other. `live` prints itself. `only`: the command that offers it. */
function format<K extends Kind>(
  kinds: readonly K[],
  load: () => Promise<{ readonly draw: { readonly [P in Exclude<K, "live">]: Draw<P> } }>,
  only?: string,
) {
  return { kinds, load, only };
}

/** The first that draws a kind is its default. */
export const formats = {
  table: format(["incidents", "plan", "list", "page", "requests", "live"], () => import("./formats/page.ts")),
  text: format(["problems", "text"], () => import("./formats/page.ts")),
  json: format(
    ["incidents", "plan", "list", "page", "requests", "problems", "schema", "live"],
    () => import("./formats/json.ts"),
  ),
  id: format(["incidents", "plan", "list"], () => import("./formats/id.ts")),
  markdown: format(["incidents", "plan"], () => import("./formats/markdown.ts")),
  github: format(["problems"], () => import("./formats/github.ts")),
  junit: format(["problems"], () => import("./formats/junit.ts")),
  curl: format(["requests"], () => import("./formats/curl.ts")),
  definition: format(["incidents"], () => import("./formats/definition.ts"), "get"),
};

export type Format = keyof typeof formats;

/** The formats of a command for a kind of results, the default first. */
export function formatsOf({ name: command }: Pick<Printing, "name">, kind: Kind): readonly Format[] {
  return (Object.keys(formats) as Format[]).filter((name) => {
    const { kinds, only = command } = formats[name];
    return only === command && (kinds as readonly Kind[]).includes(kind);
  });
}

interface Printing {
  readonly name: string;
  readonly flags: FlagSpecs;
  readonly result: Kind;
  readonly modes?: Readonly<Record<string, Kind>>;
}

/** The modes of a command: the name of each flag as its run reads it, its long form, and the formats beside it. */
export function modesOf(spec: Omit<Printing, "result">) {
  const { flags, modes = {} } = spec;
  return Object.entries(modes).map(([name, kind]) => {
    return { name, flag: longNameIn(ownValue(flags, name)?.usage ?? name), outputs: formatsOf(spec, kind) };
  });
}

/** Every format that the command offers, in some mode. */
export function outputsOf(spec: Printing): readonly Format[] {
  return [...new Set([...formatsOf(spec, spec.result), ...modesOf(spec).flatMap(({ outputs }) => outputs)])];
}

/** Throws a `Failure` "usage" for a format that the command does not offer with these flags. */
export function chooseFormat(
  spec: Printing,
  flags: Readonly<Record<string, unknown>>,
  output: string | undefined,
): Format {
  const mode = modesOf(spec).find(({ name }) => ownValue(flags, name) !== undefined);
  const outputs = mode?.outputs ?? formatsOf(spec, spec.result);
  const chosen = output === undefined ? outputs[0] : outputs.find((each) => each === output);
  if (chosen !== undefined) return chosen;
  const words = mode === undefined ? spec.name : `${spec.name} ${mode.flag}`;
  const hint = `use -o with one of: ${outputs.join(", ")}`;
  throw new Failure("usage", `incident ${words} cannot print "${output}"`, {
    hint: withSuggestion(hint, nearest(output ?? "", outputs)),
  });
}
