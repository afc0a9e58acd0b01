// Reads the OpenAPI document of a service, from the service, a file or stdin, as the contract that a pull writes.

import { createHash } from "node:crypto";
import { defaultTimeout, withKey } from "../../api/connect.ts";
import { fetchDocument, parseDocument } from "../../api/fetch-document.ts";
import type { Contract } from "../../document/contract.ts";
import { ContractError, contractBounds } from "../../document/contract-error.ts";
import { contractOf, type LiveContract } from "../../document/contract-of.ts";
import { describeOperations, tellOperations } from "../../document/operations.ts";
import { Failure, type FailureKind } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { type FlagSpecs, flag } from "../../kit/flags.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { readSourceOrStdin } from "../../source/read-source.ts";

export const fromFlag = {
  from: flag.text(
    "--from <file>",
    "the document, if it is not the service's openapi.json; - for stdin",
    "files",
  ),
} as const satisfies FlagSpecs;

/** Reports the other operations of the service, and returns them for scripts. */
export function tellAll({ info }: RunContext, { operations }: LiveContract) {
  for (const sentence of tellOperations(operations)) info(sentence);
  return describeOperations(operations);
}

export function refuseNoProject({ noProject }: GlobalFlags): void {
  if (!noProject) return;
  throw new Failure("usage", "the contract belongs to the project, and --no-project leaves that out", {
    hint: "leave --no-project out",
  });
}

interface Pulled {
  readonly source: Contract["source"];
  readonly live: LiveContract;
}

/** Tells the rules that are left out. */
export async function readLiveContract(
  context: RunContext,
  global: GlobalFlags,
  from: string | undefined,
): Promise<Pulled> {
  const { bytes, ...found } = await readBytes(context, global, from);
  try {
    const live = contractOf(await parseDocument(bytes));
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const date = new Date(context.system.clock.now()).toISOString().slice(0, 10);
    const omitted = [...live.impossible, ...live.patterns];
    if (omitted.length > 0)
      context.warn(
        `left out, as no definition can satisfy them, or as they are patterns: ${omitted.join("; ")}`,
      );
    return { source: { from: found.from, title: live.title, digest, date }, live };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new Failure(found.kind, `${found.from} ${error.message}`, {
      hint: "name the service's OpenAPI document with --from; nothing was changed",
    });
  }
}

/** `kind` is the failure of bytes that are no document. */
async function readBytes(
  context: RunContext,
  global: GlobalFlags,
  from: string | undefined,
): Promise<{ readonly bytes: Uint8Array; readonly from: string; readonly kind: FailureKind }> {
  if (from !== undefined) {
    const { bytes, file } = await readSourceOrStdin(context, from, contractBounds.documentSize).catch(
      (error: Failure) => {
        throw error.with({ hint: "name a file with --from, such as one that you have downloaded" });
      },
    );
    return { bytes, from: file, kind: "usage" };
  }
  const settings = await withKey(context, await context.workspace.targetWithoutContract());
  const bytes = await fetchDocument(context, settings, global.timeout ?? defaultTimeout);
  return { bytes, from: `${settings.baseUrl.value}/openapi.json`, kind: "rejected" };
}
