// The questions of `incident login`.
import { cancellation, catchFailure, Failure } from "../../failure.ts";
import type { PromptSession, Reporter, System } from "../../platform/context.ts";
import { checkApiKey } from "../../workspace/credentials.ts";
import { checkEndpoint, type ServiceSettings } from "../../workspace/resolve.ts";
import type { Setting } from "../../workspace/setting.ts";
import { checkWebUrl } from "../../workspace/web-url.ts";

interface AskContext extends Pick<Reporter, "warn"> {
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

/** Asks until `check` accepts the settings. Throws a `Failure` when the person cancels. */
export async function askUntilAccepted(
  context: AskContext,
  known: KnownSettings,
  check: (settings: ServiceSettings) => Promise<void>,
): Promise<ServiceSettings> {
  const { env, signal } = context.system;
  let { baseUrl, account } = known;
  const none = { value: "none", origin: "default" };
  for (;;) {
    const url = await askValid(context, "Base URL", baseUrl, (answer) => {
      checkEndpoint({ baseUrl: answer, account: none, accountHeader: undefined }, env);
    });
    const service = { baseUrl: url, accountHeader: known.accountHeader(url) };
    const chosen = await askValid(context, "Account (a GUID, or none)", account, (answer) => {
      checkEndpoint({ ...service, account: answer }, env);
    });
    const apiKey = await askValid(context, "API key (not shown)", undefined, checkApiKey, true);
    const page = "Page of an incident in the web application, with {id} (empty: no links)";
    const link = await askValid(context, page, known.webUrl(url), (answer) => {
      if (answer.value !== "") checkWebUrl(answer);
    });
    const webUrl = link.value === "" ? undefined : link;
    const settings = { ...checkEndpoint({ ...service, account: chosen }, env), apiKey, webUrl };
    try {
      await check(settings);
      return settings;
    } catch (error) {
      if (!(error instanceof Failure) || signal.aborted) throw error;
      context.warn(`${error.message}; ${error.hint}`);
      baseUrl = url;
      account = chosen;
    }
  }
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
