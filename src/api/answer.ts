// Reads answers leniently, because a service grows: any JSON object with an id is an incident.
import type { Answered, Outcome } from "../http/transport.ts";
import { incidentFields, updateFields } from "../incident/definition.ts";
import { type Incident, parseIncident } from "../incident/wire.ts";
import { cutText } from "../text/lengths.ts";
import { decodeUtf8, entriesOf, fieldOf, isMapping, parseJson } from "../untrusted-data.ts";

/** The longest part of an answer's text in a message, in characters. */
export const longestMessage = 2048;

/** The largest JSON that a failure carries, in bytes. */
const largestExcerpt = 64 * 1024;

/** `problem` completes "the answer …". */
export type Parsed<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

const bodyErrors = {
  truncated: "broke off",
  "too-large": "is larger than this tool reads",
  timeout: "did not end in time",
  undecodable: "has a content encoding that cannot be undone",
  cancelled: "was not read to its end",
} as const satisfies Record<NonNullable<Answered["bodyError"]>, string>;

export function readJson(answer: Answered): Parsed<unknown> {
  if (answer.bodyError !== undefined) return { problem: bodyErrors[answer.bodyError] };
  if (answer.body.length === 0) return { problem: "is empty" };
  const text = decodeUtf8(answer.body);
  if (text === undefined) return { problem: "is not UTF-8" };
  const value = limitDepth(parseJson(text));
  if (value !== undefined) return { value };
  const type = answer.headers["content-type"]?.split(";")[0]?.trim();
  const page = type === "text/html" ? ", such as the login page of a proxy" : "";
  const said = type === undefined || type.includes("json") ? "" : ` but ${type}${page}`;
  return { problem: `is not JSON${cutText(said, longestMessage)}` };
}

/** The incident of spec 2.1 in an answer with this status; undefined for any other ending. Only its id is required. */
export function incidentIn(outcome: Outcome, status: number): Parsed<Incident> | undefined {
  if (outcome.phase !== "answered" || outcome.status !== status) return undefined;
  const json = readJson(outcome);
  if (json.problem !== undefined) return json;
  const incident = parseIncident(json.value);
  return incident === undefined
    ? { problem: "is not an incident: it is not a JSON object with an id" }
    : { value: incident };
}

/** Whether it has the error body of spec 7. Without it, the answer comes from a proxy or gateway rather than the service. */
export function isOfService(answer: Answered): boolean {
  const { value } = readJson(answer);
  return isMapping(value) && value.statusCode === answer.status && typeof value.error === "string";
}

/** An excerpt of the body: its JSON, or the start of a larger one or of another text, without markup. */
export function excerptOf(answer: Answered): unknown {
  const json = answer.body.length > largestExcerpt ? undefined : readJson(answer).value;
  if (json !== undefined) return json;
  if (answer.body.length === 0) return undefined;
  const text = new TextDecoder().decode(answer.body.subarray(0, 4096));
  const plain = text.replace(/<(style|script)\b.*?<\/\1>/gis, " ").replace(/<[^>]*>/g, " ");
  return cutText(plain.replace(/\s+/g, " ").trim(), 200);
}

/** The deepest nesting that is read. A recursive walk of such a value stays far from the end of the stack. */
const maxDepth = 64;

/** The value with every list and object below the deepest level replaced by a text. */
export function limitDepth(value: unknown, levels = maxDepth): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return `(nested more than ${maxDepth} levels deep, not read)`;
  const limit = (inner: unknown) => limitDepth(inner, levels - 1);
  if (Array.isArray(value)) return value.map(limit);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, limit(inner)]));
}

const fields = [...incidentFields, ...updateFields].map(({ name }) => name).filter((name) => name !== "id");

/** The name of a field, or another name in quotes than that of the id. */
const otherField = new RegExp(
  String.raw`\b(?:accountId|${fields.join("|")})\b|"(?!(?:incident_?)?id")\w`,
  "i",
);

/** Whether the id of the body can be the reason of a refusal: its words name no other field. */
export function canConcernId(body: unknown): boolean {
  const source = fieldOf(fieldOf(body, "validation"), "source");
  // An error of hapi can be about a header or a parameter.
  const isOutsideBody = typeof source === "string" && source !== "payload" && source !== "body";
  return !isOutsideBody && !otherField.test(refusalText(body) ?? "");
}

const wordFields = ["message", "detail", "title", "error_description", "error"];

/** The words of a refusal, in a body of any shape; undefined where it has none. */
export function refusalText(body: unknown, longest = 300): string | undefined {
  const parts = [body, fieldOf(body, "error"), ...entriesOf(fieldOf(body, "errors"))];
  const said = parts.flatMap((part) => wordFields.map((name) => fieldOf(part, name)));
  const text = [body, ...said].find((value) => typeof value === "string" && value.trim() !== "");
  return text === undefined ? undefined : cutText(text as string, longest);
}
