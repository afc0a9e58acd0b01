// The contract that a sandbox follows: of --contract, an OpenAPI document or a file of contract pull, else of the project.
// It is apart from run.ts, because it loads the judge.

import { Failure } from "../../failure.ts";
import { findOperations } from "../../incident/contract/find-operations.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { type Contract, ContractError, type ContractOperation } from "../../rules/openapi/contract.ts";
import { parseContract } from "../../rules/openapi/contract-file.ts";
import { normalizeDocument } from "../../rules/openapi/normalize-document.ts";
import { readDocument } from "../../rules/openapi/read-document.ts";
import { toDocument } from "../../rules/openapi/to-document.ts";
import { compilePattern } from "../../rules/patterns.ts";
import {
  createServiceContract,
  type Described,
  type ServiceContract,
} from "../../sandbox/contract/service-contract.ts";
import { parseYaml } from "../../source/yaml/compose-documents.ts";
import { readDocumentFile } from "../shared/document-file.ts";

type Deps = Pick<Context, "files" | "system"> & Pick<Reporter, "warn">;

/** The contract of a file. Throws a `Failure` "usage" for a file that is no document of this API. */
export function readServiceContract(context: Deps, file: string): ServiceContract {
  const bytes = readDocumentFile(context, file, "--contract");
  try {
    const document = readDocument(bytes, parseYaml);
    if (isContractFile(document))
      return followContract(context, parseContract(new TextDecoder().decode(bytes), compilePattern));
    const described = normalizeDocument(document, compilePattern);
    for (const rule of described.omitted) {
      if (rule.kind === "reference")
        throw new ContractError(`has a reference at ${rule.at}, which leads nowhere in it`);
      const { at, pattern } = rule;
      context.warn(
        `the pattern at ${at} cannot be matched in linear time, and the sandbox does not check it: ${pattern}`,
      );
    }
    const operations = findOperations(document, compilePattern);
    return open(context, { ...described, operations }, document);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new Failure("usage", `${file} ${error.message}`, {
      hint: "name the service's OpenAPI document, or a file of incident contract pull, with --contract; nothing was started",
    });
  }
}

export function followContract(context: Pick<Reporter, "warn">, contract: Contract): ServiceContract {
  const described = { ...contract, basePath: "", answerTypes: { create: {}, get: {} } };
  return open(context, described, toDocument(contract));
}

function open({ warn }: Pick<Reporter, "warn">, described: Described, document: unknown): ServiceContract {
  checkBodyType(described.create);
  return createServiceContract({ described, document, compilePattern, onMismatch: warn });
}

function checkBodyType({ mediaTypes, path }: ContractOperation): void {
  if (mediaTypes.length === 0 || mediaTypes.some((type) => /\bjson\b|^\*\/\*/i.test(type))) return;
  throw new ContractError(`has a create without a JSON body, which a sandbox cannot serve (${path})`);
}

function isContractFile(document: unknown): boolean {
  return typeof document === "object" && document !== null && "formatVersion" in document;
}
