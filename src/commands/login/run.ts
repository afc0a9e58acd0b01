// `incident login`: asks for a service, an account and a key, verifies them with a request, and stores them as a
// profile.
import { checkAccess } from "../../api/access.ts";
import { createServiceClient } from "../../api/connect.ts";
import { readUserSettings } from "../../api/settings-files.ts";
import { editUserSettings } from "../../api/store-profile.ts";
import { cancellation, Failure } from "../../failure.ts";
import type { Io, Prompts, System } from "../../platform/context.ts";
import { checkApiKey, withoutLineEnd } from "../../settings/credentials.ts";
import { environmentVariables } from "../../settings/environment-variables.ts";
import { userSettingsFile } from "../../settings/locations.ts";
import { sameUrl } from "../../settings/precedence.ts";
import type { Profile, UserSettings } from "../../settings/profiles.ts";
import { checkEndpoint, type ServiceSettings } from "../../settings/resolve.ts";
import type { Setting } from "../../settings/setting.ts";
import type { GlobalFlags, Run } from "../define-command.ts";
import { canAsk, type TerminalContext } from "../shared/confirm.ts";
import { profileName } from "../shared/profile-name.ts";
import type { spec } from "./spec.ts";

/** The most bytes to read from stdin. */
const maxKeyBytes = 64 * 1024;

export const run: Run<typeof spec> = async (context, { flags, global }) => {
  const { apiKeyStdin = false } = flags;
  const file = userSettingsFile(context.system);
  const user = await readUserSettings(context);
  const name = profileName(context.system, global, user);
  const existing = user?.profiles.get(name);
  const settings = await askSettings(context, global, { apiKeyStdin, existing });
  context.info(`trying the key at ${settings.baseUrl.value}`);
  await checkAccess(createServiceClient(context, settings, global));
  const isDefault = (user?.defaultProfile?.value ?? name) === name;
  await editUserSettings(context, file, profileEdits(name, settings, existing, user));
  const data = {
    profile: name,
    baseUrl: settings.baseUrl.value,
    accountId: settings.account.value ?? "none",
    isDefault,
    file,
  };
  return {
    data,
    page: (style) => {
      const use = isDefault ? "the default" : `use it with --profile ${name}`;
      return `the key works; stored as profile ${style.line(name)} in ${style.line(file)} (${use})\n`;
    },
  };
};

interface LoginContext extends TerminalContext {
  readonly io: Io;
  readonly system: Pick<System, "env" | "signal">;
  readonly prompts: Pick<Prompts, "ask">;
}

async function askSettings(
  context: LoginContext,
  global: GlobalFlags,
  { apiKeyStdin, existing }: { readonly apiKeyStdin: boolean; readonly existing: Profile | undefined },
): Promise<ServiceSettings> {
  const { env } = context.system;
  const isInteractive = canAsk(context, global) && !apiKeyStdin;
  const setting = (value: string | undefined, origin: string) => (value ? { value, origin } : undefined);
  const envUrl = setting(env[environmentVariables.baseUrl]?.trim(), environmentVariables.baseUrl);
  const envAccount = setting(env[environmentVariables.account]?.trim(), environmentVariables.account);
  const flagAccount = setting(global.account, "--account");
  const prompt = async (
    question: string,
    fallback: Setting<string> | undefined,
  ): Promise<Setting<string>> => {
    const shown = fallback === undefined ? "" : ` [${fallback.value}]`;
    const answer = (await ask(context, `${question}${shown}: `)).trim();
    return answer === "" && fallback !== undefined ? fallback : { value: answer, origin: "your answer" };
  };

  const baseUrl = isInteractive
    ? await prompt("Base URL", envUrl ?? existing?.baseUrl)
    : (envUrl ?? existing?.baseUrl);
  const currentAccount = flagAccount ?? envAccount ?? existing?.accountId;
  const account =
    isInteractive && flagAccount === undefined
      ? await prompt("Account (a GUID, or none)", currentAccount)
      : currentAccount;
  if (baseUrl === undefined || account === undefined || (!isInteractive && !apiKeyStdin)) {
    throw missingSettings({ baseUrl, account, key: apiKeyStdin });
  }
  // Check the URL before asking for the key, so that a typo does not make the person enter the key twice.
  const accountHeader = sameUrl(existing?.baseUrl, baseUrl) ? existing?.accountHeader : undefined;
  const target = checkEndpoint({ baseUrl, account, accountHeader }, env);
  const key = apiKeyStdin
    ? { value: withoutLineEnd(await readStdin(context.io)), origin: "stdin" }
    : { value: await ask(context, "API key (not shown): ", true), origin: "your answer" };
  return { ...target, clientIds: undefined, apiKey: checkApiKey(key) };
}

async function ask({ prompts, system }: LoginContext, question: string, hidden = false): Promise<string> {
  const answer = await prompts.ask(question, { hidden });
  if (answer !== undefined) return answer;
  throw cancellation(system.signal, "nothing was stored");
}

async function readStdin({ stdin }: Pick<Io, "stdin">): Promise<string> {
  if (stdin.isTerminal) {
    throw new Failure("usage", "--api-key-stdin reads stdin, and stdin is the terminal", {
      hint: "pipe the key in, or leave the flag out to be asked for it",
    });
  }
  return new TextDecoder().decode(await stdin.read(maxKeyBytes));
}

function missingSettings(has: { baseUrl: unknown; account: unknown; key: boolean }): Failure {
  const steps = [
    ...(has.baseUrl === undefined ? [`set ${environmentVariables.baseUrl}`] : []),
    ...(has.account === undefined ? [`give --account or set ${environmentVariables.account}`] : []),
    ...(has.key ? [] : ["pipe the key into incident login --api-key-stdin"]),
  ];
  return new Failure("usage", "a setting is missing, and there is no terminal to ask at", {
    hint: `${steps.join(", ")}; nothing was stored`,
  });
}

/** Removes the other sources of the key and, where the service changes, the settings of the previous one. */
function profileEdits(
  name: string,
  { baseUrl, account, apiKey }: ServiceSettings,
  existing: Profile | undefined,
  user: UserSettings | undefined,
) {
  const at = (field: string) => ["profiles", name, field];
  const isOtherService = !sameUrl(existing?.baseUrl, baseUrl);
  return [
    ...(user?.defaultProfile === undefined ? [{ path: ["defaultProfile"], value: name }] : []),
    { path: at("baseUrl"), value: baseUrl.value },
    { path: at("accountId"), value: account.value ?? "none" },
    { path: at("apiKey"), value: apiKey.value },
    ...["apiKeyFile", "apiKeyCommand", ...(isOtherService ? ["accountHeader", "clientIds"] : [])].map(
      (field) => ({
        path: at(field),
        value: undefined,
      }),
    ),
  ];
}
