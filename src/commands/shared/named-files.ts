// The files that a command line names, with -f or without it.
import { Failure } from "../../failure.ts";
import { isGuid } from "../../rules/forms.ts";
import { advise, argv } from "../../text/advice.ts";

/** The files of -f, then the operands. Throws a `Failure` "usage" for an incident's id in place of a file. */
export function namedFiles(operands: readonly string[], file: readonly string[] = []): readonly string[] {
  const id = operands.find(isGuid);
  if (id !== undefined) {
    throw new Failure("usage", `${id} is the id of an incident, and a file is needed`, {
      hint: advise`name the file of a definition; an incident that exists is changed by ${argv`incident update ${id}`}`,
    });
  }
  return [...file, ...operands];
}
