// Reads the JSON body of a request, and refuses one that breaks the rules.
import { errorResponse, type ServiceResponse } from "./response.ts";
import type { ReceivedRequest } from "./route.ts";

const maxBodySize = 1024 * 1024;
const maxProblems = 10;

/** Throws if the bytes are not UTF-8. */
const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

/** `problemsOf` returns one phrase for each violation; a value without one is a `T`. */
export function parseBody<T>(
  request: ReceivedRequest,
  problemsOf: (value: unknown) => readonly string[],
): { readonly value: T } | { readonly refusal: ServiceResponse } {
  const refuse = (...refusal: Parameters<typeof errorResponse>) => ({ refusal: errorResponse(...refusal) });
  const mediaType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") return refuse(415, "Content-Type must be application/json");
  const body = request.body ?? "";
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (bytes.length > maxBodySize) return refuse(413, `The body has more than ${maxBodySize} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(decode(bytes));
  } catch {
    return refuse(400, "The body is not JSON in UTF-8");
  }
  const problems = problemsOf(value);
  return problems.length > 0 ? refuse(400, problems.slice(0, maxProblems).join("; ")) : { value: value as T };
}
