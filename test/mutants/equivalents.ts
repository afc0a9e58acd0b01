// Survivors that no test can or should notice, each by the name of the mutant, with the reason.
export const equivalents: ReadonlyMap<string, string> = new Map<string, string>([]);
