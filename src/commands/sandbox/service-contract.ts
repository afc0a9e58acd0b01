// Reads the OpenAPI document of --contract for the sandbox. It is apart from run.ts, because it loads a validator.

import { Failure } from "../../failure.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { ContractError } from "../../rules/openapi/contract.ts";
import { readDocument } from "../../rules/openapi/read-document.ts";
import { compilePattern } from "../../rules/patterns.ts";
import { DocumentError } from "../../sandbox/contract/document.ts";
import { createServiceContract, type ServiceContract } from "../../sandbox/contract/service-contract.ts";
import { parseYaml, readDocumentFile } from "../shared/project/document-file.ts";

/** Throws a `Failure` "usage" for a file that is no document of this API. */
export function readServiceContract(
  context: Pick<Context, "files" | "system"> & Pick<Reporter, "warn">,
  file: string,
): ServiceContract {
  const bytes = readDocumentFile(context, file, "--contract");
  try {
    return createServiceContract({
      document: readDocument(bytes, parseYaml),
      compilePattern,
      onMismatch: context.warn,
    });
  } catch (error) {
    if (!(error instanceof ContractError || error instanceof DocumentError)) throw error;
    throw new Failure("usage", `${file} ${error.message}`, {
      hint: "name the service's OpenAPI document with --contract; nothing was started",
    });
  }
}
