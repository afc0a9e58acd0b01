// The flags of `incident sandbox` as plain data for the sandbox.
import { Failure } from "../../failure.ts";
import type { FlagsOf } from "../../kit/define-command.ts";
import { type Fault, faultKinds, parseFault } from "../../sandbox/faults.ts";
import { advise, argv } from "../../text/advice.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import type { spec } from "./spec.ts";

/** Throws a `Failure` "usage" for a flag that cannot be parsed. */
export function readFaults({ fault = [] }: FlagsOf<typeof spec>): readonly Fault[] {
  return fault.map((text) => {
    const parsed = parseOrSuggest(text);
    if (!("problem" in parsed)) return parsed;
    throw new Failure("usage", `--fault: ${parsed.problem}`, {
      hint: advise`see ${argv`incident help drills`}`,
    });
  });
}

/** Names the nearest kind in the problem of an unknown one. */
function parseOrSuggest(text: string): Fault | { readonly problem: string } {
  const fault = parseFault(text);
  if (!("problem" in fault) || fault.unknown === undefined) return fault;
  return { problem: withSuggestion(fault.problem, nearest(fault.unknown, faultKinds)) };
}
