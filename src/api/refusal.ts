// Finds the fields that a refusal (400 or 422) names, and the words about them, in the shapes that services use: hapi
// and Joi, problem+json, ajv, Zod, lists and maps of errors, and plain text. The body is untrusted: all is bounded.
import type { Path } from "../diagnostic.ts";
import { definitionRules } from "../incident/definition.ts";
import { cutText } from "../text/lengths.ts";
import { type Fields, fieldOf, isMapping, ownValue, parseJson } from "../untrusted-data.ts";

/** The message of a service about one field of the body. */
export interface FieldRefusal {
  readonly path: Path;
  /** The service's words. */
  readonly text: string;
}

const longestText = 300;
const mostRefusals = 20;
/** How deep errors are looked for in the body of a refusal. */
const maxDepth = 6;
/** The most values of a body that are looked at. */
const mostValues = 2000;

/** `body` is the decoded JSON of the answer, or its text. Each field once, in the order of the answer. */
export function readFieldRefusals(body: unknown): readonly FieldRefusal[] {
  const found = new Map<string, FieldRefusal>();
  const add = ({ path, text }: FieldRefusal) => {
    const key = JSON.stringify(path);
    if (found.size < mostRefusals && !found.has(key))
      found.set(key, { path, text: cutText(text, longestText) });
  };
  let values = 0;
  const visit = (value: unknown, depth: number): void => {
    values += 1;
    if (depth > maxDepth || values > mostValues) return;
    if (typeof value === "string") {
      for (const refusal of readText(value)) add(refusal);
      return;
    }
    if (Array.isArray(value)) {
      for (const entry of value) visit(entry, depth + 1);
      return;
    }
    if (!isMapping(value) || isOutsideBody(value)) return;
    const one = readError(value);
    for (const refusal of one === undefined ? readMap(value) : [one]) add(refusal);
    if (one === undefined) for (const entry of Object.values(value)) visit(entry, depth + 1);
  };
  visit(body, 0);
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
  if (typeof body === "string") return body.trim() === "" ? undefined : cutText(body, longestText);
  const text = firstText(body, ["message", "detail", "title", "error_description", "error"]);
  if (text !== undefined) return cutText(text, longestText);
  const [first] = readFieldRefusals(body);
  return first && `${nameOfPath(first.path)}: ${first.text}`;
}

/** The path as the service's developers write it: `services[0].accountId`. */
function nameOfPath(path: Path): string {
  return path.reduce<string>(
    (name, step) => (typeof step === "number" ? `${name}[${step}]` : name === "" ? step : `${name}.${step}`),
    "",
  );
}

const pathFields = [
  "pointer",
  "instancePath",
  "dataPath",
  "path",
  "loc",
  "field",
  "param",
  "property",
  "name",
];
const textFields = ["message", "msg", "detail", "reason", "description", "title"];

/** An object that is one error: it has the path of a field, and words. */
function readError(fields: Fields): FieldRefusal | undefined {
  const text = firstText(fields, textFields);
  if (text === undefined) return undefined;
  const name = pathFields.find((field) => ownValue(fields, field) !== undefined);
  const base = parsePath(name === undefined ? fieldOf(fields.source, "pointer") : ownValue(fields, name));
  // The name of an error's class.
  if (name === "name" && !isBodyField(base?.[0])) return undefined;
  // ajv's error names the object that lacks the field.
  const last = fieldOf(fields.params, "missingProperty") ?? fieldOf(fields.params, "additionalProperty");
  const path = base && typeof last === "string" ? [...base, last] : base;
  return path === undefined || !startsInBody(path) ? undefined : { path, text };
}

/** A map from fields to words: `{"services.0.accountId": ["is required"]}`. */
function readMap(fields: Fields): FieldRefusal[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const [text] = Array.isArray(value) ? value : [value];
    const path = parsePath(name);
    // A string beside a field's name can be anything, such as the id of the request.
    const isField = path !== undefined && isBodyField(path[0]) && (path.length > 1 || Array.isArray(value));
    return isField && typeof text === "string" ? [{ path, text }] : [];
  });
}

