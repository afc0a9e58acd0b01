// What is wrong with a state directory, as failures that name the ways on.
import { Failure } from "../../failure.ts";

/** What may not be believed is never ignored: it may be the memory of a create. */
export function untrusted(file: string, why: string): Failure {
  return new Failure("usage", `the journal's file ${file} cannot be trusted: ${why}`, {
    hint: "nothing was sent; look at the incident with incident get, then move the file away, or name another --state-dir",
  });
}

/** A stored text as a JSON object. */
export function parseStored(name: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below, as for any other content that nobody here has written.
  }
  throw untrusted(name, "it is torn or was changed");
}

/** The state directory cannot be written. */
export class StoreFailure extends Failure {
  constructor(folder: string, cause: unknown) {
    super("usage", `the journal cannot be written in ${folder}: ${messageOf(cause)}`, {
      hint: "make the folder writable, name another with --state-dir, or send without a memory with --no-journal",
      cause,
    });
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
