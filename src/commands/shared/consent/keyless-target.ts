// The service of a preview that is made from the files alone: its settings without the key.
import type { RunContext } from "../../../kit/define-command.ts";
import { checkServiceTarget, type ServiceTarget } from "../../../workspace/resolve.ts";

/** No key command runs and no key file is opened. */
export async function readKeylessTarget({
  workspace,
}: Pick<RunContext, "workspace">): Promise<ServiceTarget> {
  const effective = await workspace.settings();
  const setting = effective.key.setting ?? { value: { kind: "value", key: "" }, origin: "nowhere" };
  return checkServiceTarget({ ...effective, key: { ...effective.key, setting } }, workspace.sources);
}
