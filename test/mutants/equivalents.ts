// Survivors that no test can or should notice, each by the name of the mutant, with the reason.
export const equivalents: ReadonlyMap<string, string> = new Map<string, string>([
  [
    `src/journal/fold.ts | foldEvents | operand: "content" in event && event.content !== undefined → "content" in event`,
    "An event is read from JSON, which has no field that is undefined.",
  ],
  [
    "src/delivery/apply.ts | applyPlan | number: 0 → 1 (2)",
    "Where one definition is left, it is sent alone in any case: after the loop, or in it.",
  ],
  [
    "src/delivery/wait-for-sender.ts | longestRemaining | number: 0 → 1",
    "Without an attempt that has no ending, the first operand is 0.",
  ],
]);
