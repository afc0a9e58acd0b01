// The service of a preview that is made from the files alone: its settings without the key.
import { withHeaderAtHand } from "../../../api/account-header.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import { checkServiceTarget, type ServiceTarget } from "../../../workspace/resolve.ts";

/** No key command runs and no key file is opened. */
export async function readKeylessTarget(context: RunContext): Promise<ServiceTarget> {
  const { workspace } = context;
  const effective = await workspace.settings();
  const setting = effective.key.setting ?? { value: { kind: "value", key: "" }, origin: "nowhere" };
  const target = checkServiceTarget({ ...effective, key: { ...effective.key, setting } }, workspace.sources);
  return withHeaderAtHand(context, target);
}
