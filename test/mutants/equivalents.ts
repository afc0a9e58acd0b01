// Survivors that no test can or should notice, each by the name of the mutant, with the reason.
const fold = "src/journal/fold.ts | foldEvents";
const summary = "src/journal/fold.ts | summarize";
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
  [
    `${fold} | operand: latest.type === "uncertain" && latest.ids → latest.ids`,
    "The first operand is for the types: a beginning has no ids.",
  ],
  [
    `${summary} | operand: uncertain !== undefined || digest === undefined → uncertain !== undefined`,
    "A log without a digest is new, and the next condition keeps it.",
  ],
  [
    `${summary} | condition: state !== "created" && state !== "refused" && state !== "sendable" → false`,
    "It is for the types: the other states have an unknown outcome, or no digest.",
  ],
  [
    "src/journal/client-ids.ts | createClientIdMemory | operand: service.account ?? null → service.account",
    "JSON writes undefined in a list as null.",
  ],
  [
    "src/journal/client-ids.ts | module | field: , answers: 0 → nothing",
    "Nothing counts the answers for a support that is unknown.",
  ],
]);
