// The check of the service's own document in `incident doctor`: whether it has rules beyond the local checks.

import { foreignRefusalHint, readErrorBody } from "../../api/answer.ts";
import { keepOperations } from "../../api/known-operations.ts";
import { ContractError } from "../../document/contract-error.ts";
import { contractOf, type LiveContract } from "../../document/contract-of.ts";
import { createProblem } from "../../document/find-operations.ts";
import { describeOperations, tellOperations } from "../../document/operations.ts";
import { readDocument } from "../../document/read-document.ts";
import { addedRules } from "../../document/rules.ts";
import type { Answered } from "../../http/transport.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { parseYaml } from "../../source/yaml/read.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { accountHeaderPlaces, environmentVariables } from "../../workspace/settings.ts";
import { isProvenHere } from "../shared/base-url.ts";
import { attempt, type Finding, note, ok, wrong } from "./finding.ts";

export async function checkContract(
  context: RunContext,
  settings: ServiceSettings,
  answer: Answered,
): Promise<readonly Finding[]> {
  try {
    const document = readLive(answer);
    const live = contractOf(document);
    return [
      ...(await compareRules(context, settings, live, checkCreate(settings, document))),
      ...(await checkOperations(context, settings, live)),
    ];
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
  { operations }: LiveContract,
): Promise<readonly Finding[]> {
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

/** Whether the document takes a create as it is sent. */
function checkCreate({ account, accountHeader }: ServiceSettings, document: unknown): readonly Finding[] {
  const problem = createProblem(document, account.value === undefined ? undefined : accountHeader);
  const hint = `set ${accountHeaderPlaces}, where it is about the account; else incident cannot send it so: a newer version may`;
  return problem === undefined ? [] : [contractProblem(problem, hint)];
}

async function compareRules(
  context: RunContext,
  { account }: ServiceSettings,
  { create, impossible }: LiveContract,
  problems: readonly Finding[],
): Promise<readonly Finding[]> {
  const file = context.workspace.contractFile();
  const pulled = await attempt("contract", () => context.workspace.contract());
  if (!pulled.ok) return [pulled.finding];
  const known = addedRules(pulled.value?.create.body).map(({ text }) => text);
  const rules = addedRules(create.body).filter(
    ({ field, text }) =>
      !known.includes(text) && !(field === "services[].accountId" && account.value !== undefined),
  );
  const notes = impossible.map((rule) =>
    note(
      "contract",
      `no definition can satisfy a rule of openapi.json: ${rule}`,
      "the service may refuse each create",
    ),
  );
  const by = file.isThere ? ` and ${file.name}` : "";
  if (rules.length === 0 && problems.length === 0 && notes.length === 0)
    return [ok("contract", `openapi.json requires no more than the built-in rules${by}`)];
  // A sandbox with another service's document is no service whose contract a project needs.
  const isRehearsal = Boolean(context.system.env[environmentVariables.sandboxPin]) && !file.isThere;
  const hint =
    "run incident contract pull: from then on, a definition that breaks it is refused before it is sent";
  const found = rules.map(({ text }) =>
    isRehearsal ? note("contract", text, hint) : contractProblem(text, hint),
  );
  return [...problems, ...found, ...notes];
}

function contractProblem(message: string, hint: string): Finding {
  return wrong("contract", "rejected", message, hint);
}
