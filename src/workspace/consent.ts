// Whether a create needs the consent of a person where nobody can be asked: the profile, the policy of the project, and
// the variables of programs that act for people. These variables only restrain: they grant nothing.
import { type ConsentMode, consentModes } from "../incident/values.ts";
import { ownValue } from "../untrusted-data.ts";
import type { Setting } from "./setting.ts";

/**
 * Variables that an assistant sets for the commands that it runs, with the source of each. A variable that an editor
 * also sets for the terminals of a person, such as CURSOR_TRACE_ID or REPL_ID, is not one of them.
 */
export const agentVariables = [
  // Any program: the README of @vercel/detect-agent.
  "AI_AGENT",
  // Any program: the proposal github.com/agentsmd/agents.md/issues/136, which Goose and Amp follow.
  "AGENT",
  // Claude Code: packages/detect-agent of github.com/vercel/vercel; lib/cli/util/detect-agent.ts of aws/aws-cdk-cli.
  "CLAUDECODE",
  // Cursor's command line agent: the same two.
  "CURSOR_AGENT",
  // Gemini CLI: packages/detect-agent of vercel/vercel.
  "GEMINI_CLI",
  // Codex: version 1.1.1 of @vercel/detect-agent, and aws/aws-cdk-cli.
  "CODEX_SANDBOX",
  "CODEX_CI",
  "CODEX_THREAD_ID",
  // Antigravity: version 1.1.1 of @vercel/detect-agent.
  "ANTIGRAVITY_AGENT",
  // Augment and OpenCode: version 1.1.0 of @vercel/detect-agent.
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
