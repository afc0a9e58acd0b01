// Turns the outcome of a request into a Failure: the problem, whether the service itself reported it, and the next action.
import {
  type AnswerExcerpt,
  atTimeLimit,
  cancellation,
  expiredLimit,
  Failure,
  type FailureKind,
  type TimeLimit,
} from "../failure.ts";
import { meaningOfStatus } from "../http/meaning-of-status.ts";
import { isRepeatable } from "../http/retry.ts";
import type { Answered, Outcome, Unanswered, Unsent } from "../http/transport.ts";
import { cutText } from "../text/lengths.ts";
import { isMapping } from "../untrusted-data.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { accountHeaderPlaces } from "../workspace/settings.ts";
import { excerptOf, isOfService, longestMessage, readJson, refusalText } from "./answer.ts";

/** For an outcome that is no success, or a success whose body is unusable. */
export function outcomeFailure(outcome: Outcome, facts: RequestFacts): Failure {
  switch (outcome.phase) {
    case "unsent":
      return unsentFailure(outcome, facts);
    case "unanswered":
      return unansweredFailure(outcome, facts);
    case "answered":
      return atTimeLimit(answeredFailure(outcome, facts), facts.signal);
  }
}

function unsentFailure(outcome: Unsent, facts: RequestFacts): Failure {
  const { baseUrl } = facts.settings;
  const host = new URL(baseUrl.value).host;
  const { nothing } = wordsOf(facts);
  const limit = expiredLimit(facts.signal);
  if (outcome.reason === "cancelled") {
    if (limit === undefined) return cancellation(facts.signal, `${nothing}nothing was sent`);
    return lateFailure(`a request was not sent to ${host} ${limit.text}`, limit, nothing);
  }
  const hints = {
    unresolved: `check the host name in the base URL from ${baseUrl.origin}, and this machine's DNS; behind a proxy, set HTTPS_PROXY`,
    timeout: longerHint(facts),
    connection: `run it again, or check that the base URL from ${baseUrl.origin} is right`,
    proxy: "run it again, or check HTTPS_PROXY, ALL_PROXY and NO_PROXY; http and https are supported",
    tls: `correct the base URL from ${baseUrl.origin} (its port, or http: on this machine), or put the issuer's certificate into a file named by NODE_EXTRA_CA_CERTS`,
    "proxy-login": proxyLoginHint,
  } as const satisfies Record<Exclude<Unsent["reason"], "cancelled">, string>;
  const within = limit === undefined ? "" : ` ${limit.text}`;
  const longer = limit === undefined ? "" : `, or give it longer with ${limit.flag}`;
  const hint = nothing + hints[outcome.reason] + longer;
  const kind = isRepeatable("GET", outcome) ? "unavailable" : "usage";
  return new Failure(kind, `${host} could not be reached${within}: ${outcome.detail}`, {
    hint,
    unreachable: true,
  });
}

function unansweredFailure(outcome: Unanswered, facts: RequestFacts): Failure {
  const { host } = new URL(facts.settings.baseUrl.value);
  const limit = outcome.reason === "cancelled" ? expiredLimit(facts.signal) : undefined;
  const late = `${host} did not answer ${limit?.text}`;
  const isLate = outcome.reason === "timeout";
  const flag = isLate && facts.operation !== "document" ? " (--timeout)" : "";
  const problem = `${host} did not answer: ${outcome.detail}${flag}`;
  if (isWrite(facts)) return unclearWriteFailure(limit ? late : problem);
  if (limit !== undefined) return lateFailure(late, limit);
  if (outcome.reason === "cancelled") return cancellation(facts.signal, "run it again");
  return new Failure("unavailable", problem, { hint: isLate ? longerHint(facts) : "run it again" });
}

/** Only a pull waits for a document as long as --timeout says. */
function longerHint({ operation }: RequestFacts): string {
  if (operation !== "document") return "run it again, or give it longer with --timeout";
  return "run it again, or save it once: incident contract pull --timeout 2m";
}

/** A time limit of the command ended a request that was not answered. */
function lateFailure(message: string, { flag }: TimeLimit, nothing = ""): Failure {
  return new Failure("unavailable", message, {
    hint: `${nothing}run it again, or give it longer with ${flag}`,
  });
}

type Words = readonly [kind: FailureKind, message: string, hint: string];

