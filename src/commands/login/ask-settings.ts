// The questions of `incident login`. A wrong answer is explained and asked for again, in place.
import { cancellation, Failure } from "../../failure.ts";
import type { Prompts, Reporter, System } from "../../platform/context.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { isGuid } from "../../rules/forms.ts";
import { escapeLine } from "../../view/terminal/escape.ts";
import { checkApiKey } from "../../workspace/credentials.ts";
import { checkEndpoint, refuseVersionSegment, type ServiceSettings } from "../../workspace/resolve.ts";
import type { Setting } from "../../workspace/setting.ts";
import { checkWebUrl } from "../../workspace/web-url.ts";

export interface AskContext extends Pick<Reporter, "warn"> {
  readonly prompts: Pick<Prompts, "ask" | "withoutEcho">;
  readonly system: Pick<System, "env" | "signal">;
}

/** The settings that need no question, and the values that Enter alone takes. */
export interface KnownSettings {
  readonly baseUrl: Setting<string> | undefined;
  readonly account: Setting<string> | undefined;
  /** The account of --account, which is not asked for. */
  readonly flagAccount: Setting<string> | undefined;
  readonly accountHeader: (baseUrl: Setting<string>) => Setting<string> | undefined;
}

interface LoginQuestion {
  readonly text: string;
  readonly hidden?: boolean;
  /** A person may paste the key at the wrong question: only text in the form of the answer is echoed. */
  readonly show?: (pasted: string) => boolean;
}

const questions = {
  baseUrl: {
    text: "Base URL",
    show: (pasted) =>
      /^https?:\/\/\S+$/i.test(pasted) || /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/\S*)?$/.test(pasted),
  },
  account: {
    text: "Account (a GUID, or none)",
    show: (pasted) => isGuid(pasted) || pasted === "none",
  },
  key: { text: "API key (not shown)", hidden: true },
  webUrl: {
    text: "Page of an incident in the web application, with {id} (empty: no links)",
    show: (pasted) => /^https?:\/\/\S+$/i.test(pasted),
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
      refuseVersionSegment(checkEndpoint({ baseUrl: answer, account: none, accountHeader: undefined }, env));
    });
    const service = { baseUrl, accountHeader: known.accountHeader(baseUrl) };
    account ??= await askValid(context, questions.account, known.account, (answer) => {
      checkEndpoint({ ...service, account: answer }, env);
    });
    key ??= await askValid(context, questions.key, undefined, checkApiKey);
    const settings = {
      ...checkEndpoint({ ...service, account }, env),
      clientIds: undefined,
      apiKey: checkApiKey(key),
    };
    try {
      await context.prompts.withoutEcho(() => check(settings));
      return settings;
    } catch (error) {
      if (!(error instanceof Failure) || context.system.signal.aborted) throw error;
      context.warn(`${error.message}; ${error.hint}`);
      const status = error.response?.status;
      if (status === 401) key = undefined;
      else if (status === 403) account = key = undefined;
      else baseUrl = undefined;
    }
  }
}

/** Asks until `check` throws no `Failure`. Enter alone takes the fallback. */
async function askValid(
  context: AskContext,
  { text: question, ...options }: LoginQuestion,
  fallback: Setting<string> | undefined,
  check: (answer: Setting<string>) => void,
): Promise<Setting<string>> {
  const shown = fallback === undefined ? "" : ` [${fallback.value}]`;
  for (;;) {
    const text = await context.prompts.ask(safe`${escapeLine(question + shown)}: `, options);
    if (text === undefined) throw cancelled(context.system.signal);
    const isFallback = text.trim() === "" && fallback !== undefined;
    const answer = isFallback ? fallback : { value: text.trim(), origin: "your answer" };
    try {
      check(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      context.warn(`${error.message}; ${error.hint}`);
    }
  }
}

/** Ctrl-C and Ctrl-D end a question alike. */
function cancelled(signal: AbortSignal): Failure {
  const hint = "nothing was stored";
  return signal.aborted ? cancellation(signal, hint) : new Failure("interrupted", "cancelled", { hint });
}
