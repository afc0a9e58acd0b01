// Which service a command speaks to and as whom: base URL, key and account, judged together, so that a key
// never goes to a service that it was not meant for.
import { Failure } from "../failure.ts";
import { isGuid } from "../incident/rules.ts";
import { isLoopback } from "../platform/loopback.ts";
import type { KeySource } from "./credentials.ts";
import {
  type Choices,
  chooseSettings,
  defaultAccountHeader,
  type Setting,
  type SettingsSources,
  sameUrl,
} from "./precedence.ts";
import type { Profile, PromisedClientIds } from "./profiles.ts";
import { variables } from "./variables.ts";

export type { Origin, Setting, SettingsSources } from "./precedence.ts";

/** A service and the account there; only the key is still to be fetched. */
export interface Target {
  /** Without a trailing slash. */
  readonly baseUrl: Setting<string>;
  readonly key: Setting<KeySource>;
  /** A GUID, or `undefined` where the account header is left out on purpose. */
  readonly account: Setting<string | undefined>;
  /** Lower case. */
  readonly accountHeader: string;
  /** What the profile promises of the ids of creates. */
  readonly clientIds: Setting<PromisedClientIds> | undefined;
}

/** Everything that a request needs. */
export interface ServiceSettings extends Omit<Target, "key"> {
  readonly apiKey: Setting<string>;
}

/** Resolves all together, the key last: its command runs only when all else is right. Throws a `Failure`. */
export async function resolveService(
  sources: SettingsSources,
  readKey: (source: Setting<KeySource>) => Promise<Setting<string>>,
): Promise<ServiceSettings> {
  const { key, ...target } = checkChoices(await chooseSettings(sources), sources);
  return { ...target, apiKey: await readKey(key) };
}

/** Judges what was chosen. Throws a `Failure` "usage" that says exactly what to set, and where. */
export function checkChoices(
  choices: Choices,
  { env, userFile }: Pick<SettingsSources, "env" | "userFile">,
): Target {
  const baseUrl = choices.baseUrl.chosen;
  const key = choices.key.chosen;
  const account = choices.account.chosen;
  if (baseUrl === undefined || key === undefined || account === undefined) {
    throw missingSettings(choices, userFile);
  }
  checkUnit(choices, baseUrl, key);
  const accountHeader = choices.accountHeader.chosen;
  return {
    ...checkTarget({ baseUrl, account, accountHeader }, env),
    key,
    clientIds: choices.clientIds.chosen,
  };
}

/** Judges each by itself. Throws a `Failure` "usage". */
export function checkTarget(
  given: {
    readonly baseUrl: Setting<string>;
    readonly account: Setting<string>;
    readonly accountHeader: Setting<string> | undefined;
  },
  env: SettingsSources["env"],
): Pick<Target, "baseUrl" | "account" | "accountHeader"> {
  const baseUrl = checkBaseUrl(given.baseUrl);
  checkPin(baseUrl, env[variables.sandboxPin]);
  return {
    baseUrl,
    account: checkAccount(given.account),
    accountHeader: checkHeader(given.accountHeader),
  };
}

/** A key goes only to the base URL that it was given for: they come from the same place. */
function checkUnit(
  { selected, ...choices }: Choices,
  baseUrl: Setting<string>,
  key: Setting<KeySource>,
): void {
  if (selected === undefined) return;
  if (key === selected.key) {
    if (sameUrl(selected.baseUrl, baseUrl)) return;
    throw new Failure(
      "usage",
      `the key from ${key.origin} is not sent to the base URL from ${baseUrl.origin}, for which it was not stored`,
      { hint: `set ${variables.apiKey} as well, or unset ${variables.baseUrl} to use the profile's own` },
    );
  }
  if (baseUrl !== selected.baseUrl) return;
  if (selected.key !== undefined) {
    throw new Failure(
      "usage",
      `the key from ${key.origin} is not sent to the base URL from ${baseUrl.origin}, which has its own key, from ${selected.key.origin}`,
      { hint: `unset ${key.origin} to use the profile's key, or set ${variables.baseUrl} as well` },
    );
  }
  const other = choices.baseUrl.overridden[0];
  if (other === undefined || sameUrl(other, baseUrl)) return;
  throw new Failure(
    "usage",
    `profile "${selected.name}" has no key, and the one from ${key.origin} belongs to the base URL from ${other.origin}`,
    { hint: `store a key with incident login --profile ${selected.name}, or unset ${other.origin}` },
  );
}

