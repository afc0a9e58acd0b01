// The questions of `incident login`.
import { cancellation, catchFailure, Failure } from "../../failure.ts";
import type { PromptSession, Prompts, Reporter, System } from "../../platform/context.ts";
import { isGuid } from "../../rules/forms.ts";
import { checkApiKey } from "../../workspace/credentials.ts";
import { checkEndpoint, type ServiceSettings } from "../../workspace/resolve.ts";
import type { Setting } from "../../workspace/setting.ts";
import { checkWebUrl } from "../../workspace/web-url.ts";

interface AskContext extends Pick<Reporter, "warn"> {
  readonly prompts: Pick<Prompts, "withoutEcho"> & Pick<PromptSession, "text">;
  readonly system: Pick<System, "env" | "signal">;
}

/** The settings that need no question, and the values that Enter alone takes. */
interface KnownSettings {
  readonly baseUrl: Setting<string> | undefined;
  readonly account: Setting<string> | undefined;
  /** The account of --account, which is not asked for. */
  readonly flagAccount: Setting<string> | undefined;
  readonly accountHeader: (baseUrl: Setting<string>) => Setting<string> | undefined;
}

type LoginQuestion = Pick<Parameters<PromptSession["text"]>[0], "isHidden" | "mayShow" | "message">;

/** A person may paste the key at the wrong question: only text in the form of the answer is shown. */
const questions = {
  baseUrl: {
    message: "Base URL",
    mayShow: (pasted) =>
      /^https?:\/\/\S+$/i.test(pasted) || /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/\S*)?$/.test(pasted),
  },
  account: {
    message: "Account (a GUID, or none)",
    mayShow: (pasted) => isGuid(pasted) || pasted === "none",
  },
  key: { message: "API key (not shown)", isHidden: true },
  webUrl: {
    message: "Page of an incident in the web application, with {id} (empty: no links)",
    mayShow: (pasted) => /^https?:\/\/\S+$/i.test(pasted),
  },
} as const satisfies Record<string, LoginQuestion>;

export async function askWebUrl(
  context: AskContext,
  known: Setting<string> | undefined,
): Promise<Setting<string> | undefined> {
  const answer = await askValid(context, questions.webUrl, known, (given) => {
    if (given.value !== "") checkWebUrl(given);
  });
  return answer.value === "" ? undefined : answer;
}

/** Asks until the settings are valid and `check` accepts them. Throws a `Failure` when the person cancels. */
export async function askUntilAccepted(
  context: AskContext,
  known: KnownSettings,
  check: (settings: ServiceSettings) => Promise<void>,
): Promise<ServiceSettings> {
  const { env } = context.system;
  let baseUrl: Setting<string> | undefined;
  let account = known.flagAccount;
  let key: Setting<string> | undefined;
  const none = { value: "none", origin: "default" };
  for (;;) {
    baseUrl ??= await askValid(context, questions.baseUrl, known.baseUrl, (answer) => {
      checkEndpoint({ baseUrl: answer, account: none, accountHeader: undefined }, env);
    });
    const service = { baseUrl, accountHeader: known.accountHeader(baseUrl) };
    account ??= await askValid(context, questions.account, known.account, (answer) => {
      checkEndpoint({ ...service, account: answer }, env);
    });
    key ??= await askValid(context, questions.key, undefined, checkApiKey);
    const settings = {
      ...checkEndpoint({ ...service, account }, env),
      apiKey: checkApiKey(key),
    };
    try {
      await context.prompts.withoutEcho(() => check(settings));
      return settings;
    } catch (error) {
      if (!(error instanceof Failure) || context.system.signal.aborted) throw error;
      context.warn(`${error.message}; ${error.hint}`);
      const status = error.details.response?.status;
      if (status === 401) key = undefined;
      else if (status === 403) account = key = undefined;
      else baseUrl = undefined;
    }
  }
}

/** Asks until `check` throws no `Failure`. Enter alone takes the fallback. */
async function askValid(
  { prompts, system }: AskContext,
  question: LoginQuestion,
  fallback: Setting<string> | undefined,
  check: (answer: Setting<string>) => void,
): Promise<Setting<string>> {
  const settingOf = (typed: string) =>
    typed.trim() === "" && fallback !== undefined ? fallback : { value: typed.trim(), origin: "your answer" };
  const typed = await prompts.text({
    ...question,
    fallback: fallback?.value,
    check: (answer) => {
      const failure = catchFailure(() => check(settingOf(answer)));
      return failure && `${failure.message}; ${failure.hint}`;
    },
  });
  if (typed === undefined) throw cancellation(system.signal, "nothing was stored");
  return settingOf(typed);
}
