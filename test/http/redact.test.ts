// Redaction: an answer contains no key, in whatever encoding the service repeats it.
import { describe, expect, it } from "vitest";
import { withRedaction } from "../../src/http/redact.ts";
import type { Answered, Outcome } from "../../src/http/transport.ts";

const key = "Secret+key/0123=";
const control = { deadline: 1000 };
const request = { method: "GET", url: "https://a.example/", headers: {} } as const;

function through(outcome: Outcome, secret = key): Promise<Outcome> {
  return withRedaction(async () => outcome, [secret])(request, control);
}

const answer = (body: string | Uint8Array, headers: Record<string, string> = {}): Outcome => ({
  phase: "answered",
  status: 401,
  headers,
  body: Buffer.from(body),
});

const textOf = (outcome: Outcome) =>
  outcome.phase === "answered" ? Buffer.from(outcome.body).toString() : "";

describe("an answer", () => {
  it.each([
    ["as it is", key],
    ["with JSON's escapes", "Secret\\u002Bkey\\/0123\\u003d"],
    ["with a URL's escapes", "Secret%2bkey%2F0123%3D"],
  ])("loses the key %s", async (_, form) => {
    expect(textOf(await through(answer(`{"message":"Bad token ${form}, ä"}`)))).toBe(
      '{"message":"Bad token [key], ä"}',
    );
    const { headers } = (await through(answer("", { location: `https://b.example/?k=${form}` }))) as {
      headers: Record<string, string>;
    };
    expect(headers.location).toBe("https://b.example/?k=[key]");
  });

  it("keeps the same bytes without the key", async () => {
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const outcome = await through(answer(body));
    expect(outcome.phase === "answered" && Buffer.from(outcome.body).equals(body)).toBe(true);
  });

  it("of an error loses a short key where it is a word", async () => {
    const shown = textOf(await through(answer('{"error":"Bad key ab1, not cab1 or ab12: ab%31"}'), "ab1"));
    expect(shown).toBe('{"error":"Bad key [key], not cab1 or ab12: [key]"}');
  });

  it("of a success keeps a text that is a short key by chance", async () => {
    expect(textOf(await through({ ...answer('{"id":"x"}'), status: 200 } as Answered, "id"))).toBe(
      '{"id":"x"}',
    );
  });
});

it("redacts the key in an error and passes any other error through", async () => {
  const thrown = (error: Error) =>
    withRedaction(async () => {
      throw error;
    }, [key])(request, control);
  await expect(thrown(new Error(`invalid header ${key}`))).rejects.toThrow("invalid header [key]");
  const other = new Error("stopped");
  await expect(thrown(other)).rejects.toBe(other);
});

it.each([key, "k3y"])("redacts the key %s in the detail of a failed request", async (secret) => {
  const outcome = await through({ phase: "unsent", reason: "proxy", detail: `refused ${secret}` }, secret);
  expect(outcome).toMatchObject({ detail: "refused [key]" });
});