function missingSettings({ selected, ...choices }: Choices, userFile: string): Failure {
  const missing = [
    choices.baseUrl.chosen === undefined && (["the base URL", variables.baseUrl, "baseUrl"] as const),
    choices.key.chosen === undefined && (["the API key", variables.apiKey, "apiKey"] as const),
    choices.account.chosen === undefined && (["the account", variables.account, "accountId"] as const),
  ].filter((entry) => entry !== false);
  const what = missing.map(([label]) => label).join(" and ");
  const set = missing.map(([, variable]) => variable).join(", ");
  const fields = missing.map(([, , field]) => field).join(", ");
  return new Failure("usage", `${what} ${missing.length === 1 ? "is" : "are"} not set`, {
    hint: `set ${set}, or ${fields} of ${placeOf(selected, userFile)} (incident login stores one); to try it without a service: incident sandbox -- sh`,
  });
}

function placeOf(profile: Profile | undefined, userFile: string): string {
  return profile === undefined ? `a profile in ${userFile}` : `profile "${profile.name}" in ${userFile}`;
}

/** Judges a base URL by itself. Throws a `Failure` "usage". */
function checkBaseUrl(setting: Setting<string>): Setting<string> {
  const { value, origin } = setting;
  const refuse = (message: string, hint: string) =>
    new Failure("usage", `the base URL from ${origin} ${message}`, { hint });
  if (!URL.canParse(value)) {
    throw refuse("is not a URL", "write it with its scheme, such as https://api.example.com");
  }
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") {
    throw refuse("has a login in it", "remove it: the API key is the only credential");
  }
  if (url.search !== "" || url.hash !== "") {
    throw refuse("has a query or a fragment", "end it with the path under which /v1 is served");
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw refuse(
      `would send the key unencrypted (${url.protocol}//${url.host})`,
      "use https:; http: is for this machine alone",
    );
  }
  return { value: url.href.replace(/\/+$/, ""), origin };
}

/** A rehearsal must not reach production: while the pin is set, it is the only base URL. */
function checkPin(baseUrl: Setting<string>, pin: string | undefined): void {
  if (pin === undefined || pin === "" || pin.replace(/\/+$/, "") === baseUrl.value) return;
  throw new Failure(
    "usage",
    `this runs inside a sandbox (${variables.sandboxPin} is set), and ${baseUrl.origin} points elsewhere: ${baseUrl.value}`,
    { hint: "nothing was sent; take the profile or base URL out of the rehearsal, or run it outside" },
  );
}

/** The value is not repeated: where key and account were mixed up, it is the key. */
function checkAccount(account: Setting<string>): Setting<string | undefined> {
  if (account.value === "none") return { value: undefined, origin: account.origin };
  if (isGuid(account.value)) return account;
  throw new Failure("usage", `the account from ${account.origin} is not a GUID`, {
    hint: "copy the account's identifier from the web application, or write none to send no account header",
  });
}

function checkHeader(header: Setting<string> | undefined): string {
  if (header === undefined) return defaultAccountHeader;
  if (/^[a-z0-9!#$%&'*+.^_`|~-]+$/i.test(header.value)) return header.value.toLowerCase();
  throw new Failure("usage", `the header name from ${header.origin} is none`, {
    hint: `write a name such as ${defaultAccountHeader}`,
  });
}
