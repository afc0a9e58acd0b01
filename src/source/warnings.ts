// Warnings about a valid definition that probably differs from its author's intention.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import type { Definition, Update } from "../incident/definition.ts";
import type { LeakMode } from "../incident/policy.ts";
import { statuses } from "../incident/values.ts";
import { quote } from "../rules/quote.ts";
import { findLookAlike } from "../text/look-alikes.ts";
import type { Filled } from "./variables.ts";

export function findWarnings(definition: Definition, locate: Locate): readonly Diagnostic[] {
  const checks = [cutText, quotedText, leftPlaceholder, leftLineBreak, invisibleInName];
  const ofTexts = publicTexts(definition).flatMap((text) => checks.flatMap((check) => check(text, locate)));
  return [...ofTexts, ...backwardUpdates(definition, locate)];
}

function publicTexts({ name, services, incidentUpdates }: Definition) {
  return [
    { path: ["name"], text: name },
    ...services.map((service, index) => ({ path: ["services", index, "name"], text: service.name })),
    ...incidentUpdates.map(({ description }, index) => ({
      path: ["incidentUpdates", index, "description"],
      text: description,
    })),
  ];
}

type PublicText = ReturnType<typeof publicTexts>[number];

/** A plain text that a "#" cuts short: YAML reads the rest of the line as a comment. A comment has a space after it. */
function cutText({ path }: PublicText, locate: Locate): readonly Diagnostic[] {
  const location = locate(path);
  const { start, end, source } = location;
  const line = [...source];
  const text = line.slice(start.column - 1, end.column - 1).join("");
  const rest = line.slice(end.column - 1).join("");
  if (start.line !== end.line || /^["'|>]/.test(text) || !/^ +#[^\s#]/.test(rest)) return [];
  const message = `${path.at(-1)} ends before the "#": the rest of the line is a comment`;
  const hint = `put the text in quotes: ${JSON.stringify(text + rest)}`;
  return [{ code: "cut-text", level: "warning", message, hint, location }];
}

/** A text in typographic quotes, which are ordinary characters for YAML. */
function quotedText({ path, text }: PublicText, locate: Locate): readonly Diagnostic[] {
  const [, inner] = /^[“”„‘’‚«»](.*)[“”‘’«»]$/.exec(text) ?? [];
  if (inner === undefined || /[“”„«»]/.test(inner)) return [];
  const message = `the typographic quotes are part of ${path.at(-1)}, so customers see them`;
  const hint = `remove them, or write straight quotes: ${JSON.stringify(inner)}`;
  return [{ code: "typographic-quotes", level: "warning", message, hint, location: locate(path) }];
}

/**
 * A field that is indented like the text above it, `{{ name }}` of other tools, `$NAME` of a shell, or a text that stands for
 * another. Nothing replaces them.
 */
const placeholder =
  /(?<!\S)(?<field>status: [A-Z]{8,13}\b|(?:notifySubscribers|publicIncidentUpdateDate): \S+)|\{\{\s*[$.]?(?<name>[A-Za-z_][\w.-]*)[^}]*\}\}|(?<![\w$])\$(?<variable>[A-Za-z][A-Za-z_]{2,})\b|^(?:TODO|TBD|FIXME|<[^<>]{1,99}>)$/;

function leftPlaceholder({ path, text }: PublicText, locate: Locate): readonly Diagnostic[] {
  const { 0: written, groups: { field, name, variable } = {} } = placeholder.exec(text) ?? {};
  if (written === undefined) return [];
  const message = `${path.at(-1)} has ${written}, and customers would see it so`;
  const own = name ?? variable;
  const more = own ? `; in a file, a variable is \${${own}}, and --var gives its value` : "";
  const hint = field ? `if it is a field, indent it like ${path.at(-1)}` : `replace it${more}`;
  const location = locate(path, "value", written);
  return [{ code: "left-placeholder", level: "warning", message, hint, location }];
}

/** `\n` as two characters, as a shell passes it on. In a path such as `C:\new` it is none. */
const writtenLineBreak = /(?<=[\s.!?,;)])\\n|(?<!\b[A-Za-z]:)\\n(?![a-z])/;

function leftLineBreak({ path, text }: PublicText, locate: Locate): readonly Diagnostic[] {
  if (!writtenLineBreak.test(text)) return [];
  const message = `${path.at(-1)} has \\n, and customers would see it so`;
  const hint = `write a line break: in a file as text below "|", in a shell as $'one\\ntwo'`;
  return [{ code: "left-placeholder", level: "warning", message, hint, location: locate(path) }];
}

