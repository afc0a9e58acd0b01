// Removes secrets: a service may repeat the key in an error, and a proxy may show the request that it refused.
import type { Transport } from "./transport.ts";

const replacement = "[key]";

/** The length below which a secret is redacted only as a word, and not from a success: it occurs there by chance. */
const shortestSecret = 8;

/** Replaces every secret, in each form that headers, URLs and JSON give it. */
export function createRedaction(secrets: readonly string[]): (text: string) => string {
  const present = secrets.filter((secret) => secret !== "");
  let patterns: readonly RegExp[] | undefined;
  return (text) => {
    // To compile the patterns takes 5 % of a read. Each escaped form has one of these characters.
    if (!/[\\%]/.test(text) && !present.some((secret) => text.includes(secret))) return text;
    patterns ??= present.map(patternOf);
    return patterns.reduce((shown, pattern) => shown.replace(pattern, replacement), text);
  };
}

export function withRedaction(transport: Transport, secrets: readonly string[]): Transport {
  const redactAnswer = createRedaction(secrets.filter((secret) => secret.length >= shortestSecret));
  const redactMessage = createRedaction(secrets);
  return async (request, control) => {
    const outcome = await transport(request, control).catch((error: unknown) => {
      // The message of an unexpected error is printed as well.
      const shown = error instanceof Error ? redactMessage(error.message) : undefined;
      throw error instanceof Error && shown !== error.message ? new Error(shown) : error;
    });
    if (outcome.phase !== "answered") return { ...outcome, detail: redactMessage(outcome.detail) };
    const redact = outcome.status < 300 ? redactAnswer : redactMessage;
    const headers = Object.entries(outcome.headers).map(([name, value]) => [name, redact(value)]);
    // The key was sent in a header, so it is ASCII and has the same bytes in every ASCII-compatible encoding.
    const text = Buffer.from(outcome.body).toString("latin1");
    const shown = redact(text);
    const body = shown === text ? outcome.body : Buffer.from(shown, "latin1");
    return { ...outcome, headers: Object.fromEntries(headers), body };
  };
}

/** Matches each character as itself, with a backslash, as JSON's `\u002b`, or as a URL's `%2B`. */
function patternOf(secret: string): RegExp {
  const forms = [...secret].map((character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(2, "0");
    const digits = hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
    const plain = character.replace(/[^\w\s]/g, "\\$&");
    return `(?:\\\\?${plain}|\\\\u${"0".repeat(Math.max(0, 4 - hex.length))}${digits}|%${digits})`;
  });
  const all = forms.join("");
  const word = `(?<![A-Za-z0-9])${all}(?![A-Za-z0-9])`;
  return new RegExp(secret.length < shortestSecret ? word : all, "g");
}
