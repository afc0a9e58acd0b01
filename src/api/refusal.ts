// Finds the fields that the words of a refusal (400 or 422) name, as the error body of spec 7 does:
// `"services[0].accountId" is required`. Another body is shown in its own words. It is untrusted: all is bounded.
import type { Path } from "../diagnostic.ts";
import { definitionRules } from "../incident/definition.ts";
import { cutText } from "../text/lengths.ts";
import { fieldOf } from "../untrusted-data.ts";

/** The message of a service about one field of the body. */
export interface FieldRefusal {
  readonly path: Path;
  /** The service's words. */
  readonly text: string;
}

const longestText = 300;
const mostRefusals = 20;
/** The longest text that is searched. */
const longestSearched = 16_384;

const verbs =
  "is|are|must|should|has|needs|contains|does|cannot|can|may|was|fails|failed|expected|required|length|size|with|invalid|missing|not";

const steps = String.raw`(?:\[\d{1,4}\]|[./]\w{1,64}){0,8}`;

/** A field in quotes, and the words up to the next one. */
const quoted = new RegExp(
  String.raw`("\w{1,64}${steps}"):? ((?:${verbs})\b[^\n]{0,400}?)(?=[.;,]? "[\w.[\]/]{1,100}":? (?:${verbs})\b|\n|$)`,
  "g",
);
/** A field at the start of a clause, with a verb after it: a field's name is also a common word. */
const bare = new RegExp(
  String.raw`(?:^|[;\n.,:] ?)((?:${Object.keys(definitionRules.properties ?? {}).join("|")})${steps}):? ((?:${verbs})\b[^;\n]{0,300})`,
  "g",
);

/** `body` is the decoded JSON of the answer, or its text. Each field once, in the order of the answer. */
export function readFieldRefusals(body: unknown): readonly FieldRefusal[] {
  if (isOutsideBody(body)) return [];
  const found = new Map<string, FieldRefusal>();
  const searched = (wordsOf(body) ?? "").slice(0, longestSearched);
  const inQuotes = [...searched.matchAll(quoted)];
  for (const [, name = "", words = ""] of inQuotes.length > 0 ? inQuotes : searched.matchAll(bare)) {
    const path = name
      .replaceAll('"', "")
      .replace(/\[(\d+)\]/g, ".$1")
      .split(/[./]/);
    const text = cutText(`${name} ${words.trim().replace(/[.;,]$/, "")}`, longestText);
    if (found.size < mostRefusals && !found.has(name))
      found.set(name, { path: path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)), text });
  }
  return [...found.values()];
}

/** Whether the id of the body can be the reason of a refusal: it names the id alone, or nothing that can be read. */
export function canConcernId(body: unknown): boolean {
  if (isOutsideBody(body)) return false;
  return readFieldRefusals(body).every(
    ({ path: [first, ...others] }) => others.length === 0 && /^(?:incident_?)?id$/i.test(String(first)),
  );
}

/** Whether an error of hapi is about a header or a parameter, which is no field of the definition. */
function isOutsideBody(body: unknown): boolean {
  const source = fieldOf(fieldOf(body, "validation"), "source");
  return typeof source === "string" && source !== "payload" && source !== "body";
}

/** The words of a refusal without the service's own `message`; undefined where it has none. */
export function refusalText(body: unknown): string | undefined {
  const text = wordsOf(body);
  return text === undefined ? undefined : cutText(text, longestText);
}

function wordsOf(body: unknown): string | undefined {
  if (typeof body === "string") return body.trim() === "" ? undefined : body;
  return ["message", "detail", "title", "error_description", "error"]
    .map((name) => fieldOf(body, name))
    .find((value): value is string => typeof value === "string" && value !== "");
}
