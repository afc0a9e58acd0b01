// The checks of `incident doctor` that need the service: settings, key, proxy, connection and its document.
import { checkAccess } from "../../api/access.ts";
import { foreignRefusalHint, readErrorBody } from "../../api/answer.ts";
import { defaultTimeout } from "../../api/connect.ts";
import { outcomeFailure } from "../../api/errors.ts";
import { parseDocument, requestDocument } from "../../api/fetch-document.ts";
import { keepOperations } from "../../api/known-operations.ts";
import { ContractError, contractBounds } from "../../document/contract-error.ts";
import { contractOf, type LiveContract } from "../../document/contract-of.ts";
import { describeOperations, tellOperations } from "../../document/operations.ts";
import { missingRules } from "../../document/standing.ts";
import { cancellation } from "../../failure.ts";
import { chooseProxy } from "../../http/proxy.ts";
import type { Answered } from "../../http/transport.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { readKey } from "../../workspace/credentials.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import type { Attempt, Tell } from "./attempt.ts";

export async function checkService(
  context: RunContext,
  global: GlobalFlags,
  attempt: Attempt,
): Promise<void> {
  const { system, workspace } = context;
  const target = await attempt("settings", async ({ ok }) => {
    const found = await workspace.targetWithoutContract();
    ok(`${found.baseUrl.value} (${found.baseUrl.origin}), account ${found.account.value ?? "none"}`);
    return found;
  });
  if (target === undefined) return;
  const apiKey = await attempt("key", () => readKey(context, target.key));
  // Without a key, the connection is checked anyway.
  const service = { ...target, apiKey: apiKey ?? { value: "", origin: target.key.origin } };
  const isUsable = await attempt("proxy", ({ ok }) => {
    const proxy = chooseProxy(new URL(target.baseUrl.value), system.env);
    ok(proxy === undefined ? "none is used" : `${proxy.shown} is used`);
    return true;
  });
  if (!isUsable) return;
  const answer = await attempt("connection", ({ ok }) => requestLive(context, service, global, ok));
  if (answer === undefined) return;
  if (apiKey !== undefined)
    await attempt("key", async ({ ok }) => {
      await checkAccess(context, service, global);
      ok(`the service accepts the key from ${apiKey.origin}, and refuses a made-up one`);
    });
  const live = await attempt("contract", (tell) => checkContract(context, service, answer, tell));
  if (live === undefined) return;
  await attempt("operations", async ({ note, ok }) => {
    const { operations } = live;
    // The next commands go by the same operations.
    await keepOperations(context, service, operations);
    const [first, ...others] = tellOperations(operations);
    const hint = "until the service describes it, do it in its web application";
    if (describeOperations(operations).can.length > 0) ok(first);
    else note(first, hint);
    for (const sentence of others) note(sentence, hint);
  });
}

/** Reads openapi.json, without authorization where the key is missing. */
async function requestLive(
  context: RunContext,
  service: ServiceSettings,
  global: GlobalFlags,
  ok: Tell["ok"],
): Promise<Answered> {
  const outcome = await requestDocument(context, {
    url: `${service.baseUrl.value}/openapi.json`,
    settings: service,
    deadline: global.timeout ?? defaultTimeout,
    signal: context.system.signal,
    bodyLimit: contractBounds.documentSize,
  });
  if (outcome.phase === "answered") {
    ok(`the service answers (${outcome.status} for openapi.json)`);
    return outcome;
  }
  if (outcome.reason === "cancelled") throw cancellation(context.system.signal, "run it again");
  throw outcomeFailure(outcome, { operation: "get", id: undefined, settings: service });
}

/** Whether the service's own document has rules beyond the local checks. */
async function checkContract(
  context: RunContext,
  service: ServiceSettings,
  answer: Answered,
  tell: Tell,
): Promise<LiveContract | undefined> {
  try {
    const live = contractOf(await readLive(answer));
    await tellRules(context, service, live, tell);
    return live;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { lacksOperation, message: problem } = error;
    const message = `${service.baseUrl.value}/openapi.json ${problem}, so nothing was compared`;
    if (answer.status === 403 && readErrorBody(answer) === undefined)
      tell.wrong("rejected", `${message}: a proxy or gateway may stand in between`, foreignRefusalHint);
    else if (lacksOperation)
      // The service has moved on, or the base URL is another service's.
      tell.wrong("rejected", `openapi.json ${problem}`, "check the base URL; else use a newer incident");
    else tell.note(message, hintWithout(service, answer));
    return undefined;
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

async function tellRules(
  context: RunContext,
  { account }: ServiceSettings,
  { create, impossible }: LiveContract,
  { note, ok, wrong }: Tell,
): Promise<void> {
  const file = context.workspace.contractFile();
  const saved = await context.workspace.contract();
  const rules = missingRules(create.body, saved?.create.body).filter(
    ({ field }) => field !== "services[].accountId" || account.value === undefined,
  );
  const pull =
    "run incident contract pull: from then on, a definition that breaks it is refused before it is sent";
  for (const { text } of rules) wrong("rejected", text, pull);
  for (const rule of impossible)
    note(`no definition can satisfy a rule of openapi.json: ${rule}`, "the service may refuse each create");
  if (rules.length > 0 || impossible.length > 0) return;
  const by = file.isThere ? ` and ${file.name}` : "";
  ok(`openapi.json requires no more than the built-in rules${by}`);
}