/** The zero-width joiner may stand in a name: emoji and some scripts need it. */
function invisibleInName({ path, text }: PublicText, locate: Locate): readonly Diagnostic[] {
  const [character] = path.at(-1) === "name" ? (/[\u200b\u2060\ufeff]/.exec(text) ?? []) : [];
  if (character === undefined) return [];
  const message = `name has ${findLookAlike(character)?.name}, so it equals no name without it`;
  const location = locate(path);
  return [{ code: "control-character", level: "warning", message, hint: "remove it", location }];
}

/** The fields whose values go forward from one update to the next, each as a number. */
const forward = [
  ["status", ({ status = statuses[0] }) => statuses.indexOf(status)],
  ["publicIncidentUpdateDate", ({ publicIncidentUpdateDate: date = "" }) => Date.parse(date)],
] as const satisfies readonly (readonly [keyof Update, (update: Partial<Update>) => number])[];

function backwardUpdates({ incidentUpdates }: Definition, locate: Locate): readonly Diagnostic[] {
  let last: Partial<Update> = {};
  return incidentUpdates.flatMap((update, index) => {
    const before = last;
    last = { ...before, ...update };
    return forward.flatMap(([field, numberOf]): Diagnostic[] => {
      if (!(numberOf(last) < numberOf(before))) return [];
      const message = `${field} goes back from ${before[field]} to ${last[field]}`;
      const hint = "write the updates oldest first; keep it if the incident was reopened";
      const location = locate(["incidentUpdates", index, field]);
      return [{ code: "backward-status", level: "warning", message, hint, location }];
    });
  });
}

/**
 * Internals in the texts that customers read. `mode`: that of the policy, which can make them errors; undefined checks
 * only the values of variables.
 */
export function leakDiagnostics(
  definition: Definition,
  filled: readonly Filled[],
  locate: Locate,
  mode: LeakMode | undefined,
): readonly Diagnostic[] {
  const told = new Set<string>();
  const level = mode === "forbid" ? "error" : "warning";
  const fromValues = filled.flatMap(({ match, name, path, value }) =>
    findLeaks(value).map((leak): Diagnostic => {
      told.add(leak.text);
      const message = `the value of ${name} has ${leak.inWords}, and customers would read it`;
      const hint = "use another variable here, or map it with values";
      return { code: "leak", level, message, hint, location: locate(path, "value", match) };
    }),
  );
  const texts = mode === undefined ? [] : publicTexts(definition);
  const own = texts.flatMap(({ path, text }) =>
    findLeaks(text).flatMap((leak): Diagnostic[] => {
      if (told.has(leak.text)) return [];
      const message = `${path.at(-1)} has ${leak.inWords}, and customers would read it`;
      const location = locate(path, "value", leak.text);
      return [{ code: "leak", level, message, hint: "remove it", location }];
    }),
  );
  return [...fromValues, ...own];
}

const octet = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";

