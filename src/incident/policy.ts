// The policy of a project: the schema of `policy:` in its file, and the check of its rules for incidents.
import type { Path, Problem } from "../diagnostic.ts";
import { once } from "../once.ts";
import { array, nonEmptyList, oneOf, optionals, positive, text, type ValueOf } from "../rules/kinds.ts";
import { codePointLength, listOf } from "../text/lengths.ts";
import type { Definition } from "./definition.ts";
import { severities } from "./values.ts";

const textSchema = once(() => optionals({ maxLength: positive(), forbid: nonEmptyList(text("visible")) }));

export const policySchema = once(() =>
  optionals({
    notify: array(oneOf(severities, { code: "unknown-severity", noun: "severity" })),
    leaks: oneOf(["warn", "forbid"]),
    name: textSchema(),
    description: textSchema(),
  }),
);

export type Policy = ValueOf<ReturnType<typeof policySchema>>;
export type LeakMode = NonNullable<Policy["leaks"]>;

/** A text that customers read, from a definition that can be invalid. */
export interface PublicText {
  readonly path: Path;
  readonly text: string;
}

export function checkTexts(texts: readonly PublicText[], { description, name }: Policy): readonly Problem[] {
  return texts.flatMap(({ path, text }) => {
    const [list] = path;
    const rules = list === "name" ? name : list === "incidentUpdates" ? description : undefined;
    const { forbid = [], maxLength = Number.POSITIVE_INFINITY } = rules ?? {};
    const broken = (message: string, hint: string, mostCharacters?: number): Problem => {
      return { code: "policy-text", message, hint, mostCharacters, path };
    };
    const field = path.at(-1);
    const count = codePointLength(text);
    const shorten = `shorten it to at most ${maxLength}, as the policy of this project asks`;
    const lower = text.toLowerCase();
    const found = forbid.filter((word) => hasWord(lower, word.toLowerCase())).map((word) => `"${word}"`);
    const forbids = `the policy of this project forbids ${listOf(found)} in ${field}`;
    return [
      ...(count > maxLength ? [broken(`${field} has ${count} characters`, shorten, maxLength)] : []),
      ...(found.length > 0 ? [broken(forbids, "remove it")] : []),
    ];
  });
}

/** The updates that notify subscribers, and may not. */
export function checkNotify(
  { incidentUpdates, severity }: Definition,
  { notify = [...severities] }: Policy,
): readonly Problem[] {
  const may = notify.length === 0 ? "no severity notifies" : `only ${listOf(notify)} may notify`;
  const message = `the policy of this project does not let ${severity} notify subscribers`;
  const hint = `write false, or change the severity: ${may}`;
  return incidentUpdates.flatMap(({ notifySubscribers }, index): readonly Problem[] => {
    if (notify.includes(severity) || !notifySubscribers) return [];
    return [{ code: "policy-notify", message, hint, path: ["incidentUpdates", index, "notifySubscribers"] }];
  });
}

/** Where a word can begin or end: beside a character that is no letter and no digit. */
const edge = () => /(?<![\p{L}\p{N}])|(?![\p{L}\p{N}])/gu;

/** Whether the text has the word, and not as a part of a longer one. Both are in lower case. */
function hasWord(text: string, word: string): boolean {
  const edges = Array.from(text.matchAll(edge()), ({ index }) => index);
  const ends = new Set(edges);
  return edges.some((at) => text.startsWith(word, at) && ends.has(at + word.length));
}
