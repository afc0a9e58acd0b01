// What an answer brings back of a key: nothing, in whatever form the service writes it.
import { describe, expect, it } from "vitest";
import { withRedaction } from "../../src/http/redact.ts";
import type { Outcome } from "../../src/http/transport.ts";

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

  it("is the very same bytes where the key is not in it", async () => {
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const outcome = await through(answer(body));
    expect(outcome.phase === "answered" && Buffer.from(outcome.body).equals(body)).toBe(true);
  });

  it("is left alone where the key is too short to mean anything", async () => {
    expect(textOf(await through(answer('{"id":"x"}'), "id"))).toBe('{"id":"x"}');
  });
});

it("takes the key out of an error, and passes any other on as it is", async () => {
  const thrown = (error: Error) =>
    withRedaction(async () => {
      throw error;
    }, [key])(request, control);
  await expect(thrown(new Error(`invalid header ${key}`))).rejects.toThrow("invalid header [key]");
  const other = new Error("stopped");
  await expect(thrown(other)).rejects.toBe(other);
});

it("takes the key out of what is said of a failed request", async () => {
  const outcome = await through({ phase: "unsent", reason: "proxy", detail: `refused ${key}` });
  expect(outcome).toMatchObject({ detail: "refused [key]" });
});
