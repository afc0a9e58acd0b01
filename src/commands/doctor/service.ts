// The checks of `incident doctor` that need the service: settings, key, proxy, connection, clock and its document.
import { checkAccess } from "../../api/access.ts";
import { foreignRefusalHint, readErrorBody } from "../../api/answer.ts";
import { defaultTimeout } from "../../api/connect.ts";
import { outcomeFailure } from "../../api/errors.ts";
import { parseDocument, requestDocument } from "../../api/fetch-document.ts";
import { keepOperations } from "../../api/known-operations.ts";
import { ContractError, contractBounds } from "../../document/contract-error.ts";
import { contractOf } from "../../document/contract-of.ts";
import { createProblem } from "../../document/find-operations.ts";
import { describeOperations, tellOperations } from "../../document/operations.ts";
import { missingRules } from "../../document/standing.ts";
import { cancellation } from "../../failure.ts";
import { chooseProxy } from "../../http/proxy.ts";
import type { Answered } from "../../http/transport.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { readKey } from "../../workspace/credentials.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { accountHeaderPlaces, environmentVariables } from "../../workspace/settings.ts";
import { checkWebUrl } from "../../workspace/web-url.ts";
import { type Check, type Facts, type Finding, failed, note, ok, skipped, wrong } from "./finding.ts";

/** The facts that a check needs are there. */
type Known = Required<Facts>;

const check = (
  name: string,
  needs: Check["needs"],
  find: (context: RunContext, facts: Known) => ReturnType<Check["find"]>,
): Check => ({ name, ...(needs && { needs }), find: (context, facts) => find(context, facts as Known) });

export const serviceChecks: readonly Check[] = [
  check("settings", undefined, async ({ workspace }, facts) => {
    facts.target = await workspace.targetWithoutContract();
    const { account, baseUrl } = facts.target;
    return ok("settings", `${baseUrl.value} (${baseUrl.origin}), account ${account.value ?? "none"}`);
  }),
  check("service", undefined, (_, { target }) =>
    target === undefined ? skipped("service", "not checked: the settings are incomplete") : [],
  ),
  check("web application", ["target"], (_, { target: { webUrl } }) => {
    const hint = `set webUrl in the profile, or ${environmentVariables.webUrl}, for a link to each incident`;
    if (webUrl === undefined) return note("web application", "its address is not known", hint);
    return ok("web application", checkWebUrl(webUrl).value);
  }),
  check("key", ["target"], async (context, facts) => {
    facts.apiKey = await readKey(context, facts.target.key);
    return [];
  }),
  check("proxy", ["target"], ({ system }, facts) => {
    const { key, ...target } = facts.target;
    const proxy = chooseProxy(new URL(target.baseUrl.value), system.env);
    facts.service = { ...target, apiKey: facts.apiKey ?? { value: "", origin: key.origin } };
    return ok("proxy", proxy === undefined ? "none is used" : `${proxy.shown} is used`);
  }),
  check("connection", ["target", "service"], findConnection),
  check("clock", ["target", "answer"], findClock),
  check("key", ["target", "apiKey", "answer"], async (context, { apiKey, global, service }) => {
    await checkAccess(context, service, global);
    return ok("key", `the service accepts the key from ${apiKey.origin}, and refuses a made-up one`);
  }),
  check("contract", ["target", "answer"], findContract),
  check("operations", ["live"], findOperations),
];

/** Reads openapi.json, without authorization where the key is missing. */
async function findConnection(context: RunContext, facts: Known): Promise<Finding> {
  const { global, service } = facts;
  const outcome = await requestDocument(context, {
    url: `${service.baseUrl.value}/openapi.json`,
    settings: service,
    deadline: global.timeout ?? defaultTimeout,
    signal: context.system.signal,
    bodyLimit: contractBounds.documentSize,
  });
  if (outcome.phase !== "answered") {
    if (outcome.reason === "cancelled") throw cancellation(context.system.signal, "run it again");
    const failure = outcomeFailure(outcome, { operation: "get", id: undefined, settings: service });
    return failed("connection", failure);
  }
  facts.answer = outcome;
  return ok("connection", `the service answers (${outcome.status} for openapi.json)`);
}

/** The largest accepted difference of the clocks, in milliseconds. The Date of an answer has whole seconds. */
const clockTolerance = 60_000;

