// The flags of `incident sandbox` as plain data for the sandbox.
import { Failure } from "../../failure.ts";
import type { FlagsOf } from "../../kit/define-command.ts";
import { type Fault, faultKinds, parseFault } from "../../sandbox/faults.ts";
import { advise, argv } from "../../text/advice.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import { type Expectations, parseExpectation } from "./expectations.ts";
import type { spec } from "./spec.ts";

/** Throws a `Failure` "usage" for a flag that cannot be parsed. */
export function readOptions({ expect = [], fault = [] }: FlagsOf<typeof spec>) {
  const expectations = expect.map((text) => readFlag("--expect", parseExpectation(text)));
  return {
    faults: fault.map((text) => readFlag("--fault", parseOrSuggest(text))),
    expectations: Object.assign({}, ...expectations) as Expectations,
  };
}

/** Names the nearest kind in the problem of an unknown one. */
function parseOrSuggest(text: string): Fault | { readonly problem: string } {
  const fault = parseFault(text);
  if (!("problem" in fault) || fault.unknown === undefined) return fault;
  return { problem: withSuggestion(fault.problem, nearest(fault.unknown, faultKinds)) };
}

function readFlag<T extends object>(flag: string, parsed: T | { readonly problem: string }): T {
  if (!("problem" in parsed)) return parsed;
  throw new Failure("usage", `${flag}: ${parsed.problem}`, {
    hint: advise`see ${argv`incident help drills`}`,
  });
}
