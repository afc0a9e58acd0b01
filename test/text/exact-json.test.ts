// Numbers that JavaScript does not hold exactly keep their text from the answer to the output.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepNumbers, stringifyExact } from "../../src/text/exact-json.ts";

function reprint(text: string, indent?: number): string {
  const value: unknown = JSON.parse(text);
  keepNumbers(value, text);
  return stringifyExact(value, indent);
}

describe("a number", () => {
  it.each([
    "12345678901234567890",
    "-12345678901234567890",
    "9007199254740993",
    "1e400",
    "-1E+400",
    "1e-400",
    "0.1000000000000000055511151231257827",
    "123456789012345678e-3",
  ])("that JavaScript does not hold is printed as it was written: %s", (number) => {
    const text = `{"a":[1,${number},{"b":${number}}],"c":"${number}"}`;
    expect(reprint(text)).toBe(text);
  });

  it.each(["1", "-0.5", "9007199254740991", "123456789.25", "1e21", "5e-324"])(
    "that JavaScript holds is one of JavaScript: %s",
    (number) => expect(reprint(`[${number}]`)).toBe(JSON.stringify([Number(number)])),
  );
});

it("takes no text for a number", () => {
  const text = JSON.stringify({ a: "number1e400", b: ['"number12"', "number0x12", "12345678901234567890"] });
  const withNumber = `{"n":1e400,${text.slice(1)}`;
  expect(reprint(withNumber)).toBe(withNumber);
});

it("prints what JSON.stringify prints of every value without such a number", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const plain = JSON.stringify(JSON.parse(text), null, 2);
      expect(reprint(JSON.stringify(JSON.parse(text)), 2)).toBe(plain);
    }),
  );
});
