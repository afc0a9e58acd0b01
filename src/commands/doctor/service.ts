// The checks of `incident doctor` that need the service: settings, proxy, the answers of the service and its document.
import { checkAccess } from "../../api/access.ts";
import { defaultTimeout } from "../../api/connect.ts";
import { fetchDocument, parseDocument } from "../../api/fetch-document.ts";
import { keepOperations } from "../../api/known-operations.ts";
import { ContractError } from "../../document/contract-error.ts";
import { contractOf, type LiveContract } from "../../document/contract-of.ts";
import { describeOperations, tellOperations } from "../../document/operations.ts";
import { missingRules } from "../../document/standing.ts";
import { Failure } from "../../failure.ts";
import { chooseProxy } from "../../http/proxy.ts";
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
  const target = await attempt("settings", async (tell) => {
    const found = await context.workspace.targetWithoutContract();
    tell("ok", `${found.baseUrl.value} (${found.baseUrl.origin}), account ${found.account.value ?? "none"}`);
    return found;
  });
  const service =
    target &&
    (await attempt("proxy", (tell) => {
      const proxy = chooseProxy(new URL(target.baseUrl.value), context.system.env);
      tell("ok", proxy === undefined ? "none is used" : `${proxy.shown} is used`);
      return target;
    })) &&
    (await attempt("key", async () => ({ ...target, apiKey: await readKey(context, target.key) })));
  if (service === undefined) return;
  await attempt("service", async (tell) => {
    await checkAccess(context, service, global);
    tell("ok", `the service accepts the key from ${service.apiKey.origin}, and refuses a made-up one`);
  });
  const live = await attempt("contract", (tell) => checkContract(context, service, global, tell));
  if (live === undefined) return;
  await attempt("operations", async (tell) => {
    // The next commands go by the same operations.
    await keepOperations(context, service, live.operations);
    const [first, ...others] = tellOperations(live.operations);
    const hint = "until the service describes it, do it in its web application";
    if (describeOperations(live.operations).can.length > 0) tell("ok", first);
    else tell("note", first, hint);
    for (const sentence of others) tell("note", sentence, hint);
  });
}

/** Whether the service's own document has rules beyond the local checks. One that cannot be read is only a note. */
async function checkContract(
  context: RunContext,
  service: ServiceSettings,
  global: GlobalFlags,
  tell: Tell,
): Promise<LiveContract | undefined> {
  try {
    const bytes = await fetchDocument(context, service, global.timeout ?? defaultTimeout);
    const live = contractOf(await parseDocument(bytes));
    await tellRules(context, service, live, tell);
    return live;
  } catch (error) {
    const isUnread =
      error instanceof ContractError || (error instanceof Failure && !context.system.signal.aborted);
    if (!isUnread) throw error;
    const hint = "if the key works, creates and reads do as well";
    tell("note", `nothing was compared with openapi.json: ${error.message}`, hint);
    return undefined;
  }
}

async function tellRules(
  { workspace }: RunContext,
  { account }: ServiceSettings,
  { create, impossible }: LiveContract,
  tell: Tell,
): Promise<void> {
  const file = workspace.contractFile();
  const saved = await workspace.contract();
  const rules = missingRules(create.body, saved?.create.body).filter(
    ({ field }) => field !== "services[].accountId" || account.value === undefined,
  );
  const pull =
    "run incident contract pull: from then on, a definition that breaks it is refused before it is sent";
  for (const { text } of rules) tell("rejected", text, pull);
  for (const rule of impossible)
    tell(
      "note",
      `no definition can satisfy a rule of openapi.json: ${rule}`,
      "the service may refuse each create",
    );
  if (rules.length > 0 || impossible.length > 0) return;
  const by = file.isThere ? ` and ${file.name}` : "";
  tell("ok", `openapi.json requires no more than the built-in rules${by}`);
}
