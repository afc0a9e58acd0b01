// `incident login`: asks for a service, an account and a key, tries them, and stores them as a profile. Nothing is
// stored that was not tried.
import { checkAccess } from "../../api/access.ts";
import { createServiceClient } from "../../api/connect.ts";
import { readUserSettings } from "../../api/settings-files.ts";
import { editUserSettings } from "../../api/store-profile.ts";
import { cancellation, Failure } from "../../failure.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { checkApiKey, withoutLineEnd } from "../../settings/credentials.ts";
import { environmentVariables } from "../../settings/environment-variables.ts";
import { userSettingsFile } from "../../settings/locations.ts";
import { sameUrl } from "../../settings/precedence.ts";
import type { Profile, UserSettings } from "../../settings/profiles.ts";
import { checkEndpoint, type ServiceSettings } from "../../settings/resolve.ts";
import type { Setting } from "../../settings/setting.ts";
import type { GlobalFlags, Run } from "../define-command.ts";
import { canAsk } from "../shared/confirm.ts";
import type { spec } from "./spec.ts";

const longestKey = 64 * 1024;

export const run: Run<typeof spec> = async (context, { flags, global }) => {
  const { apiKeyStdin = false } = flags;
  const file = userSettingsFile(context.system);
  const user = await readUserSettings(context);
  const name = profileName(context, global, user);
  const known = user?.profiles.get(name);
  const settings = await askSettings(context, global, { apiKeyStdin, known });
  context.info(`trying the key at ${settings.baseUrl.value}`);
  await checkAccess(createServiceClient(context, settings, global));
  const isDefault = (user?.defaultProfile?.value ?? name) === name;
  await editUserSettings(context, file, profileEdits(name, settings, known, user));
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

/** The profile that is named, else the default one, else the first there is to be. */
export function profileName(
  { env }: Pick<Context, "env">,
  { profile }: GlobalFlags,
  user: UserSettings | undefined,
): string {
  const name =
    profile ?? (env[environmentVariables.profile]?.trim() || user?.defaultProfile?.value) ?? "default";
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return name;
  throw new Failure("usage", "the profile's name has other characters than letters, digits, dot, - and _", {
    hint: "choose a name such as production",
  });
}

async function askSettings(
  context: Context & Reporter,
  global: GlobalFlags,
  { apiKeyStdin, known }: { readonly apiKeyStdin: boolean; readonly known: Profile | undefined },
): Promise<ServiceSettings> {
  const { env } = context;
  const isAsking = canAsk(context, global) && !apiKeyStdin;
  const given = (value: string | undefined, origin: string) => (value ? { value, origin } : undefined);
  const envUrl = given(env[environmentVariables.baseUrl]?.trim(), environmentVariables.baseUrl);
  const envAccount = given(env[environmentVariables.account]?.trim(), environmentVariables.account);
  const flagAccount = given(global.account, "--account");
  const entered = async (
    question: string,
    fallback: Setting<string> | undefined,
  ): Promise<Setting<string>> => {
    const shown = fallback === undefined ? "" : ` [${fallback.value}]`;
    const answer = (await ask(context, `${question}${shown}: `)).trim();
    return answer === "" && fallback !== undefined ? fallback : { value: answer, origin: "your answer" };
  };

  const baseUrl = isAsking ? await entered("Base URL", envUrl ?? known?.baseUrl) : (envUrl ?? known?.baseUrl);
  const knownAccount = flagAccount ?? envAccount ?? known?.accountId;
  const account =
    isAsking && flagAccount === undefined
      ? await entered("Account (a GUID, or none)", knownAccount)
      : knownAccount;
  if (baseUrl === undefined || account === undefined || (!isAsking && !apiKeyStdin)) {
    throw missing({ baseUrl, account, key: apiKeyStdin });
  }
  // Judged before the key is asked for: a slip in the URL must not cost the key a second time.
  const accountHeader = sameUrl(known?.baseUrl, baseUrl) ? known?.accountHeader : undefined;
  const target = checkEndpoint({ baseUrl, account, accountHeader }, env);
  const key = apiKeyStdin
    ? { value: withoutLineEnd(await readStdin(context)), origin: "stdin" }
    : { value: await ask(context, "API key (not shown): ", true), origin: "your answer" };
  return { ...target, clientIds: undefined, apiKey: checkApiKey(key) };
}

async function ask(context: Context, question: string, hidden = false): Promise<string> {
  const answer = await context.ask(question, { hidden });
  if (answer !== undefined) return answer;
  throw cancellation(context.signal, "nothing was stored");
}

async function readStdin(context: Context): Promise<string> {
  if (context.stdin.isTerminal) {
    throw new Failure("usage", "--api-key-stdin reads stdin, and stdin is the terminal", {
      hint: "pipe the key in, or leave the flag out to be asked for it",
    });
  }
  return new TextDecoder().decode(await context.stdin.read(longestKey));
}

function missing(has: { baseUrl: unknown; account: unknown; key: boolean }): Failure {
  const steps = [
    ...(has.baseUrl === undefined ? [`set ${environmentVariables.baseUrl}`] : []),
    ...(has.account === undefined ? [`give --account or set ${environmentVariables.account}`] : []),
    ...(has.key ? [] : ["pipe the key into incident login --api-key-stdin"]),
  ];
  return new Failure("usage", "nobody can be asked here, and something is missing", {
    hint: `${steps.join(", ")}; nothing was stored`,
  });
}

/** What was said of another service, and where the key was found before, does not hold any more. */
function profileEdits(
  name: string,
  { baseUrl, account, apiKey }: ServiceSettings,
  known: Profile | undefined,
  user: UserSettings | undefined,
) {
  const at = (field: string) => ["profiles", name, field];
  const moved = !sameUrl(known?.baseUrl, baseUrl);
  return [
    ...(user?.defaultProfile === undefined ? [{ path: ["defaultProfile"], value: name }] : []),
    { path: at("baseUrl"), value: baseUrl.value },
    { path: at("accountId"), value: account.value ?? "none" },
    { path: at("apiKey"), value: apiKey.value },
    ...["apiKeyFile", "apiKeyCommand", ...(moved ? ["accountHeader", "clientIds"] : [])].map((field) => ({
      path: at(field),
      value: undefined,
    })),
  ];
}
