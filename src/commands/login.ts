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
  await checkAccess(context, await withHeader(context, settings));
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
  const asks = canAsk(context) && !apiKeyStdin;
  if (!asks && (baseUrl === undefined || account === undefined || !apiKeyStdin)) {
    const message = "login needs a base URL, an account and a key, and no question can be asked here";
    throw new Failure("usage", message, {
      hint: `set ${environmentVariables.baseUrl}, give --account or set ${environmentVariables.accountId}, and pipe the key into incident login --api-key-stdin; nothing was stored`,
    });
  }
  const read = asks ? asking(await openPrompts(context, "nothing was stored")) : takeGiven;
  const none = { value: "none", origin: "default" };
  const url = await read("Base URL", baseUrl, (answer) => {
    checkEndpoint({ baseUrl: answer, account: none }, env);
  });
  /** The profile, if it has the same service. */
  const same = sameUrl(existing?.baseUrl, url) ? existing : undefined;
  const header = readVariable(env, "accountHeader") ?? same?.accountHeader;
  const endpointOf = (account: Setting<string>) =>
    checkEndpoint({ baseUrl: url, account, accountHeader: header }, env);
  const accountId = await read("Account (a GUID, or none)", account, endpointOf);
  const key = asks ? undefined : await readKey(context);
  const apiKey = await read("API key (not shown)", key, checkApiKey, { isHidden: true });
  const page = "Page of an incident in the web application, with {id} (empty: no links)";
  const link = await read(page, readVariable(env, "webUrl") ?? same?.webUrl, (answer) => {
    if (answer.value !== "") checkWebUrl(answer);
  });
  return { ...endpointOf(accountId), apiKey, webUrl: link.value === "" ? undefined : link };
}

async function readKey(context: RunContext): Promise<Setting<string>> {
  const { bytes } = await readSourceOrStdin(context, "-");
  return { value: withoutLineEnd(new TextDecoder().decode(bytes)), origin: "stdin" };
}

/** Gives a setting. Throws the `Failure` of `check`. */
type Read = (
  message: string,
  given: Setting<string> | undefined,
  check: (setting: Setting<string>) => unknown,
  options?: { readonly isHidden?: boolean },
) => Promise<Setting<string>>;

const takeGiven: Read = async (_message, given = { value: "", origin: "default" }, check) => {
  check(given);
  return given;
};

/** Asks until `check` throws no `Failure`. Enter alone takes the fallback. */
function asking(prompts: PromptSession): Read {
  return async (message, fallback, check, { isHidden = false } = {}) => {
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