interface Refusal {
  readonly answer: Answered;
  readonly facts: RequestFacts;
  /** Whether the service itself answers. A proxy or gateway can answer with the same status. */
  readonly isOwn: boolean;
  /** The words of the answer, after the status. */
  readonly said: string;
  /** As `said`; of an answer that is not in the form of the service, also that a proxy may stand in between. */
  readonly remark: string;
}

function afterStatus(words: string | undefined): string {
  return words === undefined ? "" : `: ${words}`;
}

/** Gateways answer a JSON with a message as well: only the error body of the spec says that an incident is not there. */
const notAsService = ", but not as the service does";

function answeredFailure(answer: Answered, facts: RequestFacts): Failure {
  const { status } = answer;
  const body = excerptOf(answer);
  const response = { status, ...(body !== undefined && { body }) };
  const isOwn = isOfService(answer);
  // The page of a proxy says little on one line.
  const { value } = readJson(answer);
  const said = isMapping(value) ? afterStatus(refusalText(value, isOwn ? longestMessage : undefined)) : "";
  const problem = problemOf(answer, facts);
  if (isWrite(facts) && meaningOfStatus(status) === "unclear")
    return unclearWriteFailure(problem ?? `the service answered ${status}${said}`, response);
  const remark = isOwn
    ? said
    : `${notAsService}${said === "" ? ":" : `${said};`} a proxy or gateway may stand in between`;
  const refusal = { answer, facts, isOwn, said, remark };
  const [kind, message, hint]: Words =
    problem === undefined
      ? (byStatus[status]?.(refusal) ?? otherRefusal(refusal))
      : [isWrite(facts) ? "rejected" : "unavailable", problem, retryHint(facts)];
  return new Failure(kind, message, { hint, response });
}

/** The answer may be temporary: a maintenance page, or a gateway without its service. */
function retryHint({ settings: { baseUrl } }: RequestFacts): string {
  return `run it again; if it stays, check the base URL from ${baseUrl.origin}: ${baseUrl.value}`;
}

/** Of an answer that is neither a refusal nor an error. */
function problemOf({ headers: { location }, status }: Answered, facts: RequestFacts): string | undefined {
  if (status < 300) return `the answer ${facts.problem ?? `has the unexpected status ${status}`}`;
  if (status >= 400) return undefined;
  const to = location ? ` to ${cutText(location, longestMessage)}` : "";
  return `the service answered with a redirect${to}, which is not followed`;
}

const byStatus: Readonly<Record<number, (refusal: Refusal) => Words>> = {
  401: ({ facts, remark }) => [
    "credentials",
    `the key was refused (401${remark})`,
    checkKeyHint(facts.settings),
  ],
  403: ({ facts: { settings }, isOwn, remark }) => {
    const { account, accountHeader, apiKey, baseUrl } = settings;
    const hint =
      account.value === undefined
        ? "set the account; it is left out now"
        : `check the account from ${account.origin}, its header ${accountHeader.value} (${accountHeaderPlaces}), and the permissions of the key from ${apiKey.origin}`;
    if (isOwn) return ["credentials", `the key has no permission for this (403${remark})`, hint];
    const message = `${new URL(baseUrl.value).host} answered 403${remark}`;
    return [
      "rejected",
      message,
      `${hint}; or permit this machine and this program (incident-cli) at the proxy, gateway or firewall in front of the service`,
    ];
  },
  404: ({ facts, isOwn, said }) => {
    if (isOwn) return notFound(facts, `(404${said})`);
    const message = `${facts.settings.baseUrl.value} answered 404${notAsService}${said}`;
    const { nothing, part } = wordsOf(facts);
    const check = `check the id and the account; ${suspectUrl(facts.settings)}; if they are right, run it again`;
    return ["unavailable", message, nothing + (said === "" || part ? retryHint(facts) : check)];
  },
  407: () => ["rejected", "a proxy on the way asks for a login (407)", proxyLoginHint],
  429: ({ answer, facts, remark }) => {
    const { "retry-after": after } = answer.headers;
    const when = after === undefined ? "" : ` (Retry-After: ${cutText(after, longestMessage)})`;
    return [
      "unavailable",
      `too many requests (429${remark})`,
      `${wordsOf(facts).nothing}run it again later${when}`,
    ];
  },
};

