import { describe, expect, it } from "vitest";
import { faultGrammar, parseFault } from "../../src/sandbox/faults.ts";
import { faultsOf } from "./test-sandbox.ts";

/** The positions, from 1, of the operations that a fault strikes. */
function struck(faults: readonly string[], operations: readonly string[]): number[] {
  const { next } = faultsOf(faults);
  return operations.flatMap((operation, index) => (next(operation) ? [index + 1] : []));
}

describe("parseFault", () => {
  it.each([
    ["create#1:drop-after-commit", { kind: "drop-after-commit", from: 1, to: 1 }],
    ["get#2-4:429=7", { kind: "429", duration: 7000, from: 2, to: 4 }],
    ["get:503=1m", { kind: "503", duration: 60_000, from: 1, to: Number.POSITIVE_INFINITY }],
    ["create:refuse-id", { kind: "refuse-id" }],
    ["create:502", { kind: "502" }],
    ["get:slow=250ms", { kind: "slow", duration: 250 }],
    ["create:slow-commit=1.5m", { kind: "slow-commit", duration: 90_000 }],
    ["get#2:stale=5s", { kind: "stale", duration: 5000 }],
  ])("parses %s", (text, parts) => {
    expect(parseFault(text)).toMatchObject({ text, ...parts });
  });

  it.each([
    ["503", '"503" is no fault: write it as'],
    ["delete:503", '"delete:503" is no fault: write it as'],
    ["create#0:503", '"create#0:503" is no fault: write it as'],
    ["create#4-2:503", '"create#4-2:503" is no fault: write it as'],
    ["create%10:503", '"create%10:503" is no fault: write it as'],
    ["create:418", '"418" is not a kind of fault'],
    ["create:toString", '"toString" is not a kind of fault'],
    ["create:slow", '"slow" needs a duration'],
    ["get:stale", '"stale" needs a duration'],
    ["create:slow=2weeks", '"slow" needs a duration'],
    ["create:slow=9999h", '"slow" needs a duration'],
    ["create:429=soon", '"429" needs a duration'],
    ["create:429=date+7", '"429" needs a duration'],
    ["create:html=1", '"html" takes no argument'],
    ["create:404=1", '"404" takes no argument'],
    ["create:html\r\nx: y", "is not a kind of fault"],
  ])("explains what is wrong with %j", (text, problem) => {
    expect(parseFault(text)).toContain(problem);
  });

  it("parses every example of the help", () => {
    const examples = faultGrammar.split("Examples:")[1]?.split(",") ?? [];
    expect(examples).toHaveLength(5);
    for (const example of examples) expect(parseFault(example)).toHaveProperty("kind");
  });
});

describe("createFaults", () => {
  it("selects requests by number, with a count for each target", () => {
    const operations = ["get", "create", "get", "create", "create", "openapi"];
    expect(struck(["create#2:503"], operations)).toEqual([4]);
    expect(struck(["get#1-2:503"], operations)).toEqual([1, 3]);
    expect(struck(["any#6:503"], operations)).toEqual([6]);
    expect(struck(["create:503"], operations)).toEqual([2, 4, 5]);
  });

  it("prefers the first fault in the list, and counts the request for every fault", () => {
    const { next } = faultsOf(["create#1:503", "create#2:html", "create:500"]);
    expect([next("create"), next("create"), next("create")].map((found) => found?.text)).toEqual([
      "create#1:503",
      "create#2:html",
      "create:500",
    ]);
  });
});
