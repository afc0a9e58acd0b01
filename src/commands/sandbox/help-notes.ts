// The end of `incident sandbox --help`: the faults, and the sandbox's assumptions. It is apart from the spec so that
// no other command loads these texts.
import { assumptions } from "../../sandbox/assumptions.ts";
import { faultGrammar } from "../../sandbox/faults.ts";

export const helpNotes = `Faults:
${faultGrammar}

The sandbox's behavior where the API's specification is silent (its sections in parentheses):

${Object.values(assumptions)
  .map((choice) => `- ${choice}`)
  .join("\n")}
`;
