// The files that a command line names, with -f or without it.
import { Failure } from "../../failure.ts";
import { isGuid } from "../../rules/forms.ts";
import { argv, inWebApplication } from "../../text/advice.ts";

/** The files of -f, then the operands. Throws a `Failure` "usage" for an incident's id in place of a file. */
export function namedFiles(operands: readonly string[], file: readonly string[] = []): readonly string[] {
  const id = operands.find(isGuid);
  if (id !== undefined) {
    throw new Failure("usage", "the API cannot change an incident: it can only create and read incidents", {
      hint: `post the update ${inWebApplication()}; these commands only read`,
      commands: [
        { command: argv`incident open ${id}`, purpose: "its page in the web application" },
        { command: argv`incident get ${id} --watch`, purpose: "follow the incident as it changes" },
        { command: argv`incident journal list`, purpose: "the incidents that were declared from here" },
      ],
    });
  }
  return [...file, ...operands];
}
