// `incident login`: asks for a service, an account and a key, verifies them with a request, and stores them as a profile.
import { checkAccess, withHeader } from "../api/connect.ts";
import { catchFailure, Failure } from "../failure.ts";
import type { CommandSpec, Run, RunContext } from "../kit/command.ts";
import { flag } from "../kit/flags.ts";
import { lineReport } from "../kit/report.ts";
import type { PromptSession } from "../platform/terminal/prompts.ts";
import { readSourceOrStdin } from "../source/read-source.ts";
import { type Fields, ownValue } from "../untrusted-data.ts";
import { checkApiKey, withoutLineEnd } from "../workspace/credentials.ts";
import { checkEndpoint, readVariable } from "../workspace/resolve.ts";
import { checkWebUrl, sameUrl } from "../workspace/service-urls.ts";
import { environmentVariables, type Setting, settingRows, settings } from "../workspace/settings.ts";
import { editUserSettings, type Profile, profileName } from "../workspace/user-file.ts";
import { canAsk, confirm, openPrompts, refuseInRehearsal } from "./shared/questions.ts";

export const spec = {
  flags: {
    apiKeyStdin: flag.switch("--api-key-stdin", "read the key from stdin instead of asking for it"),
  },
  result: "page",
  examples: {
    "incident login": "asks for base URL, account and key",
    "incident login --profile staging": "another profile beside it",
    "pass show incident | incident login --api-key-stdin --account $ACCOUNT":
      "without a terminal; the base URL from INCIDENT_CLI_BASE_URL",
  },
  notes:
    "The file is readable by you alone. Nothing is stored unless the service accepts the key and refuses a made-up one.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, input) => {
  const { apiKeyStdin = false } = input.flags;
  const file = context.workspace.userFile;
  refuseInRehearsal(context, file);
  const user = await context.workspace.profiles();
  const name = profileName(context.system.env, context.global.profile, user);
  const existing = user?.profiles.get(name);
  const settings = await readSettings(context, apiKeyStdin, existing);
  context.info(`trying the key at ${settings.baseUrl.value}`);
  await checkAccess(context, await withHeader(context, settings, { readsDocument: true }));
  if (existing?.baseUrl && existing.key && !sameUrl(existing.baseUrl, settings.baseUrl)) {
    const other = `Replace ${existing.baseUrl.value} and its key in the profile ${name}?`;
    await confirm(context, input, `${other} (--profile NAME keeps both)`);
  }
  const baseUrl = settings.baseUrl.value;
  const accountId = settings.account.value ?? "none";
  const header = readVariable(context.system.env, "accountHeader");
  const values: Fields = {
    baseUrl,
    accountId,
    apiKey: settings.apiKey.value,
    webUrl: settings.webUrl?.value,
    ...(header && { accountHeader: header.value }),
  };
  // Removes the other sources of the key and, where the service changes, the settings of the previous one.
  const isSameService = sameUrl(existing?.baseUrl, settings.baseUrl);
  const fields = Object.entries(settingRows).filter(
    ([field, { inProfile }]) =>
      inProfile !== undefined &&
      (Object.hasOwn(values, field) || inProfile === "key" || (inProfile === "service" && !isSameService)),
  );
  await editUserSettings(context, file, [
    ...(user?.defaultProfile === undefined ? [{ path: ["defaultProfile"], value: name }] : []),
    ...fields.map(([field]) => ({ path: ["profiles", name, field], value: ownValue(values, field) })),
  ]);
  const isDefault = (user?.defaultProfile?.value ?? name) === name;
  const data = { profile: name, baseUrl, accountId, isDefault, file };
  const use = isDefault ? "the default" : `use it with --profile ${name}`;
  return lineReport(data, `the key works; stored as profile ${name} in ${file} (${use})`);
};

/** Reads the settings from the person, or from stdin, flags and environment. */
async function readSettings(context: RunContext, apiKeyStdin: boolean, existing: Profile | undefined) {
  const { env } = context.system;
  const { account: ofFlag } = context.global;
  const flagAccount = ofFlag ? { value: ofFlag, origin: settings.accountId.flag } : undefined;
  const baseUrl = readVariable(env, "baseUrl") ?? existing?.baseUrl;
  const account = flagAccount ?? readVariable(env, "accountId") ?? existing?.accountId;
  const webUrl = readVariable(env, "webUrl");
  const header = readVariable(env, "accountHeader");
  /** The profile, if it has the same service. */
  const sameService = (url: Setting<string>) => (sameUrl(existing?.baseUrl, url) ? existing : undefined);
  if (canAsk(context) && !apiKeyStdin) {
    const ask = asking(await openPrompts(context, "nothing was stored"));
    const none = { value: "none", origin: "default" };
    const url = await ask("Base URL", baseUrl, (answer) => {
      checkEndpoint({ baseUrl: answer, account: none }, env);
    });
    const same = sameService(url);
    const service = { baseUrl: url, accountHeader: header ?? same?.accountHeader };
    const accountId = await ask("Account (a GUID, or none)", account, (answer) => {
      checkEndpoint({ ...service, account: answer }, env);
    });
    const apiKey = await ask("API key (not shown)", undefined, checkApiKey, { isHidden: true });
    const page = "Page of an incident in the web application, with {id} (empty: no links)";
    const link = await ask(page, webUrl ?? same?.webUrl, (answer) => {
      if (answer.value !== "") checkWebUrl(answer);
    });
    const target = checkEndpoint({ ...service, account: accountId }, env);
    return { ...target, apiKey, webUrl: link.value === "" ? undefined : link };
  }
  if (baseUrl === undefined || account === undefined || !apiKeyStdin) {
    const message = "login needs a base URL, an account and a key, and no question can be asked here";
    throw new Failure("usage", message, {
      hint: `set ${environmentVariables.baseUrl}, give --account or set ${environmentVariables.accountId}, and pipe the key into incident login --api-key-stdin; nothing was stored`,
    });
  }
  const same = sameService(baseUrl);
  const target = checkEndpoint({ baseUrl, account, accountHeader: header ?? same?.accountHeader }, env);
  const { bytes } = await readSourceOrStdin(context, "-");
  const key = { value: withoutLineEnd(new TextDecoder().decode(bytes)), origin: "stdin" };
  const link = webUrl ?? same?.webUrl;
  if (link !== undefined) checkWebUrl(link);
  return { ...target, webUrl: link, apiKey: checkApiKey(key) };
}

/** Returns a function that asks until `check` throws no `Failure`. Enter alone takes the fallback. */
function asking(prompts: PromptSession) {
  return async (
    message: string,
    fallback: Setting<string> | undefined,
    check: (answer: Setting<string>) => void,
    { isHidden = false } = {},
  ): Promise<Setting<string>> => {
    const settingOf = (typed: string) =>
      typed.trim() === "" && fallback !== undefined
        ? fallback
        : { value: typed.trim(), origin: "your answer" };
    const answer = await prompts.text({
      message,
      isHidden,
      fallback: fallback?.value,
      check: (typed) => {
        const failure = catchFailure(() => check(settingOf(typed)));
        return failure && `${failure.message}; ${failure.hint}`;
      },
    });
    return settingOf(answer);
  };
}
