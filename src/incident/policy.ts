// The policy of a project: the schema of `policy:` in its file, and the check of its rules for incidents.
import type { DiagnosticMessage, Path, Problem } from "../diagnostic.ts";
import { once } from "../once.ts";
import { array, listOf, oneOf, optionals, positive, text, type ValueOf } from "../rules/kinds.ts";
import { codePointLength, listOf as inWords } from "../text/lengths.ts";
import type { Definition } from "./definition.ts";
import { severities } from "./values.ts";

const textSchema = once(() => optionals({ maxLength: positive(), forbid: listOf(text("visible")) }));

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
    const broken = [...brokenIn(String(path.at(-1)), text, rules)];
    return broken.map((words): Problem => ({ code: "policy-text", ...words, path }));
  });
}

/** The updates that notify subscribers, and may not. */
export function checkNotify(
  { incidentUpdates, severity }: Definition,
  { notify = [...severities] }: Policy,
): readonly Problem[] {
  const may = notify.length === 0 ? "no severity notifies" : `only ${inWords(notify)} may notify`;
  const message = `the policy of this project does not let ${severity} notify subscribers`;
  const hint = `write false, or change the severity: ${may}`;
  return incidentUpdates.flatMap(({ notifySubscribers }, index): readonly Problem[] => {
    if (notify.includes(severity) || !notifySubscribers) return [];
    return [{ code: "policy-notify", message, hint, path: ["incidentUpdates", index, "notifySubscribers"] }];
  });
}

function* brokenIn(
  field: string,
  text: string,
  { forbid = [], maxLength = Number.POSITIVE_INFINITY }: NonNullable<Policy["name"]> = {},
): Generator<DiagnosticMessage> {
  const count = codePointLength(text);
  if (count > maxLength) {
    const hint = `shorten it to at most ${maxLength}, as the policy of this project asks`;
    yield { message: `${field} has ${count} characters`, hint, mostCharacters: maxLength };
  }
  const lower = text.toLowerCase();
  const found = forbid.filter((word) => hasWord(lower, word.toLowerCase())).map((word) => `"${word}"`);
  if (found.length > 0) {
    const message = `the policy of this project forbids ${inWords(found)} in ${field}`;
    yield { message, hint: "remove it" };
  }
}

/** Where a word can begin or end: beside a character that is no letter and no digit. */
const edge = () => /(?<![\p{L}\p{N}])|(?![\p{L}\p{N}])/gu;

/** Whether the text has the word, and not as a part of a longer one. Both are in lower case. */
function hasWord(text: string, word: string): boolean {
  const edges = Array.from(text.matchAll(edge()), ({ index }) => index);
  const ends = new Set(edges);
  return edges.some((at) => text.startsWith(word, at) && ends.has(at + word.length));
}
