import { describe, expect, it } from "vitest";
import { createScript } from "../../src/sandbox/script.ts";

const random = { guid: () => crypto.randomUUID() };

describe("createScript", () => {
  it("makes no script of no steps, so that a request does not take longer with each incident", () => {
    expect(createScript([], random)).toBeUndefined();
  });
});
