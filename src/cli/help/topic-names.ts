// The topics of `incident help`, apart from their pages, which take longer to load.

export const topicSummaries = {
  commands: "every command, one line each",
  options: "the options of every command",
  "exit-codes": "the exit codes, and what to do next",
  environment: "the environment variables",
  files: "the files that the commands read and write",
  emergency: "the flags that go past a check",
  drills: "rehearsals with faults",
} as const;

export type Topic = keyof typeof topicSummaries;
export const topics = Object.keys(topicSummaries) as readonly Topic[];