/** Only patterns with few false alarms: a warning that is often wrong is ignored. Each quantifier has a bound, so that the search takes linear time. */
const patterns: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    "a token or key",
    /(?<!\w)(?:(?:AKIA|ASIA)[A-Z\d]{16}|gh[opsur]_[A-Za-z\d]{36}|github_pat_\w{22}|glpat-[\w-]{20}|xox[abeprs]-[\w-]{10}|[prs]k_(?:live|test)_[A-Za-z\d]{16}|AIza[\w-]{35}|npm_[A-Za-z\d]{36}|sk-(?:proj-|ant-)[\w-]{20}|SG\.[\w-]{22}\.[\w-]{20}|eyJ[\w-]{8,400}\.eyJ[\w-]{8})[\w-]{0,200}/,
  ],
  ["a token or key", /-----BEGIN (?:[A-Z]{2,9} ){0,3}PRIVATE KEY-----/],
  ["a token or key", /\bBearer [\w.~+/-]{16,500}|\bhooks\.slack\.com\/services\/T\w{6,20}\/B\w{6,20}\/\w{6}/],
  ["a password", /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s/:@]{1,60}:[^\s/:@*]{1,60}@/],
  [
    "a password",
    /(?<![A-Za-z])(?:password|passwd|secret|token|api[_-]?key|access[_-]?key)=(?!\*|…|x{3}|\$)[^\s&"']{6,100}/i,
  ],
  [
    "a cloud resource",
    /(?<![\w:])arn:aws(?:-[a-z]{2,8}){0,2}:[a-z\d-]{1,40}:[a-z\d-]{0,30}:\d{0,12}:[^\s"',;)]{1,200}/,
  ],
  ["a cloud resource", /(?<![\w-])(?:i|vol|eni|sg|subnet|vpc|ami|snap)-(?:[\da-f]{17}|[\da-f]{8})(?![\w-])/],
  ["a cloud resource", /\b(?:AWS |account |account id:? |account number |acct |project )#?(\d{12})(?!\d)/i],
  [
    "an internal host name",
    /(?<![\w.-])ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?![\w-]|(?:\.[a-z\d-]{1,63}){0,8}\.(?:internal|local|localdomain|lan)(?![\w-]))/,
  ],
  [
    "the name of a pod",
    /(?<![\w.-])[a-z](?:[a-z\d]|-(?=[a-z\d])){1,60}-(?=[a-z\d]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/,
  ],
  [
    "a statement of SQL",
    /\b(?:SELECT\s[^;\n]{1,200}\sFROM\s["`\w]|INSERT INTO\s["`\w]{1,60}|UPDATE\s["`\w.]{1,60}\sSET\s|DELETE FROM\s["`\w]|ALTER TABLE\s["`\w])|\bSQLSTATE\b/,
  ],
  [
    "a stack trace",
    /Traceback \(most recent call last\)|\bgoroutine \d{1,9} \[[a-z]|\bException in thread "|\bpanic: runtime error|\bFile "[^"\n]{1,200}", line \d/,
  ],
  [
    "a stack trace",
    /\bat (?:async )?[\w$.<>/]{1,200} ?\((?:Native Method|Unknown Source|[^\s()]{1,200}:\d{1,7}(?::\d{1,7})?)\)|\bat (?:async )?[^\s:]{0,99}[./][^\s:]{1,99}:\d{1,7}:\d{1,7}\b|\b\w{1,60}\.rb:\d{1,7}:in /,
  ],
  [
    "a private address",
    new RegExp(
      `(?<![\\w.-]|[Vv]ersion )(?:10\\.${octet}|127\\.${octet}|169\\.254|172\\.(?:1[6-9]|2\\d|3[01])|192\\.168)\\.${octet}\\.${octet}(?![\\w-]|\\.\\d)`,
    ),
  ],
  ["a private address", /(?<![\w:.])(?:f[cd][\da-f]{2}|fe80)(?::[\da-f]{0,4}){2,7}(?![\w:])/i],
  [
    "an internal host name",
    /(?<![\w.@-]|[^/]\/)(?:[a-z\d][a-z\d-]{0,62}\.){1,8}(?:internal|local|localdomain|lan)(?![\w-]|\.[a-z\d])/,
  ],
  ["an internal host name", /\bhttps?:\/\/[a-z\d][a-z\d-]{0,62}(?=:\d|[/?#\s"')\]]|$)/],
  [
    "an internal host name",
    /(?<![\w.@/:-])(?:localhost:\d{2,5}|[a-z][a-z\d-]{2,62}:(?:3306|5432|5672|6379|8080|8443|9090|9092|9093|9100|9200|11211|27017)|[a-z][a-z\d-]{0,60}[a-z]-?\d{1,4}:\d{4,5})(?![\w:.-]*\w)/,
  ],
  [
    "a mail address",
    /(?<![\w.+-]|:\/\/[^\s@]{0,80})(?!(?:abuse|contact|help|hello|incidents?|info|mail|no-?reply|notifications?|press|privacy|sales|security|service|status|subscribe|support|team)@)[A-Za-z\d][\w.+-]{0,63}@(?:[A-Za-z\d-]{1,63}\.){1,8}(?!(?:png|jpe?g|gif|svg|webp)\b)[A-Za-z]{2,24}\b/i,
  ],
];

/** The leaks in the text, at most one of each pattern. A message does not repeat a secret. */
export function findLeaks(text: string) {
  return patterns.flatMap(([what, pattern]) => {
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return [];
    return [{ what, text: found, inWords: /token|password/.test(what) ? what : `${what}: ${quote(found)}` }];
  });
}
