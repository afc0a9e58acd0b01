// The questions of `incident login`.
import { cancellation, catchFailure } from "../../failure.ts";
import type { PromptSession, System } from "../../platform/context.ts";
import { checkApiKey } from "../../workspace/credentials.ts";
import { checkEndpoint, type ServiceSettings } from "../../workspace/resolve.ts";
import type { Setting } from "../../workspace/setting.ts";
import { checkWebUrl } from "../../workspace/web-url.ts";

interface AskContext {
  readonly prompts: Pick<PromptSession, "text">;
  readonly system: Pick<System, "env" | "signal">;
}

type Known = Setting<string> | undefined;

/** The values that Enter alone takes. Those of a function belong to the base URL. */
export interface KnownSettings {
  readonly baseUrl: Known;
  readonly account: Known;
  readonly accountHeader: (baseUrl: Setting<string>) => Known;
  readonly webUrl: (baseUrl: Setting<string>) => Known;
}

/** Throws a `Failure` when the person cancels. */
export async function askSettings(context: AskContext, known: KnownSettings): Promise<ServiceSettings> {
  const { env } = context.system;
  const none = { value: "none", origin: "default" };
  const baseUrl = await askValid(context, "Base URL", known.baseUrl, (answer) => {
    checkEndpoint({ baseUrl: answer, account: none, accountHeader: undefined }, env);
  });
  const service = { baseUrl, accountHeader: known.accountHeader(baseUrl) };
  const account = await askValid(context, "Account (a GUID, or none)", known.account, (answer) => {
    checkEndpoint({ ...service, account: answer }, env);
  });
  const apiKey = await askValid(context, "API key (not shown)", undefined, checkApiKey, true);
  const page = "Page of an incident in the web application, with {id} (empty: no links)";
  const link = await askValid(context, page, known.webUrl(baseUrl), (answer) => {
    if (answer.value !== "") checkWebUrl(answer);
  });
  const webUrl = link.value === "" ? undefined : link;
  return { ...checkEndpoint({ ...service, account }, env), apiKey, webUrl };
}

/** Asks until `check` throws no `Failure`. Enter alone takes the fallback. */
async function askValid(
  { prompts, system }: AskContext,
  message: string,
  fallback: Known,
  check: (answer: Setting<string>) => void,
  isHidden = false,
): Promise<Setting<string>> {
  const settingOf = (typed: string) =>
    typed.trim() === "" && fallback !== undefined ? fallback : { value: typed.trim(), origin: "your answer" };
  const typed = await prompts.text({
    message,
    isHidden,
    fallback: fallback?.value,
    check: (answer) => {
      const failure = catchFailure(() => check(settingOf(answer)));
      return failure && `${failure.message}; ${failure.hint}`;
    },
  });
  if (typed === undefined) throw cancellation(system.signal, "nothing was stored");
  return settingOf(typed);
}
