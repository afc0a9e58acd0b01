// Takes secrets out of text and out of answers: a service that repeats the key in an error, or a proxy that shows
// the request it refused, must not put it on a screen or into a log.
import type { Transport } from "./transport.ts";

const replacement = "[key]";

/** A shorter text stands in answers by chance, and is no key that protects anything. */
const shortestSecret = 8;

/** Replaces every secret, in each form in which headers, URLs and JSON write it. */
export function createRedaction(secrets: readonly string[]): (text: string) => string {
  const patterns = new Map<string, RegExp>();
  const known = secrets.filter((secret) => secret !== "");
  return (text) => {
    // Every other form of a character begins with one of these, and most answers have none.
    if (!/[\\%]/.test(text)) {
      return known.reduce((shown, secret) => shown.replaceAll(secret, replacement), text);
    }
    for (const secret of known) if (!patterns.has(secret)) patterns.set(secret, patternOf(secret));
    return [...patterns.values()].reduce((shown, pattern) => shown.replace(pattern, replacement), text);
  };
}

/** Wraps an transport so that no answer, and nothing that is said of one, holds a secret. */
export function withoutSecrets(transport: Transport, secrets: readonly string[]): Transport {
  const redact = createRedaction(secrets.filter((secret) => secret.length >= shortestSecret));
  return async (request, control) => {
    const outcome = await transport(request, control).catch((error: unknown) => {
      throw withoutSecret(error, redact);
    });
    if (outcome.phase !== "answered") return { ...outcome, detail: redact(outcome.detail) };
    const headers = Object.entries(outcome.headers).map(([name, value]) => [name, redact(value)]);
    // A header carries only ASCII, so a key reads the same in every encoding that is near UTF-8.
    const text = Buffer.from(outcome.body).toString("latin1");
    const shown = redact(text);
    const body = shown === text ? outcome.body : Buffer.from(shown, "latin1");
    return { ...outcome, headers: Object.fromEntries(headers), body };
  };
}

/** What a fault of this tool says is printed as well. */
function withoutSecret(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof Error) || redact(error.message) === error.message) return error;
  return new Error(redact(error.message));
}

/** Each character as itself, with a backslash, as JSON's `\u002b`, or as a URL's `%2B`. */
function patternOf(secret: string): RegExp {
  const forms = [...secret].map((character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(2, "0");
    const digits = hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
    const plain = character.replace(/[^\w\s]/g, "\\$&");
    return `(?:\\\\?${plain}|\\\\u${"0".repeat(Math.max(0, 4 - hex.length))}${digits}|%${digits})`;
  });
  return new RegExp(forms.join(""), "g");
}
