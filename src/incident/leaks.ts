// Finds internals in a text for customers. Only patterns with few false alarms: a warning that is often wrong is ignored.

import { quote } from "../rules/quote.ts";

const octet = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";

/** Each quantifier has a bound, so that the search takes linear time. */
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
    "a card number",
    /(?<![\w.-])(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|6011)(?:([ -]?)\d{4})(?:\1\d{4}){2}(?![\w.-]*\d)/,
  ],
  ["a card number", /(?<![\w.-])3[47]\d{2}([ -]?)\d{6}\1\d{5}(?![\w.-]*\d)/],
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
