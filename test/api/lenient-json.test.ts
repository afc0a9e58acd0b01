// JSON with the faults of published documents, and text that is not JSON.
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../src/api/fetch-document.ts";
import { ContractError } from "../../src/document/contract-terms.ts";

const parse = (text: string) => parseDocument(Buffer.from(text));

describe("lenient JSON", () => {
  it.each<[string, string, unknown]>([
    ["plain JSON", '{"a":[1,null]}', { a: [1, null] }],
    ["a byte order mark", '\uFEFF{"a":1}', { a: 1 }],
    ["raw line breaks in a string", '{"a":"one\n\ttwo\r\nthree"}', { a: "one  two  three" }],
    ["a raw control character", '{"a":"\u0001\u001f"}', { a: "  " }],
    ["escapes beside raw characters", '{"a":"\\"\\\\\n\\u0041"}', { a: '"\\ A' }],
    ["quotes that are escaped", '{"a\\"":"\n","b":2}', { 'a"': " ", b: 2 }],
  ])("reads %s", async (_, text, value) => {
    expect(await parse(text)).toEqual(value);
  });

  it("reads a raw line break in a string of megabytes", async () => {
    const long = "x".repeat(4_000_000);
    expect(await parse(`{"a":"${long}\n${long}"}`)).toEqual({ a: `${long} ${long}` });
  });

  it("reads a string of a million raw control characters", async () => {
    const text = "\n\t\u0000".repeat(333_333);
    expect(await parse(`{"a":"${text}"}`)).toEqual({ a: " ".repeat(text.length) });
  });

  it.each(["", "<html>", '{"a":', '{"a":"one\n'])("refuses %j", async (text) => {
    await expect(parse(text)).rejects.toThrow(ContractError);
  });
});
