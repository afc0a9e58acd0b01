// The checks of `incident doctor` that need the service: settings, key, proxy, connection, clock and
// contract. After a failed one the later ones are skipped.
import { checkAccess } from "../../api/access.ts";
import { defaultTimeout } from "../../api/connect.ts";
import { outcomeFailure } from "../../api/errors.ts";
import { requestHeaders } from "../../api/request.ts";
import { contractBounds } from "../../document/contract-error.ts";
import { cancellation } from "../../failure.ts";
import { createRawTransport } from "../../http/create-transport.ts";
import { chooseProxy } from "../../http/proxy.ts";
import type { Answered, Outcome } from "../../http/transport.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Context, Reporter, System } from "../../platform/context.ts";
import { readKey } from "../../workspace/credentials.ts";
import type { ServiceSettings, ServiceTarget } from "../../workspace/resolve.ts";
import { environmentVariables } from "../../workspace/settings.ts";
import { checkWebUrl } from "../../workspace/web-url.ts";
import { attempt, type Finding, failed, note, ok, skipped, wrong } from "./finding.ts";

/** The largest accepted difference of the clocks, in milliseconds. The Date of an answer has whole seconds. */
const clockTolerance = 60_000;

export async function checkService(context: RunContext, global: GlobalFlags): Promise<Finding[]> {
  const target = await attempt("settings", () => context.workspace.targetWithoutContract());
  if (!target.ok) {
    return [target.finding, skipped("service", "not checked: the settings are incomplete")];
  }
  const { key, ...service } = target.value;
  const { baseUrl, account } = service;
  const findings = [
    ok("settings", `${baseUrl.value} (${baseUrl.origin}), account ${account.value ?? "none"}`),
    await checkLink(service),
  ];
  const apiKey = await attempt("key", () => readKey(context, key));
  if (!apiKey.ok) findings.push(apiKey.finding);
  const proxy = await attempt("proxy", () => chooseProxy(new URL(baseUrl.value), context.system.env));
  const laterChecks = ["clock", ...(apiKey.ok ? ["key"] : []), "contract"];
  if (!proxy.ok) return [...findings, proxy.finding, ...unreached(["connection", ...laterChecks])];
  findings.push(ok("proxy", proxy.value === undefined ? "none is used" : `${proxy.value.shown} is used`));

  const settings = { ...service, apiKey: apiKey.ok ? apiKey.value : { value: "", origin: key.origin } };
  const outcome = await readContract(context, global, settings);
  if (outcome.phase !== "answered") {
    if (outcome.reason === "cancelled") throw cancellation(context.system.signal, "run it again");
    const failure = outcomeFailure(outcome, { operation: "get", id: undefined, settings });
    return [...findings, failed("connection", failure), ...unreached(laterChecks)];
  }
  findings.push(ok("connection", `the service answers (${outcome.status} for openapi.json)`));
  findings.push(checkClock(context.system, outcome));
  if (apiKey.ok) {
    const access = await attempt("key", () => checkAccess(context, settings, global));
    findings.push(
      access.ok
        ? ok("key", `the service accepts the key from ${apiKey.value.origin}, and refuses a made-up one`)
        : access.finding,
    );
  }
  const { checkContract } = await import("./check-contract.ts");
  return [...findings, ...(await checkContract(context, settings, outcome))];
}

async function checkLink({ webUrl }: Pick<ServiceTarget, "webUrl">): Promise<Finding> {
  if (webUrl === undefined) {
    const hint = `set webUrl in the profile, or ${environmentVariables.webUrl}, for a link to each incident`;
    return note("web application", "its address is not known", hint);
  }
  const checked = await attempt("web application", () => checkWebUrl(webUrl));
  return checked.ok ? ok("web application", webUrl.value) : checked.finding;
}

/** Reads openapi.json, without authorization where the key is missing, so that the connection is checked anyway. */
function readContract(
  context: Context & Reporter,
  { timeout = defaultTimeout }: GlobalFlags,
  settings: ServiceSettings,
): Promise<Outcome> {
  const key = settings.apiKey.value;
  const transport = createRawTransport(context, key === "" ? [] : [key]);
  const url = `${settings.baseUrl.value}/openapi.json`;
  const accept = "application/json, */*;q=0.5";
  const headers = { ...(key !== "" && requestHeaders(settings)), accept };
  return transport(
    { method: "GET", url, headers },
    { deadline: timeout, signal: context.system.signal, bodyLimit: contractBounds.documentSize },
  );
}

function unreached(checks: readonly string[]): Finding[] {
  return checks.map((check) => skipped(check, "not reached"));
}

function checkClock({ clock }: Pick<System, "clock">, { headers }: Answered): Finding {
  const serviceTime = Date.parse(headers.date ?? "");
  if (Number.isNaN(serviceTime)) return skipped("clock", "the service's answer has no date");
  const difference = Math.round((clock.now() - serviceTime) / 1000);
  const message = `${Math.abs(difference)} s ${difference < 0 ? "behind" : "ahead of"} the service's`;
  if (difference === 0) return ok("clock", "it agrees with the clock of the service");
  if (Math.abs(difference) * 1000 <= clockTolerance) return ok("clock", `it is ${message}`);
  const hint = "set it, or synchronize it over the network";
  return wrong("clock", "usage", `this machine's clock is ${message}`, hint);
}
