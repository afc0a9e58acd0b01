// Warnings about a definition that probably differs from its author's intention.
import type { Problem } from "../diagnostic.ts";
import type { Definition, Update } from "../incident/definition.ts";
import type { LeakMode, PublicText } from "../incident/policy.ts";
import { statuses } from "../incident/values.ts";
import { quote } from "../rules/quote.ts";
import { controlCharacter, findLookAlike } from "../text/look-alikes.ts";
import { type Filled, textsIn } from "./variables.ts";

/** The texts that customers read, of a definition that need not be valid. */
export function publicTexts(value: unknown): readonly PublicText[] {
  const ofCustomers = /^(?:(?:services,\d+,)?name|incidentUpdates,\d+,description)$/;
  return textsIn(value).filter(({ path }) => ofCustomers.test(path.join()));
}

export function findWarnings(texts: readonly PublicText[]): readonly Problem[] {
  return [leftoversIn, hiddenCharacter].flatMap((check) => texts.flatMap(check));
}

/** Parts of a text that are not meant for customers, each with its correction. */
const leftovers: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /(?<!\S)(?:description: \S+|status: [A-Z]{8,13}\b|(?:notifySubscribers|publicIncidentUpdateDate): \S+)/,
    "if it is a field, indent it like the field of the text",
  ],
  [/^(?:<{7}|>{7}) .+/m, "keep one of the two versions of the merge conflict"],
  // With a capital letter, it can be a heading of Markdown.
  [/^# [a-z].+/m, "if it is a comment, move it above the field"],
  // A placeholder of a template or a shell, or a text for a missing value.
  [
    /\{\{-?\s*[$.]?(?<name>[A-Za-z_][\w.-]*)[^}]*\}\}|(?<![\w$])\$(?<variable>[A-Za-z][A-Za-z_]{2,})\b|\{%.{1,60}?%\}|<%.{1,60}?%>|<no value>|<(?:https?:[^\s<>|]{1,200}\||[@#!]\w)[^<>]{0,99}>|\[object Object\]|^(?:TODO|TBD|FIXME|None|null|undefined|<[^<>]{1,99}>)$/,
    "replace it",
  ],
  // `\n` as two characters, as a shell passes it on. A path such as `C:\new` has none.
  [
    /(?<=[\s.!?,;)])\\n|(?<!\b[A-Za-z]:)\\n(?![a-z])/,
    `write a line break: in a file as text below "|", in a shell as $'one\\ntwo'`,
  ],
  // For YAML, typographic quotes are ordinary characters.
  [/^[“”„‘’‚«»][^“”„«»]*[“”‘’«»]$/, "remove the quotes, or write straight ones"],
  [/&(?:amp|lt|gt|quot|apos|nbsp|#\d{2,5});|\ufffd/, "write the character itself"],
];

function leftoversIn({ path, text }: PublicText): readonly Problem[] {
  return leftovers.flatMap(([pattern, correction]): Problem[] => {
    const { 0: written, groups: { name, variable = name } = {} } = pattern.exec(text) ?? {};
    if (written === undefined) return [];
    const message = `${path.at(-1)} has ${quote(written)}, and customers would see it so`;
    const own = variable && `; in a file, a variable is \${${variable}}, and --var gives its value`;
    const hint = `${correction}${own ?? ""}`;
    return [{ code: "left-placeholder", level: "warning", message, hint, path, within: written }];
  });
}

/** The zero-width joiner may stand in a name: emoji and some scripts need it. */
function hiddenCharacter({ path, text }: PublicText): readonly Problem[] {
  // A control character in a name is an error.
  const hidden = path.at(-1) === "name" ? /[\u200b\u202d\u202e\u2060\ufeff]/ : controlCharacter;
  const [character] = hidden.exec(text) ?? [];
  if (character === undefined) return [];
  const message = `${path.at(-1)} has ${findLookAlike(character)?.name}, which nobody sees`;
  return [{ code: "control-character", level: "warning", message, hint: "remove it", path }];
}

/** The fields whose values go forward from one update to the next, each as a number. */
const forward = [
  ["status", ({ status = statuses[0] }) => statuses.indexOf(status)],
  ["publicIncidentUpdateDate", ({ publicIncidentUpdateDate: date = "" }) => Date.parse(date)],
] as const satisfies readonly (readonly [keyof Update, (update: Partial<Update>) => number])[];

export function backwardUpdates({ incidentUpdates }: Definition): readonly Problem[] {
  let last: Partial<Update> = {};
  return incidentUpdates.flatMap((update, index) => {
    const before = last;
    last = { ...before, ...update };
    return forward.flatMap(([field, numberOf]): Problem[] => {
      if (!(numberOf(last) < numberOf(before))) return [];
      const message = `${field} goes back from ${before[field]} to ${last[field]}`;
      const hint = "write the updates oldest first; keep it if the incident was reopened";
      const path = ["incidentUpdates", index, field];
      return [{ code: "backward-status", level: "warning", message, hint, path }];
    });
  });
}

/** Internals in texts for customers. The `mode` of the policy can make them errors; undefined checks only values of variables. */
export function leakProblems(
  texts: readonly PublicText[],
  filled: readonly Filled[],
  mode: LeakMode | undefined,
): readonly Problem[] {
  const told = new Set<string>();
  const level = mode === "forbid" ? "error" : "warning";
  const fromValues = filled.flatMap(({ match, name, path, value }) =>
    findLeaks(value).map((leak): Problem => {
      told.add(leak.text);
      const message = `the value of ${name} has ${leak.inWords}, and customers would read it`;
      const hint = "use another variable here, or map it with values";
      return { code: "leak", level, message, hint, path, within: match };
    }),
  );
  const own = (mode === undefined ? [] : texts).flatMap(({ path, text }) =>
    findLeaks(text).flatMap((leak): Problem[] => {
      if (told.has(leak.text)) return [];
      const message = `${path.at(-1)} has ${leak.inWords}, and customers would read it`;
      return [{ code: "leak", level, message, hint: "remove it", path, within: leak.text }];
    }),
  );
  return [...fromValues, ...own];
}

const octet = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";

/**
 * The internals that no text shows to customers. A pattern has few false alarms, because a warning that is often wrong is ignored,
 * and bounded quantifiers, so that the search takes linear time.
 */
const leakPatterns: Readonly<Record<string, readonly RegExp[]>> = {
  "a token or key": [
    /(?<!\w)(?:(?:AKIA|ASIA)[A-Z\d]{16}|gh[opsur]_[A-Za-z\d]{36}|github_pat_\w{22}|glpat-[\w-]{20}|xox[abeprs]-[\w-]{10}|[prs]k_(?:live|test)_[A-Za-z\d]{16}|AIza[\w-]{35}|npm_[A-Za-z\d]{36}|sk-(?:proj-|ant-)[\w-]{20}|SG\.[\w-]{22}\.[\w-]{20}|eyJ[\w-]{8,400}\.eyJ[\w-]{8})[\w-]{0,200}/,
    /-----BEGIN (?:[A-Z]{2,9} ){0,3}PRIVATE KEY-----/,
    /\bBearer [\w.~+/-]{16,500}|\bhooks\.slack\.com\/services\/T\w{6,20}\/B\w{6,20}\/\w{6}/,
  ],
  "a password": [
    /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s/:@]{1,60}:[^\s/:@*]{1,60}@/,
    /(?<![A-Za-z])(?:password|passwd|secret|token|api[_-]?key|access[_-]?key)=(?!\*|…|x{3}|\$)[^\s&"']{6,100}/i,
  ],
  "a cloud resource": [
    /(?<![\w:])arn:aws(?:-[a-z]{2,8}){0,2}:[a-z\d-]{1,40}:[a-z\d-]{0,30}:\d{0,12}:[^\s"',;)]{1,200}/,
    /(?<![\w-])(?:i|vol|eni|sg|subnet|vpc|ami|snap)-(?:[\da-f]{17}|[\da-f]{8})(?![\w-])/,
    /\b(?:AWS |account |account id:? |account number |acct |project )#?(\d{12})(?!\d)/i,
  ],
  "the name of a pod": [
    /(?<![\w.-])[a-z](?:[a-z\d]|-(?=[a-z\d])){1,60}-(?=[a-z\d]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/,
  ],
  "a statement of SQL": [
    /\b(?:SELECT\s[^;\n]{1,200}\sFROM\s["`\w]|INSERT INTO\s["`\w]{1,60}|UPDATE\s["`\w.]{1,60}\sSET\s|DELETE FROM\s["`\w]|ALTER TABLE\s["`\w])|\bSQLSTATE\b/,
  ],
  "a stack trace": [
    /Traceback \(most recent call last\)|\bgoroutine \d{1,9} \[[a-z]|\bException in thread "|\bpanic: runtime error|\bFile "[^"\n]{1,200}", line \d/,
    /\bat (?:async )?[\w$.<>/]{1,200} ?\((?:Native Method|Unknown Source|[^\s()]{1,200}:\d{1,7}(?::\d{1,7})?)\)|\bat (?:async )?[^\s:]{0,99}[./][^\s:]{1,99}:\d{1,7}:\d{1,7}\b|\b\w{1,60}\.rb:\d{1,7}:in /,
  ],
  "a private address": [
    new RegExp(
      `(?<![\\w.-]|[Vv]ersion )(?:10\\.${octet}|127\\.${octet}|169\\.254|172\\.(?:1[6-9]|2\\d|3[01])|192\\.168)\\.${octet}\\.${octet}(?![\\w-]|\\.\\d)`,
    ),
    /(?<![\w:.])(?:f[cd][\da-f]{2}|fe80)(?::[\da-f]{0,4}){2,7}(?![\w:])/i,
  ],
  "an internal host name": [
    /(?<![\w.-])ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?![\w-]|(?:\.[a-z\d-]{1,63}){0,8}\.(?:internal|local|localdomain|lan)(?![\w-]))/,
    /(?<![\w.@-]|[^/]\/)(?:[a-z\d][a-z\d-]{0,62}\.){1,8}(?:internal|local|localdomain|lan)(?![\w-]|\.[a-z\d])/,
    /\bhttps?:\/\/[a-z\d][a-z\d-]{0,62}(?=:\d|[/?#\s"')\]]|$)/,
    /(?<![\w.@/:-])(?:localhost:\d{2,5}|[a-z][a-z\d-]{2,62}:(?:3306|5432|5672|6379|8080|8443|9090|9092|9093|9100|9200|11211|27017)|[a-z][a-z\d-]{0,60}[a-z]-?\d{1,4}:\d{4,5})(?![\w:.-]*\w)/,
  ],
  "a mail address": [
    /(?<![\w.+-]|:\/\/[^\s@]{0,80})(?!(?:abuse|contact|help|hello|incidents?|info|mail|no-?reply|notifications?|press|privacy|sales|security|service|status|subscribe|support|team)@)[A-Za-z\d][\w.+-]{0,63}@(?:[A-Za-z\d-]{1,63}\.){1,8}(?!(?:png|jpe?g|gif|svg|webp)\b)[A-Za-z]{2,24}\b/i,
  ],
};

/** The leaks in the text, at most one of each pattern. A message does not repeat a secret. */
export function findLeaks(text: string) {
  return Object.entries(leakPatterns).flatMap(([kind, own]) =>
    own.flatMap((pattern) => {
      const [found] = pattern.exec(text) ?? [];
      const inWords = /token|password/.test(kind) ? kind : `${kind}: ${quote(found)}`;
      return found === undefined ? [] : [{ kind, text: found, inWords }];
    }),
  );
}
