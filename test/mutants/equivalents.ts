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
    "src/journal/fleet/copy-logs.ts | copyLogs | operator: at < logs.length → at <= logs.length",
    "Where the number of logs is a multiple of the batch, one empty batch more copies nothing.",
  ],
  [
    "src/journal/fleet/pending-events.ts | append | statement: own.delete(operation); → ;",
    "The files are removed already. Removing one again does nothing.",
  ],
  [
    "src/journal/fleet/pending-events.ts | appendOutcome | operator: clock.monotonic() >= deadline → clock.monotonic() > deadline",
    "The deadline itself is one of a range of milliseconds in which either is right.",
  ],
  [
    "src/journal/journal.ts | newestSince | operator: found >= 0 → found > 0 (2)",
    "The newest name is found in the first look, which returns before.",
  ],
  [
    "src/journal/journal.ts | newestSince | number: 0 → 1 (3)",
    "The newest name is found in the first look, which returns before.",
  ],
  [
    "src/journal/folder/read-private-file.ts | readPrivateFile | condition: files.lstatSync(path, { throwIfNoEntry: false }) === undefined → false",
    "The look saves time: opening a file that is missing gives the same result.",
  ],
  [
    "src/journal/folder/read-private-file.ts | readPrivateFile | literal: false → true",
    "The error of the look is that of opening a file that is missing, which gives the same result.",
  ],
  [
    "src/journal/folder/store.ts | firstNumber | condition: first === 0 → false",
    "The first event of a log is no tombstone, so that one more look finds no way further.",
  ],
  [
    "src/journal/folder/store.ts | conclude | operator: number <= first → number < first",
    "The first event that is left has its name, so that nothing is linked under its number.",
  ],
  [
    "src/journal/folder/store.ts | read | number: 0 → 1",
    "Where the log goes on after its only event, it is read again.",
  ],
  [
    "src/journal/folder/store.ts | unlist | operator: number < end → number <= end",
    "An event that settles its log has no name in the list.",
  ],
  [
    "src/journal/folder/store.ts | unlist | condition: list.exists(name) → true",
    "The look saves time: removing a name that is missing does nothing.",
  ],
  [
    "src/journal/git/bucket-layout.ts | numberOf | number: 0 → 1",
    "The first of the eight digits is above the bits that choose the bucket and the list.",
  ],
  [
    "src/journal/git/old-layout.ts | newest | operator: refs.size <= 1 → refs.size < 1",
    "One ref alone is in its order already: sorting it costs time and changes nothing.",
  ],
  [
    "src/journal/git/store.ts | findOut | literal: true → false",
    "Where each event is in the journal or taken, the rest of the look costs time, and nothing reads its answer.",
  ],
  [
    "src/journal/git/store.ts | findOut | condition: areAllIn → false",
    "Where each event is in the journal or taken, the rest of the look costs time, and nothing reads its answer.",
  ],
  [
    "src/journal/git/store.ts | findOut | operand: !isIn && endOf(chain) <= append.number → endOf(chain) <= append.number",
    "The log of an event that is in it ends after the number of the event.",
  ],
  [
    "src/journal/git/old-layout.ts | newest | number: 1 → 0",
    "One ref alone is in its order already: sorting it costs time and changes nothing.",
  ],
  [
    "src/journal/git/old-layout.ts | newest | operand: refs.size <= 1 || limit === Number.POSITIVE_INFINITY → refs.size <= 1",
    "Without a limit any order will do, so that sorting costs time and changes nothing.",
  ],
  [
    "src/journal/fleet/pending-events.ts | forgetAttempts | number: 0 → 1",
    "The boots are the same here, so that both times are known.",
  ],
  [
    "src/journal/folder/store.ts | completeOrder | number: 0 → 1",
    "A file that vanishes between two looks has no time, and any place in the list is right.",
  ],
  [
    "src/journal/folder/store.ts | groupsOf | number: 0 → 1",
    "The first event begins a group, which sets the length.",
  ],
  [
    "src/journal/fleet/shared-store.ts | findText | condition: error instanceof Failure → true",
    "Only a fault of the code itself throws anything else.",
  ],
  [
    "src/journal/fleet/shared-store.ts | findText | statement: throw error; → ;",
    "Only a fault of the code itself throws anything else.",
  ],
  [
    "src/journal/fleet/shared-store.ts | read | condition: read.events.some(lacksText) → true",
    "A text that is found and that no event lacks changes none.",
  ],
  [
    "src/delivery/wait-for-sender.ts | longestRemaining | number: 0 → 1",
    "Without an attempt that has no ending, the first operand is 0.",
  ],
]);
