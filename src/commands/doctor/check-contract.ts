// The check of the service's own document in `incident doctor`: whether it has rules beyond the local checks.

import { foreignRefusalHint, readErrorBody } from "../../api/answer.ts";
import { keepOperations } from "../../api/known-operations.ts";
import type { Answered } from "../../http/transport.ts";
import { compareWithLive } from "../../incident/contract/compare-live.ts";
import { describeOperations, tellOperations } from "../../incident/contract/describe-operations.ts";
import { findOperations } from "../../incident/contract/find-operations.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { type Contract, ContractError } from "../../rules/openapi/contract.ts";
import { normalizeDocument } from "../../rules/openapi/normalize-document.ts";
import { readDocument } from "../../rules/openapi/read-document.ts";
import { parseYaml } from "../../source/yaml/compose-documents.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { accountHeaderPlaces, environmentVariables } from "../../workspace/settings.ts";
import { isProvenHere } from "../shared/base-url/suspect-base-url.ts";
import { attempt, type Finding, note, ok, wrong } from "./finding.ts";

export async function checkContract(
  context: RunContext,
  settings: ServiceSettings,
  answer: Answered,
): Promise<readonly Finding[]> {
  try {
    const document = readLive(answer);
    const rules = await compareRules(context, settings, normalizeDocument(document));
    return [...rules, ...(await checkOperations(context, settings, document))];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { lacksOperation, message: problem } = error;
    const message = `${settings.baseUrl.value}/openapi.json ${problem}, so nothing was compared`;
    const isForeign = answer.status === 403 && readErrorBody(answer) === undefined;
    if (isForeign)
      return [contractProblem(`${message}: a proxy or gateway may stand in between`, foreignRefusalHint)];
    if (!lacksOperation) return [note("contract", message, await hintWithout(context, settings, answer))];
    // The service has moved on, or the base URL is another service's.
    const hint = "check the base URL; if it is right, a newer version of incident may know the operation";
    return [contractProblem(`openapi.json ${problem}`, hint)];
  }
}

/** A service may answer a wrong path as it answers the read of an incident that does not exist. */
async function hintWithout(
  context: RunContext,
  { baseUrl }: ServiceSettings,
  { status }: Answered,
): Promise<string> {
  return status === 404 && !(await isProvenHere(context, baseUrl.value))
    ? `nothing proves the base URL from ${baseUrl.origin} yet, because a wrong path can be answered in the same way: read an incident that exists`
    : "if the key works, creates and reads do as well";
}

/** Which other operations the document describes, and why not another. The next commands go by the same. */
async function checkOperations(
  context: RunContext,
  settings: ServiceSettings,
  document: unknown,
): Promise<readonly Finding[]> {
  const operations = findOperations(document);
  await keepOperations(context, settings, operations);
  const { can } = describeOperations(operations);
  const [first, ...others] = tellOperations(operations);
  const hint = "until the service describes it, do it in its web application";
  return [
    can.length > 0 ? ok("operations", first) : note("operations", first, hint),
    ...others.map((sentence) => note("operations", sentence, hint)),
  ];
}

/** The document. Throws a `ContractError` for an answer without one. */
function readLive({ body, bodyError, status }: Answered): unknown {
  if (status !== 200) throw new ContractError(`was answered with ${status}`);
  if (bodyError !== undefined) throw new ContractError("could not be read to its end");
  return readDocument(body, parseYaml);
}

type LiveContract = Pick<Contract, "create" | "get">;

async function compareRules(
  context: RunContext,
  { account, accountHeader }: ServiceSettings,
  live: LiveContract,
): Promise<readonly Finding[]> {
  const file = context.workspace.contractFile();
  const pulled = await attempt("contract", () => context.workspace.contract());
  if (!pulled.ok) return [pulled.finding];
  const differences = compareWithLive({
    live,
    pulled: pulled.value,
    accountHeader,
    accountHeaderPlaces,
    sendsAccount: account.value !== undefined,
  });
  const by = file.isThere ? ` and ${file.name}` : "";
  if (differences.length === 0)
    return [ok("contract", `openapi.json requires no more than the built-in rules${by}`)];
  // A sandbox with another service's document is no service whose contract a project needs.
  const isRehearsal = Boolean(context.system.env[environmentVariables.sandboxPin]) && !file.isThere;
  return differences.map(({ hint, matters, message }) =>
    matters && !isRehearsal ? contractProblem(message, hint) : note("contract", message, hint),
  );
}

function contractProblem(message: string, hint: string): Finding {
  return wrong("contract", "rejected", message, hint);
}
