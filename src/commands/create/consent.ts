// The consent of a person to a create: --confirm, and `confirm:` of the profile, the policy or an assistant's variable.

import type { LocatedDefinition } from "../../source/definitions.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import type { RunContext } from "../define-command.ts";
import { canAsk } from "../shared/confirm.ts";
import { askForConsent, checkConsent, reasonForConsent } from "../shared/consent/consent.ts";
import { type CreateInput, previewCreate } from "./preview.ts";

export interface Consent {
  /** --yes does not answer the question at a terminal. */
  readonly isNeeded: boolean;
  /** Where nobody can be asked: refuses the first create that would be sent. */
  readonly refuse?: () => Promise<void>;
}

/** Throws a `Failure` "confirmation" where --confirm has another digest. */
export async function openConsent(
  context: RunContext,
  settings: ServiceSettings,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
): Promise<Consent> {
  const { confirm } = input.flags;
  const preview = previewCreate(context, settings, definitions, input);
  if (confirm !== undefined) {
    await checkConsent(context, input, preview, confirm);
    return { isNeeded: false };
  }
  const reason = reasonForConsent(settings.confirm, preview.proposal);
  if (reason === undefined || canAsk(context, input.global)) return { isNeeded: reason !== undefined };
  const refuse = async () => {
    throw await askForConsent(context, input, preview, reason);
  };
  return { isNeeded: true, refuse };
}
