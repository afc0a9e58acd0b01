import { expect, it } from "vitest";
import { applyFailure } from "../../../src/commands/apply/plan.ts";
import type { AppliedDefinition } from "../../../src/delivery/apply.ts";
import { Failure, type FailureKind } from "../../../src/failure.ts";

const failed = (kind: FailureKind) =>
  ({
    action: "failed",
    result: "failed",
    failure: new Failure(kind, kind, { hint: "" }),
  }) as AppliedDefinition;
const created = { action: "create", result: "created" } as AppliedDefinition;

it.each([
  [[failed("unavailable"), failed("rejected")], "rejected"],
  [[failed("rejected"), failed("uncertain")], "uncertain"],
  [[failed("rejected"), created], "rejected"],
  [[failed("rejected"), failed("unavailable"), created], "partial"],
  [[failed("unavailable"), { ...created, posted: 1, result: "failed" }], "partial"],
  // Nothing of this run is published.
  [[failed("unavailable"), { ...created, result: "unchanged" }], "unavailable"],
  [[failed("unavailable"), { ...created, action: "change", result: "changed" }], "unavailable"],
] as const)("the worst of several failures ends an apply: %#", (applied, kind) => {
  expect(applyFailure(applied, {}, new AbortController().signal)?.kind).toBe(kind);
});

it("a signal is a failure only where something was not tried", () => {
  const untried = { action: "create", result: "not-tried" } as AppliedDefinition;
  expect(applyFailure([created], {}, AbortSignal.abort())).toBeUndefined();
  expect(applyFailure([created, untried], {}, AbortSignal.abort())?.message).toContain("cancelled");
});
