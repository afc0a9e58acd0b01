// The checks of `incident doctor` along the way to the service: settings, key, proxy, name, connection,
// certificate, answer, clock and contract. What comes after something that is wrong is skipped, and says so.
import { checkAccess } from "../../api/access.ts";
import { requestHeaders } from "../../api/client.ts";
import { createServiceClient, defaultTimeout } from "../../api/connect.ts";
import { outcomeFailure } from "../../api/errors.ts";
import { settingsSources } from "../../api/settings-files.ts";
import { compareContract } from "../../contract/check-contract.ts";
import { parseLenientJson } from "../../contract/lenient-json.ts";
import { cancellation } from "../../failure.ts";
import { createRawTransport } from "../../http/create-transport.ts";
import { chooseProxy, type ProxyAddress } from "../../http/proxy.ts";
import type { Answered, Outcome, Unsent } from "../../http/transport.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { readKey } from "../../settings/credentials.ts";
import { applyPrecedence } from "../../settings/precedence.ts";
import { checkServiceTarget, type ServiceSettings, type ServiceTarget } from "../../settings/resolve.ts";
import type { GlobalFlags } from "../define-command.ts";
import { attempt, type Finding, fine, note, skipped, wrong } from "./finding.ts";

/** Further off than this, a clock is wrong rather than imprecise: an answer's Date has whole seconds. */
const tolerance = 60_000;

export async function checkService(context: Context & Reporter, global: GlobalFlags): Promise<Finding[]> {
  const target = await attempt("settings", () => readTarget(context, global));
  if (!target.ok) {
    return [target.finding, skipped("service", "not tried, as the settings do not say which it is")];
  }
  const { key, ...service } = target.value;
  const { baseUrl, account } = service;
  const findings = [
    fine("settings", `${baseUrl.value} (${baseUrl.origin}), account ${account.value ?? "none"}`),
  ];
  const apiKey = await attempt("key", () => readKey(context, key));
  if (!apiKey.ok) findings.push(apiKey.finding);
  const proxy = await attempt("proxy", () => chooseProxy(new URL(baseUrl.value), context.env));
  const behind = ["clock", ...(apiKey.ok ? ["key"] : []), "contract"];
  if (!proxy.ok) return [...findings, proxy.finding, ...unreached([...steps, ...behind])];
  findings.push(fine("proxy", proxy.value === undefined ? "none is used" : `${proxy.value.shown} is used`));

  const settings = { ...service, apiKey: apiKey.ok ? apiKey.value : { value: "", origin: key.origin } };
  const outcome = await readContract(context, global, settings);
  findings.push(...checkWay(context, settings, outcome, proxy.value));
  if (outcome.phase !== "answered") return [...findings, ...unreached(behind)];
  findings.push(...checkClock(context, outcome));
  if (apiKey.ok) {
    const access = await attempt("key", () => checkAccess(createServiceClient(context, settings, global)));
    findings.push(
      access.ok ? fine("key", `the service knows the key from ${apiKey.value.origin}`) : access.finding,
    );
  }
  return [...findings, ...checkContract(outcome, settings)];
}

async function readTarget(context: Context, global: GlobalFlags): Promise<ServiceTarget> {
  const sources = settingsSources(context, global);
  return checkServiceTarget(await applyPrecedence(sources), sources);
}

/** Without a key, the document is read without one: the way to the service is checked all the same. */
function readContract(
  context: Context & Reporter,
  { timeout = defaultTimeout }: GlobalFlags,
  settings: ServiceSettings,
): Promise<Outcome> {
  const { network, system } = context;
  const key = settings.apiKey.value;
  const transport = createRawTransport({ network, system, reporter: context }, key === "" ? [] : [key]);
  const url = `${settings.baseUrl.value}/openapi.json`;
  const headers = key === "" ? { accept: "application/json" } : requestHeaders(settings);
  return transport({ method: "GET", url, headers }, { deadline: timeout, signal: context.signal });
}

const steps = ["name resolution", "connection", "TLS", "answer"] as const;

/** The step at which a request that was not sent came to its end. */
const brokenStep = {
  unresolved: "name resolution",
  refused: "connection",
  timeout: "connection",
  connection: "connection",
  proxy: "connection",
  "proxy-login": "connection",
  certificate: "TLS",
  cancelled: "connection",
} as const satisfies Record<Unsent["reason"], (typeof steps)[number]>;

function checkWay(
  context: Context,
  settings: ServiceSettings,
  outcome: Outcome,
  proxy: ProxyAddress | undefined,
): Finding[] {
  const url = new URL(settings.baseUrl.value);
  if (outcome.phase !== "answered" && outcome.reason === "cancelled") {
    throw cancellation(context.signal, "run it again");
  }
  const results = {
    "name resolution": proxy === undefined ? `${url.hostname} is known` : "left to the proxy",
    connection: `${url.host} takes connections`,
    TLS:
      url.protocol === "https:" ? "the certificate is trusted" : "not used: the service is on this machine",
    answer: outcome.phase === "answered" ? `the service answers (${outcome.status} for openapi.json)` : "",
  } as const satisfies Record<(typeof steps)[number], string>;
  if (outcome.phase === "answered") return steps.map((step) => fine(step, results[step]));
  const broken = outcome.phase === "unsent" ? brokenStep[outcome.reason] : "answer";
  const failure = outcomeFailure(outcome, { operation: "get", id: undefined, settings });
  return steps.map((step) => {
    if (step === broken) return wrong(step, failure);
    return steps.indexOf(step) < steps.indexOf(broken)
      ? fine(step, results[step])
      : skipped(step, "not reached");
  });
}

function unreached(checks: readonly string[]): Finding[] {
  return checks.map((check) => skipped(check, "not reached"));
}

function checkClock({ clock }: Context, { headers }: Answered): Finding[] {
  const theirs = Date.parse(headers.date ?? "");
  if (Number.isNaN(theirs)) return [skipped("clock", "the service does not say what time it is")];
  const difference = Math.round((clock.now() - theirs) / 1000);
  const message = `${Math.abs(difference)} s ${difference < 0 ? "behind" : "ahead of"} the service's`;
  if (difference === 0) return [fine("clock", "it agrees with the service's")];
  if (Math.abs(difference) * 1000 <= tolerance) return [fine("clock", `it is ${message}`)];
  return [
    wrong("clock", {
      kind: "usage",
      message: `this machine's clock is ${message}`,
      hint: "set it, or have it set over the network",
      diagnostics: [],
    }),
  ];
}

function checkContract(answer: Answered, { accountHeader, baseUrl }: ServiceSettings): Finding[] {
  const document = answer.status === 200 ? parseLenientJson(answer.body) : undefined;
  const differences = compareContract(document, accountHeader);
  if (differences === undefined) {
    const what = answer.status === 200 ? "is no OpenAPI document" : `was answered with ${answer.status}`;
    const message = `${baseUrl.value}/openapi.json ${what}, so nothing was compared`;
    return [note("contract", message, "if the key works, creates and reads do as well")];
  }
  if (differences.length === 0)
    return [fine("contract", "openapi.json says what incident takes for granted")];
  return differences.map(({ message, matters, hint }) =>
    matters
      ? wrong("contract", { kind: "rejected", message, hint, diagnostics: [] })
      : note("contract", `${message} (does not matter for what incident does)`, hint),
  );
}
