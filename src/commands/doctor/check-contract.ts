// The check of the service's own document in `incident doctor`: whether it has rules beyond the local checks.

import type { Answered } from "../../http/transport.ts";
import { compareWithLive } from "../../incident/contract/compare-live.ts";
import { type Contract, ContractError } from "../../rules/openapi/contract.ts";
import { normalizeDocument } from "../../rules/openapi/normalize-document.ts";
import { readDocument } from "../../rules/openapi/read-document.ts";
import { compilePattern } from "../../rules/patterns.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import type { RunContext } from "../define-command.ts";
import { parseYaml } from "../shared/document-file.ts";
import { attempt, type Finding, note, ok, wrong } from "./finding.ts";

export async function checkContract(
  context: RunContext,
  { account, accountHeader, baseUrl, clientIds }: ServiceSettings,
  answer: Answered,
): Promise<readonly Finding[]> {
  const live = readLive(answer);
  if ("problem" in live) {
    // The service has moved on, or the base URL is another service's.
    if (live.lacksOperation)
      return [
        contractProblem(
          `openapi.json ${live.problem}`,
          "check the base URL; if it is right, a newer version of incident may know the operation",
        ),
      ];
    const message = `${baseUrl.value}/openapi.json ${live.problem}, so nothing was compared`;
    return [note("contract", message, "if the key works, creates and reads do as well")];
  }
  const file = context.workspace.contractFile();
  const pulled = await attempt("contract", () => context.workspace.contract());
  if (!pulled.ok) return [pulled.finding];
  const differences = compareWithLive({
    live,
    pulled: pulled.value,
    accountHeader,
    sendsAccount: account.value !== undefined,
    sendsId: clientIds?.value !== "unsupported",
  });
  const by = file.isThere ? ` and ${file.name}` : "";
  if (differences.length === 0)
    return [ok("contract", `openapi.json requires no more than the built-in rules${by}`)];
  return differences.map(({ hint, matters, message }) =>
    matters ? contractProblem(message, hint) : note("contract", message, hint),
  );
}

function contractProblem(message: string, hint: string): Finding {
  return wrong("contract", "rejected", message, hint);
}

/** The contract, or the rest of the sentence "openapi.json …" on why there is none. */
function readLive({
  body,
  bodyError,
  status,
}: Answered):
  | Pick<Contract, "create" | "get">
  | { readonly problem: string; readonly lacksOperation: boolean } {
  const unusable = (problem: string) => ({ problem, lacksOperation: false });
  if (status !== 200) return unusable(`was answered with ${status}`);
  if (bodyError !== undefined) return unusable("could not be read to its end");
  try {
    return normalizeDocument(readDocument(body, parseYaml), compilePattern);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { problem: error.message, lacksOperation: error.lacksOperation };
  }
}
