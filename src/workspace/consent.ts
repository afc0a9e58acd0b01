// Whether a create needs the consent of a person where nobody can be asked: the profile, the policy of the project, and
// the variables of programs that act for people. These variables only restrain: they grant nothing.
import { type ConsentMode, consentModes } from "../incident/values.ts";
import { ownValue } from "../untrusted-data.ts";
import type { Setting } from "./setting.ts";

/**
 * Variables that an assistant sets for the commands that it runs, as @vercel/detect-agent and aws-cdk-cli know them. A
 * variable that an editor also sets for the terminals of a person is not one of them.
 */
export const agentVariables = [
  "AI_AGENT",
  "AGENT",
  "CLAUDECODE",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "CODEX_SANDBOX",
  "CODEX_CI",
  "CODEX_THREAD_ID",
  "ANTIGRAVITY_AGENT",
  "AUGMENT_AGENT",
  "OPENCODE_CLIENT",
] as const;

/**
 * The strictest of the modes in the profile and in the others, which are a variable and the policy. Without a profile's
 * word, an agent counts as `notify`.
 */
export function rankConsent(
  profile: Setting<ConsentMode> | undefined,
  others: readonly (Setting<ConsentMode> | undefined)[],
  env: Readonly<Record<string, string | undefined>>,
) {
  const name = agentVariables.find((variable) => ownValue(env, variable)?.trim());
  const agent: Setting<ConsentMode> | undefined = name && { value: "notify", origin: name };
  const byDefault: Setting<ConsentMode> = { value: "never", origin: "default" };
  const own = profile ?? agent ?? byDefault;
  const strictness = ({ value }: Setting<ConsentMode>) => consentModes.indexOf(value);
  const restraints = others.filter((each) => each !== undefined);
  const setting = restraints.reduce((most, each) => (strictness(each) > strictness(most) ? each : most), own);
  const all = [profile, agent, byDefault, ...restraints].filter((each) => each !== undefined);
  return { setting, overridden: all.filter((each) => each !== setting) };
}