function findClock({ system: { clock } }: RunContext, { answer: { headers } }: Known): Finding {
  const serviceTime = Date.parse(headers.date ?? "");
  if (Number.isNaN(serviceTime)) return skipped("clock", "the service's answer has no date");
  const difference = Math.round((clock.now() - serviceTime) / 1000);
  const message = `${Math.abs(difference)} s ${difference < 0 ? "behind" : "ahead of"} the service's`;
  if (difference === 0) return ok("clock", "it agrees with the clock of the service");
  if (Math.abs(difference) * 1000 <= clockTolerance) return ok("clock", `it is ${message}`);
  const hint = "set it, or synchronize it over the network";
  return wrong("clock", "usage", `this machine's clock is ${message}`, hint);
}

/** Whether the service's own document has rules beyond the local checks. */
async function findContract(context: RunContext, facts: Known): Promise<readonly Finding[]> {
  const { answer, service } = facts;
  try {
    const document = await readLive(answer);
    facts.live = contractOf(document);
    const { account, accountHeader } = service;
    const problem = createProblem(document, account.value === undefined ? undefined : accountHeader);
    return await findRules(context, facts, problem);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { lacksOperation, message: problem } = error;
    const message = `${service.baseUrl.value}/openapi.json ${problem}, so nothing was compared`;
    const isForeign = answer.status === 403 && readErrorBody(answer) === undefined;
    if (isForeign)
      return [contractProblem(`${message}: a proxy or gateway may stand in between`, foreignRefusalHint)];
    if (!lacksOperation) return [note("contract", message, hintWithout(service, answer))];
    // The service has moved on, or the base URL is another service's.
    const hint = "check the base URL; if it is right, a newer version of incident may know the operation";
    return [contractProblem(`openapi.json ${problem}`, hint)];
  }
}

async function readLive({ body, bodyError, status }: Answered): Promise<unknown> {
  if (status !== 200) throw new ContractError(`was answered with ${status}`);
  if (bodyError !== undefined) throw new ContractError("could not be read to its end");
  return parseDocument(body);
}

/** A service may answer a wrong path as it answers the read of an incident that does not exist. */
function hintWithout({ baseUrl }: ServiceSettings, { status }: Answered): string {
  return status === 404
    ? `this does not prove the base URL from ${baseUrl.origin}, because a wrong path can be answered in the same way: read an incident that exists`
    : "if the key works, creates and reads do as well";
}

/** `problem`: of a create that the document does not take as it is sent. */
async function findRules(
  context: RunContext,
  { live: { create, impossible }, service: { account } }: Known,
  problem: string | undefined,
): Promise<readonly Finding[]> {
  const file = context.workspace.contractFile();
  const saved = await context.workspace.contract();
  const rules = missingRules(create.body, saved?.create.body).filter(
    ({ field }) => field !== "services[].accountId" || account.value === undefined,
  );
  // A sandbox with another service's document is no service whose contract a project needs.
  const isRehearsal = Boolean(context.system.env[environmentVariables.sandboxPin]) && !file.isThere;
  const pull =
    "run incident contract pull: from then on, a definition that breaks it is refused before it is sent";
  const header = `set ${accountHeaderPlaces}, where it is about the account; else incident cannot send it so: a newer version may`;
  const findings = [
    ...(problem === undefined ? [] : [contractProblem(problem, header)]),
    ...rules.map(({ text }) => (isRehearsal ? note("contract", text, pull) : contractProblem(text, pull))),
    ...impossible.map((rule) => {
      const message = `no definition can satisfy a rule of openapi.json: ${rule}`;
      return note("contract", message, "the service may refuse each create");
    }),
  ];
  if (findings.length > 0) return findings;
  const by = file.isThere ? ` and ${file.name}` : "";
  return [ok("contract", `openapi.json requires no more than the built-in rules${by}`)];
}

/** The next commands go by the same operations. */
async function findOperations(context: RunContext, { live, service }: Known): Promise<readonly Finding[]> {
  const { operations } = live;
  await keepOperations(context, service, operations);
  const [first, ...others] = tellOperations(operations);
  const hint = "until the service describes it, do it in its web application";
  const canMore = describeOperations(operations).can.length > 0;
  return [
    canMore ? ok("operations", first) : note("operations", first, hint),
    ...others.map((sentence) => note("operations", sentence, hint)),
  ];
}

function contractProblem(message: string, hint: string): Finding {
  return wrong("contract", "rejected", message, hint);
}
