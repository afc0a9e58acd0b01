// The words of a refusal (400 or 422), as the error body of spec 7 has them or in another shape. They are untrusted, and
// bounded.
import { incidentFields, updateFields } from "../incident/definition.ts";
import { cutText } from "../text/lengths.ts";
import { fieldOf } from "../untrusted-data.ts";

const longestText = 300;

const fields = [...incidentFields, ...updateFields].map(({ name }) => name).filter((name) => name !== "id");

/** A field of a definition, or another name in quotes. */
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
