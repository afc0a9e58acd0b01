// The diagnostics of a create that the service refused: its words, at the lines of the definition that they are about.
import { type FieldRefusal, readFieldRefusals } from "../../api/refusal.ts";
import type { Diagnostic, Locate } from "../../diagnostic.ts";
import type { Failure } from "../../failure.ts";
import { advise, argv } from "../../text/advice.ts";

/** The failure with a diagnostic for each field that the refusal names. */
export function withRefusedFields(failure: Failure, locate: Locate | undefined): Failure {
  const diagnostics = locate && refusalDiagnostics(failure, locate);
  if (diagnostics === undefined || diagnostics.length === 0) return failure;
  return failure.with({ diagnostics, hint: advise`${failure.details.hint}; ${contractHint}` });
}

/** For definitions to come: the service's own rules are known before anything is sent. */
export const contractHint = advise`${argv`incident contract pull`} saves the service's rules, so that validate can find such errors`;

/** None unless the service refused the body: 400 and 422. */
export function refusalDiagnostics({ details }: Failure, locate: Locate): readonly Diagnostic[] {
  const { response } = details;
  if (response?.status !== 400 && response?.status !== 422) return [];
  return readFieldRefusals(response.body).map((refusal) => ({
    code: "refused",
    level: "error",
    message: `the service refuses this: ${refusal.text}`,
    hint: hintOf(refusal),
    location: locate(refusal.path),
  }));
}

function hintOf({ path }: FieldRefusal): string {
  return path.at(-1) === "accountId"
    ? "set the account in the settings, or write accountId into the service"
    : "correct it, then run it again";
}