const bodyFields = Object.keys(definitionRules.properties ?? {});
const known = bodyFields.join("|");
const verbs =
  "is|are|must|should|has|needs|contains|does|cannot|can|may|was|fails|failed|expected|required|length|size|with|invalid|missing|not";
const steps = String.raw`(?:\[\d{1,4}\]|[./]\w{1,64}){0,8}`;

/** A field in quotes, as Joi names it, and the words up to the next one. */
const quoted = new RegExp(
  String.raw`"((?:${known})${steps}|\w{1,64})":? ((?:${verbs})\b[^\n]{0,400}?)(?=[.;,]? "[\w.[\]/]{1,100}":? (?:${verbs})\b|\n|$)`,
  "g",
);
/** A field at the start of a clause, with a verb after it: a field's name is also a common word. */
const bare = new RegExp(
  String.raw`(?:^|[;\n.,:] ?|body[/.])((?:${known})${steps})['"]?:? ((?:${verbs})\b[^;\n]{0,300})`,
  "g",
);

/** The longest text that is searched. */
const longestSearched = 16_384;

function readText(all: string): FieldRefusal[] {
  const text = all.slice(0, longestSearched);
  // The message of a ZodError, for example.
  const nested = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (nested !== undefined) return [...readFieldRefusals(nested)];
  const inQuotes = [...text.matchAll(quoted)];
  const matches = inQuotes.length > 0 ? inQuotes : [...text.matchAll(bare)];
  return matches.flatMap(([, name = "", words = ""]) => {
    const path = parsePath(name);
    const isWhole = inQuotes.length > 0;
    if (path === undefined || !startsInBody(path)) return [];
    const property = /required property '(\w{1,64})'/.exec(words)?.[1];
    const shown = isWhole ? `"${name}" ${words.trim().replace(/[.;,]$/, "")}` : `${name} ${words.trim()}`;
    return [{ path: property === undefined ? path : [...path, property], text: shown }];
  });
}

/** The names under which a service's own framework holds the body. */
const roots = new Set(["", "#", "$", "body", "payload", "request", "requestBody", "data", "attributes"]);

/** A list of steps, a JSON pointer, or a path with dots and brackets; undefined for anything else. */
function parsePath(value: unknown): Path | undefined {
  if (Array.isArray(value)) {
    const isPath = value.length <= 16 && value.every((step) => /^(string|number)$/.test(typeof step));
    return isPath ? withoutRoots(value.map((step) => toStep(String(step)))) : undefined;
  }
  if (typeof value !== "string" || value.length > 200 || /\s/.test(value)) return undefined;
  const parts = value.replace(/\[["']?([^\]"']*)["']?\]/g, ".$1").split(/[./]/);
  return withoutRoots(parts.map((part) => toStep(part.replaceAll("~1", "/").replaceAll("~0", "~"))));
}

function withoutRoots(path: Path): Path {
  const first = path.findIndex((step) => typeof step === "number" || !roots.has(step));
  return first === -1 ? [] : path.slice(first).filter((step) => step !== "");
}

function toStep(part: string): string | number {
  return /^\d{1,4}$/.test(part) ? Number(part) : part;
}

/** Whether the path is about the body: the whole, a field of it, or a single name that it lacks. */
function startsInBody(path: Path): boolean {
  const [first] = path;
  return isBodyField(first) || (path.length === 1 && /^\w{1,64}$/.test(String(first)));
}

function isBodyField(step: unknown): boolean {
  return bodyFields.some((field) => field === step);
}

function firstText(fields: unknown, names: readonly string[]): string | undefined {
  return names
    .map((name) => fieldOf(fields, name))
    .find((value): value is string => typeof value === "string" && value !== "");
}
