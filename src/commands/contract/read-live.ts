// Reads the OpenAPI document of a service, from the service, a file or stdin, as the contract that a pull writes.
import { defaultTimeout, withKey } from "../../api/connect.ts";
import { fetchDocument, parseDocument } from "../../api/fetch-document.ts";
import { contractOf, type LiveContract } from "../../document/contract-of.ts";
import { ContractError, contractBounds } from "../../document/contract-terms.ts";
import { describeOperations, tellOperations } from "../../document/operations.ts";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/command.ts";
import { type FlagSpecs, flag } from "../../kit/flags.ts";
import { readSourceOrStdin } from "../../source/read-source.ts";

export const fromFlag = {
  from: flag.text("--from <file>", "the document, if it is not the service's openapi.json; - for stdin"),
} as const satisfies FlagSpecs;

/** Reports the other operations of the service, and returns them for scripts. */
export function tellAll({ info }: RunContext, { operations }: LiveContract) {
  for (const sentence of tellOperations(operations)) info(sentence);
  return describeOperations(operations);
}

/** Tells the rules that are left out, and that there is none. */
export async function readLiveContract(context: RunContext, named: string | undefined) {
  const { bytes, from } = await readBytes(context, named);
  try {
    const live = contractOf(await parseDocument(bytes));
    if (live.leftOut.length > 0)
      context.warn(`left out, as no definition can satisfy them: ${live.leftOut.join("; ")}`);
    if (Object.keys(live.create.body).length === 0)
      context.warn("the document describes no rule for the body of a create");
    return { source: { from }, live };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new Failure(named === undefined ? "rejected" : "usage", `${from} ${error.message}`, {
      hint: "name the service's OpenAPI document with --from; nothing was changed",
    });
  }
}

async function readBytes(context: RunContext, named: string | undefined) {
  if (named !== undefined) {
    const { bytes, file } = await readSourceOrStdin(context, named, contractBounds.documentSize);
    return { bytes, from: file };
  }
  const settings = await withKey(context, await context.workspace.targetWithoutContract());
  const bytes = await fetchDocument(context, settings, context.global.timeout ?? defaultTimeout);
  return { bytes, from: `${settings.baseUrl.value}/openapi.json` };
}