function otherRefusal(refusal: Refusal): Words {
  const { answer, facts } = refusal;
  const { status } = answer;
  if (status >= 500 || status === 408)
    return ["unavailable", `the service failed (${status}${refusal.said})`, "run it again"];
  const said = refusal.said || afterStatus(refusalText(excerptOf(answer)));
  const message = `the service refused the request (${status}${said})`;
  const ofHeader = /account|header/i.test(said)
    ? `; check the account and the name of its header (${accountHeaderPlaces})`
    : "";
  // Nothing in a read can be corrected, and a 409 is about the moment, but for the id of a create.
  if ((!isWrite(facts) && status === 400) || (facts.operation !== "create" && status === 409))
    return ["unavailable", message, `${wordsOf(facts).nothing}run it again${ofHeader}`];
  if (status === 409) return ["rejected", message, lateHint];
  const rules = "; incident contract pull saves the service's rules, so that validate can find such errors";
  const hint = `correct the part that it names, then run it again${ofHeader}`;
  return ["rejected", message, facts.operation === "create" ? `${hint}${rules}` : hint];
}

const lateHint =
  "an incident with its id may not be shown yet: run it again in a few minutes, or use another id or --key";

const proxyLoginHint =
  "put the login into HTTPS_PROXY or ALL_PROXY, as in http://user:password@proxy.example:3128";

/** Whether no setting and no document names the header of the account, so that the service may expect another. */
export function isUnnamed({ account, accountHeader }: RequestFacts["settings"]): boolean {
  return accountHeader.origin === "default" && account.value !== undefined;
}

/** A service that expects another header for the account may refuse every key. */
function checkKeyHint(settings: RequestFacts["settings"]): string {
  const check = `check the key from ${settings.apiKey.origin}`;
  return isUnnamed(settings)
    ? `${check}; or the service names its account header otherwise than ${settings.accountHeader.value}, which nothing names here: set ${accountHeaderPlaces}`
    : check;
}

/** A write was sent, and its effect is unknown. Delivery adds which one and when, and the next action. */
function unclearWriteFailure(why: string, response?: AnswerExcerpt): Failure {
  return new Failure("uncertain", why, { hint: "look for it at the status page", response });
}

/** `nothing`: the words for a write that changed nothing. `part`: the part of a service that a read asks for. */
const operations = {
  get: { nothing: "", part: undefined },
  create: { nothing: "nothing was created; ", part: undefined },
  update: { nothing: "nothing was posted; ", part: undefined },
  edit: { nothing: "nothing was changed; ", part: undefined },
  document: { nothing: "", part: "document here" },
  list: { nothing: "", part: "list of its incidents" },
  services: { nothing: "", part: "list of its services" },
} as const;

export interface RequestFacts {
  readonly operation: keyof typeof operations;
  readonly id: string | undefined;
  readonly settings: ServiceSettings;
  readonly signal?: AbortSignal | undefined;
  /** Why a successful answer is unusable; completes "the answer …". */
  readonly problem?: string | undefined;
}

const wordsOf = ({ operation }: RequestFacts) => operations[operation];
const isWrite = (facts: RequestFacts) => wordsOf(facts).nothing !== "";

/** An id from an answer or a journal can be any text: `..` in a path reads another path. */
export function foreignIdFailure(id: string): Failure {
  const shown = JSON.stringify(cutText(id, longestMessage));
  const message = `an incident has the id ${shown}, which is not a GUID and cannot be part of an address`;
  return new Failure("rejected", message, {
    hint: "look for the incident on the status page; the service, or an entry of the journal, gave this id",
  });
}

/** Some services answer a wrong path in the same way. */
function suspectUrl({ baseUrl }: RequestFacts["settings"]): string {
  return `incident doctor checks the base URL from ${baseUrl.origin} (${baseUrl.value})`;
}

/** The service itself answered 404. `answered` is its words. The incident of an update or an edit was read right before it. */
function notFound(facts: RequestFacts, answered: string): Words {
  const { id, operation, settings } = facts;
  const { part } = wordsOf(facts);
  const check = `check the ${operation === "create" ? "services' ids" : "id"} and the account; ${suspectUrl(settings)}`;
  if (isWrite(facts)) return ["rejected", `the service refused the ${operation} ${answered}`, check];
  if (part !== undefined) return ["rejected", `the service has no ${part} ${answered}`, suspectUrl(settings)];
  return ["missing", `there is no incident ${id} ${answered}`, check];
}
