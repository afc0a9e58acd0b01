// Survivors that no test can or should notice, each by the name of the mutant, with the reason.
const fold = "src/journal/fold.ts | foldEvents";
const wait = "src/delivery/wait-for-sender.ts | longestRemaining";

export const equivalents: ReadonlyMap<string, string> = new Map<string, string>([
  [
    `${fold} | operand: "content" in event && event.content !== undefined → "content" in event`,
    "An event is read from JSON, which has no field that is undefined.",
  ],
  [
    `${fold} | operand: "content" in event && event.content !== undefined → event.content !== undefined`,
    "The first operand is for the types: a field that is missing is undefined.",
  ],
  [
    `${fold} | statement: break; → ;`,
    "The next case removes the attempt undefined, and there is none. Each ending of the attempt sets the state anew.",
  ],
  [
    `${wait} | operand: remainingDeadline(options, log) ?? log.unended?.deadline ?? 0 → remainingDeadline(options, log) ?? log.unended?.deadline`,
    "Without an attempt that has no ending, the first operand is 0.",
  ],
  [
    `${wait} | optional chaining: log.unended?.deadline → log.unended.deadline`,
    "Without an attempt that has no ending, the operand before it is 0.",
  ],
  [`${wait} | number: 0 → 1`, "Without an attempt that has no ending, the first operand is 0."],
  [
    "src/delivery/next-step.ts | module | field: isUnclear: false, → nothing",
    "The compiler requires the field, and undefined counts as false.",
  ],
  [
    "src/delivery/next-step.ts | module | field: , withoutId: false → nothing",
    "The compiler requires the field, and undefined counts as false.",
  ],
]);
