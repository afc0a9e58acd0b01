// Internals in texts for customers: the known forms are found, with few false alarms. fixtures/leaks/none.txt has sentences
// as status pages publish them, and some.txt what alerts bring.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findLeaks } from "../../src/source/warnings.ts";

const linesOf = (name: string) =>
  readFileSync(new URL(`../../fixtures/leaks/${name}.txt`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");

/** The forms of keys are put together here, so that no search for keys finds one in a file. */
const key = (...parts: readonly string[]) => parts.join("");
const letters = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5";

const leaking: readonly (readonly [kind: string, text: string])[] = [
  ...linesOf("some").map((line) => line.split(/: (.*)/) as [string, string]),
  ["a token or key", `key ${key("AKIA", "QWERTYUIOPASDFGH")} is refused`],
  ["a token or key", `${key("ASIA", "QWERTYUIOPASDFGH")}`],
  ["a token or key", `clone with ${key("gh", "p_", letters)} failed`],
  ["a token or key", `${key("github", "_pat_", letters)}`],
  ["a token or key", `${key("gl", "pat-", letters.slice(0, 20))}`],
  ["a token or key", `slack ${key("xo", "xb-123456789012-", letters)}`],
  ["a token or key", `${key("sk_", "live_", letters)} was declined`],
  ["a token or key", `${key("rk_", "test_", letters)}`],
  ["a token or key", `maps ${key("AI", "za", letters.slice(0, 35))}`],
  ["a token or key", `${key("np", "m_", letters)}`],
  ["a token or key", `${key("sk-", "proj-", letters)}`],
  ["a token or key", `jwt ${key("ey", "JhbGciOiJIUzI1NiJ9", ".ey", "JzdWIiOiIxMjM0In0.abc")}`],
  ["a token or key", `${key("-----BEGIN ", "RSA PRIVATE KEY-----")}`],
  ["a token or key", `Authorization: Bearer ${letters}`],
  ["a token or key", `https://${key("hooks.slack", ".com/services/T01ABCDEF/B01ABCDEF/")}${letters}`],
  ["a password", `postgres://app:${key("hun", "ter22")}@db.example.com/orders failed`],
  ["a password", `https://deploy:${key("sec", "ret99")}@git.example.com/x.git`],
  ["a password", `password=${key("hun", "ter22")} was wrong`],
  ["a password", `https://api.example.com/v1?api_key=${letters}`],
];

it.each(leaking)("finds %s in %s", (kind, text) => {
  expect(findLeaks(text).map((leak) => leak.kind)).toEqual([kind]);
});

it("has all of the leaks of a text", () => {
  const text = "worker-3:9100 on 10.0.0.7: mail ada@example.com";
  expect(findLeaks(text).map((one) => one.text)).toEqual(["10.0.0.7", "worker-3:9100", "ada@example.com"]);
});

function alarmsIn(texts: readonly string[]) {
  return texts.flatMap((text) =>
    findLeaks(text).map(({ kind, text: part }) => `${kind}: ${part} in: ${text}`),
  );
}

it("raises no false alarm of any kind on the sentences of status pages", () => {
  expect(linesOf("none").length).toBeGreaterThanOrEqual(160);
  expect(alarmsIn(linesOf("none"))).toEqual([]);
});

// A text with these is published by mistake more often than not, or what is meant cannot be told from its form.
it("raises an alarm that a person may find needless", () => {
  expect(
    alarmsIn([
      "Use 10.0.0.0/8 in the example of the tutorial, and 192.168.1.1 for the address of your own router.",
      "Write to anna.lee@example.com, who coordinates the migration.",
      "Connect to localhost:3000 in the local preview.",
      "The log shows SQLSTATE 57014 for queries that were cancelled.",
    ]),
  ).toMatchInlineSnapshot(`
    [
      "a private address: 10.0.0.0 in: Use 10.0.0.0/8 in the example of the tutorial, and 192.168.1.1 for the address of your own router.",
      "a mail address: anna.lee@example.com in: Write to anna.lee@example.com, who coordinates the migration.",
      "an internal host name: localhost:3000 in: Connect to localhost:3000 in the local preview.",
      "a statement of SQL: SQLSTATE in: The log shows SQLSTATE 57014 for queries that were cancelled.",
    ]
  `);
});
