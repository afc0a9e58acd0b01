// Reads answers leniently: any JSON object with an id is an incident, whatever other fields it has, so that additions
// to the service do not break the tool.
import type { Answered } from "../http/transport.ts";
import { type Incident, parseIncident } from "../incident/wire.ts";

export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly problem?: undefined }
  /** `problem` completes "the answer …". */
  | { readonly ok: false; readonly problem: string };

const bodyErrors = {
  truncated: "broke off",
  "too-large": "is larger than this tool reads",
  timeout: "did not end in time",
  undecodable: "has a content encoding that cannot be undone",
  cancelled: "was not read to its end",
} as const satisfies Record<NonNullable<Answered["bodyError"]>, string>;

/** The decoded JSON of an answer's body. */
export function readJson(answer: Answered): Parsed<unknown> {
  if (answer.bodyError !== undefined) return { ok: false, problem: bodyErrors[answer.bodyError] };
  if (answer.body.length === 0) return { ok: false, problem: "is empty" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(answer.body);
  } catch {
    return { ok: false, problem: "is not UTF-8" };
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const type = answer.headers["content-type"]?.split(";")[0]?.trim();
    const said = type === undefined || type.includes("json") ? "" : ` but ${type}`;
    return { ok: false, problem: `is not JSON${said}` };
  }
}

/** An incident of spec 2.1; only its id is required. */
export function readIncident(answer: Answered): Parsed<Incident> {
  const json = readJson(answer);
  if (!json.ok) return json;
  const incident = parseIncident(json.value);
  return incident === undefined
    ? { ok: false, problem: "is not an incident: it is not a JSON object with an id" }
    : { ok: true, value: incident };
}

/** The error body of spec 7. Without it, the answer comes from a proxy or gateway rather than the service. */
export function readErrorBody(
  answer: Answered,
): { readonly error: string; readonly message?: string } | undefined {
  const json = readJson(answer);
  if (!json.ok || typeof json.value !== "object" || json.value === null) return undefined;
  const body = json.value as Record<string, unknown>;
  if (body.statusCode !== answer.status || typeof body.error !== "string") return undefined;
  return typeof body.message === "string"
    ? { error: body.error, message: body.message }
    : { error: body.error };
}

/** An excerpt of the body for a person: its JSON, or the start of its text without markup. */
export function excerptOf(answer: Answered): unknown {
  const json = readJson(answer);
  if (json.ok) return json.value;
  if (answer.body.length === 0) return undefined;
  const text = new TextDecoder().decode(answer.body.subarray(0, 4096));
  const plain = text.replace(/<(style|script)\b.*?<\/\1>/gis, " ").replace(/<[^>]*>/g, " ");
  const short = [...plain.replace(/\s+/g, " ").trim()];
  return short.length > 200 ? `${short.slice(0, 200).join("")}…` : short.join("");
}
