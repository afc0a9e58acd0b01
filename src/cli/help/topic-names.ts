// The names of the topics of `incident help`, apart from their pages, which take longer to load.

export const topics = ["commands", "options", "exit-codes", "environment", "files", "drills"] as const;
export type Topic = (typeof topics)[number];
