// The files that a command line names, with -f or without it.
import { Failure } from "../../failure.ts";
import { isGuid } from "../../incident/rules.ts";

/** The files of -f, then the operands. Throws a `Failure` "usage" for an incident's id in place of a file. */
export function namedFiles(operands: readonly string[], file: readonly string[] = []): readonly string[] {
  const id = operands.find(isGuid);
  if (id !== undefined) {
    throw new Failure("usage", `${id} is an incident's id, and a file is needed here`, {
      hint: `the API can only read and create incidents: read it with incident get ${id}`,
    });
  }
  return [...file, ...operands];
}
