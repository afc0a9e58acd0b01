// Turns how a request ended into a Failure: what happened, whether the service itself said so, and what to do.
import { cancellation, Failure, type FailureKind } from "../failure.ts";
import type { Answered, Outcome, Unanswered, Unsent } from "../http/transport.ts";
import type { ServiceSettings } from "../settings/resolve.ts";
import { excerptOf, readErrorBody } from "./answer.ts";

export interface About {
  readonly operation: "get" | "create";
  /** The incident's id, as it was asked for or sent. */
  readonly id: string | undefined;
  readonly settings: ServiceSettings;
  readonly signal?: AbortSignal | undefined;
  /** Why a successful answer could not be used; completes "the answer …". */
  readonly problem?: string | undefined;
}

/** The failure that an outcome stands for. An outcome that was a success is one whose body is of no use. */
export function outcomeFailure(outcome: Outcome, about: About): Failure {
  switch (outcome.phase) {
    case "unsent":
      return unsentFailure(outcome, about);
    case "unanswered":
      return unansweredFailure(outcome, about);
    case "answered":
      return answeredFailure(outcome, about);
  }
}

/** Whether the service itself says that there is no such incident (spec 7); something in between may say 404 as well. */
export function isMissing(outcome: Outcome): boolean {
  return outcome.phase === "answered" && outcome.status === 404 && readErrorBody(outcome) !== undefined;
}

const unsentKinds = {
  refused: "unavailable",
  unresolved: "unavailable",
  timeout: "unavailable",
  connection: "unavailable",
  proxy: "unavailable",
  certificate: "usage",
  "proxy-login": "usage",
  cancelled: "interrupted",
} as const satisfies Record<Unsent["reason"], FailureKind>;

function unsentFailure(outcome: Unsent, about: About): Failure {
  const { baseUrl } = about.settings;
  const host = new URL(baseUrl.value).host;
  const nothing = about.operation === "create" ? "nothing was created; " : "";
  if (outcome.reason === "cancelled") return cancellation(about.signal, `${nothing}nothing was sent`);
  const hints = {
    refused: `run it again, or check that the base URL from ${baseUrl.origin} is right`,
    unresolved: `check the host name in the base URL from ${baseUrl.origin}, and this machine's DNS`,
    timeout: "run it again, or give it longer with --timeout",
    connection: `run it again, or check that the base URL from ${baseUrl.origin} is right`,
    proxy: "run it again, or check HTTPS_PROXY and NO_PROXY",
    certificate:
      "put the issuer's certificate into a file named by NODE_EXTRA_CA_CERTS, or correct the base URL",
    "proxy-login": "put the login into HTTPS_PROXY, as in http://user:password@proxy.example:3128",
  } as const satisfies Record<Exclude<Unsent["reason"], "cancelled">, string>;
  const kind = unsentKinds[outcome.reason];
  return new Failure(kind, `${host} could not be reached: ${outcome.detail}`, {
    hint: nothing + hints[outcome.reason],
    retryable: kind === "unavailable",
  });
}

function unansweredFailure(outcome: Unanswered, about: About): Failure {
  const { host } = new URL(about.settings.baseUrl.value);
  if (about.operation === "create")
    return uncertainFailure(`${host} did not answer: ${outcome.detail}`, about);
  if (outcome.reason === "cancelled") return cancellation(about.signal, "run it again");
  return new Failure("unavailable", `${host} did not answer: ${outcome.detail}`, {
    hint: "run it again, or give it longer with --timeout",
    retryable: true,
  });
}

function answeredFailure(answer: Answered, about: About): Failure {
  const { status } = answer;
  const create = about.operation === "create";
  const body = excerptOf(answer);
  const response = body === undefined ? { status } : { status, body };
  const service = readErrorBody(answer);
  const said = service === undefined ? "" : `: ${service.message ?? service.error}`;
  const fail = (kind: FailureKind, message: string, hint: string, retryable = false) =>
    new Failure(kind, message, { hint, retryable, response });
  const { baseUrl, apiKey, account } = about.settings;
  const elsewhere = `check the base URL from ${baseUrl.origin}: ${baseUrl.value}`;

  if (create && (status < 300 || status >= 500 || status === 408 || status === 499)) {
    const why =
      status < 300
        ? `the answer ${about.problem ?? "is not a plain success"}`
        : `it answered ${status}${said}`;
    return uncertainFailure(why, about, response);
  }
  if (status < 300) {
    const hint = answer.bodyError === undefined ? elsewhere : "run it again";
    return fail(
      answer.bodyError === undefined ? "usage" : "unavailable",
      `the answer ${about.problem}`,
      hint,
    );
  }
  if (status < 400) {
    const to = answer.headers.location;
    return fail(
      "rejected",
      `the service answered with a redirect${to ? ` to ${to}` : ""}, which is not followed`,
      elsewhere,
    );
  }
  // Something in between answers with these too; only the service's own error body is believed (spec 7).
  if (service === undefined && status === 404) {
    return fail("usage", `${baseUrl.value} answered 404, but not as the service does`, elsewhere);
  }
  const other =
    service === undefined ? ", but not as the service does: a proxy or gateway may stand in between" : said;
  switch (status) {
    case 401:
      return fail("credentials", `the key was refused (401${other})`, `check the key from ${apiKey.origin}`);
    case 403:
      return fail(
        "credentials",
        `the key may not do this (403${other})`,
        account.value === undefined
          ? "set the account; it is left out now"
          : `check the account from ${account.origin}, and what the key from ${apiKey.origin} may do`,
      );
    case 404:
      return create
        ? fail(
            "rejected",
            `the service refused the create (404${said})`,
            "check the services' ids and the account",
          )
        : fail("missing", `there is no incident ${about.id} (404${said})`, "check the id and the account");
    case 429: {
      const nothing = create ? "nothing was created; " : "";
      const hint = `${nothing}run it again ${whenToReturn(answer.headers["retry-after"])}`;
      return fail("unavailable", `too many requests (429${other})`, hint, true);
    }
  }
  if (status >= 500 || status === 408) {
    return fail("unavailable", `the service failed (${status}${said})`, "run it again", true);
  }
  return fail(
    "rejected",
    `the service refused the request (${status}${said})`,
    "correct what it names, then run it again",
  );
}

/** A create was sent, and whether it took effect is not known; delivery says which, and when. */
function uncertainFailure(why: string, about: About, response?: Failure["response"]): Failure {
  return new Failure("uncertain", why, {
    hint: `look before you run it again: incident get ${about.id}`,
    ...(response === undefined ? {} : { response }),
  });
}

/** What a Retry-After asks for, as a person says it. */
function whenToReturn(retryAfter: string | undefined): string {
  if (retryAfter === undefined) return "later";
  return /^\d+$/.test(retryAfter) ? `in ${retryAfter} s, as it asks` : `after ${retryAfter}, as it asks`;
}
