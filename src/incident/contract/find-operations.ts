// Finds the operations that the spec does not show in the service's own document, by structure, from the create on. Two
// candidates are none, and no operation is guessed.
import { ContractError, type ContractOperation } from "../../rules/openapi/contract.ts";
import {
  type FoundOperation,
  findOperation,
  itemsAt,
  operationsOf,
  serverOf,
  withoutNames,
} from "../../rules/openapi/find-operation.ts";
import { readOperation, rootOf } from "../../rules/openapi/normalize-document.ts";
import { normalizeSchema } from "../../rules/openapi/normalize-schema.ts";
import {
  accountHeaderPattern,
  longestReason,
  type Operations,
  segmentPattern,
} from "../../rules/openapi/operations.ts";
import { type Node, nodeOf } from "../../rules/openapi/references.ts";
import { type EntryFields, readPages } from "./find-pages.ts";
import { checkRequest, readEditFields, readUpdateBody } from "./judge-operation.ts";

type Method = "get" | "post" | "put" | "patch";

interface Candidate {
  readonly method: Method;
  readonly found: FoundOperation;
}

/** The result of the search, or why there is none: a clause about the document. */
type Found<T> =
  | { readonly value: T; readonly reason?: undefined }
  | { readonly value?: undefined; readonly reason: string | undefined };

interface Judge {
  readonly root: Node;
  readonly created: FoundOperation;
  readonly accountHeader: string | undefined;
  readonly read: (found: FoundOperation) => ContractOperation;
}

const incidentFields: EntryFields = [["id"], ["name"], ["lastUpdateStatus", "status"]];
const serviceFields: EntryFields = [["id"], ["name"]];

/** Throws a `ContractError` for a document without the create. */
export function findOperations(document: unknown): Operations {
  const root = rootOf(document);
  const created = findOperation(root, "post", false);
  const read: Judge["read"] = (found) =>
    readOperation(root, found, (schema, direction) =>
      normalizeSchema(schema, { root, direction, onOmitted: () => undefined }),
    );
  const accountHeader = findAccountHeader(read(created));
  const judge: Judge = { root, created, read, accountHeader: accountHeader.value };
  const all = withoutNames(created.path).replace(/\/$/, "");
  const one = `${all}/{}`;
  const siblings = `${all.slice(0, all.lastIndexOf("/"))}/services`;
  const isUpdates = (path: string) =>
    path.startsWith(`${one}/`) &&
    /^[\w-]*updates?$/i.test(path.slice(one.length + 1)) &&
    segmentOf(path) !== "";
  const items = itemsAt(root, (path) => [all, one, siblings].includes(path) || isUpdates(path));
  const at = (method: Method, isHere: (path: string) => boolean): readonly Candidate[] => {
    const here = items.filter(({ path }) => isHere(withoutNames(path)));
    return operationsOf(root, method, here).map((found) => ({ method, found }));
  };
  const is = (expected: string) => (path: string) => path === expected;
  const shown = created.path;

  const addUpdate = choose(
    judge,
    `POST ${shown}/{id}/…updates`,
    at("post", isUpdates),
    (each, { found }) => ({ segment: segmentOf(found.path), body: readUpdateBody(each) }),
  );
  const edits = withoutDeprecated([...at("patch", is(one)), ...at("put", is(one))]);
  const preferred = edits.filter(
    ({ method }) => method === (edits.some((each) => each.method === "patch") ? "patch" : "put"),
  );
  return collect({
    list: choose(judge, `GET ${shown}`, at("get", is(all)), (each) => readPages(each, incidentFields)),
    addUpdate,
    edit: choose(judge, `PATCH or PUT ${shown}/{id}`, preferred, (each, { method }) => ({
      method: method === "patch" ? "PATCH" : "PUT",
      properties: readEditFields(each),
    })),
    services: choose(judge, `GET ${siblings}`, at("get", is(siblings)), (each) =>
      readPages(each, serviceFields),
    ),
    accountHeader,
  });
}

function collect(found: Readonly<Record<string, Found<unknown>>>): Operations {
  const entries = Object.entries(found);
  return {
    ...Object.fromEntries(
      entries.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
    ),
    missing: Object.fromEntries(
      entries.flatMap(([name, { reason }]) =>
        reason === undefined ? [] : [[name, reason.slice(0, longestReason)]],
      ),
    ),
  };
}

/** The last segment of a path; empty for one that the tool does not send to. */
function segmentOf(path: string): string {
  const [last = ""] = path.split("/").slice(-1);
  return segmentPattern.test(last) ? last : "";
}

/** A deprecated operation counts only where it is alone. */
function withoutDeprecated(candidates: readonly Candidate[]): readonly Candidate[] {
  const current = candidates.filter(({ found }) => nodeOf(found.value)?.deprecated !== true);
  return current.length > 0 ? current : candidates;
}

/** The only candidate that `read` accepts. `read` throws a `ContractError` with its reason for another. */
function choose<T>(
  judge: Judge,
  wanted: string,
  candidates: readonly Candidate[],
  read: (operation: ContractOperation, candidate: Candidate) => T,
): Found<T> {
  const judged = withoutDeprecated(candidates).map((candidate) => {
    const name = `${candidate.method.toUpperCase()} ${candidate.found.path}`;
    try {
      checkServer(judge, candidate.found);
      const operation = judge.read(candidate.found);
      checkRequest(operation, judge.accountHeader);
      return { name, value: read(operation, candidate) };
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      return { name, reason: `${name} ${error.message}` };
    }
  });
  const fitting = judged.filter((each) => "value" in each);
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return { value: first.value as T };
  if (fitting.length > 1)
    return { reason: `it has ${fitting.length} candidates: ${fitting.map(({ name }) => name).join(", ")}` };
  return { reason: judged[0]?.reason ?? `it has no ${wanted}` };
}

/** A request goes to the base URL of the settings: an operation that the document places elsewhere is another's. */
function checkServer({ created, root }: Judge, found: FoundOperation): void {
  const [own = "", others = ""] = [found, created].map((each) => serverOf(root, each));
  const hostOf = (server: string) =>
    /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(server)?.[1]?.toLowerCase();
  if (hostOf(own) !== hostOf(others)) throw new ContractError("is at another host than the create");
  if (nodeOf(found.value)?.servers !== undefined && own !== others)
    throw new ContractError("is at another server than the create");
}

/** The header of the create that names the account, in lower case. */
function findAccountHeader({ parameters, security }: ContractOperation): Found<string> {
  const ofKeys = security.flatMap((way) => (way.startsWith("header ") ? [way.slice("header ".length)] : []));
  const ofParameters = parameters.flatMap((each) => (each.in === "header" ? [each.name] : []));
  const names = [...ofParameters, ...ofKeys].filter((name) => accountHeaderPattern.test(name));
  const different = [...new Set(names.map((name) => name.toLowerCase()))];
  const [only] = different;
  if (different.length > 1)
    return { reason: `it has ${different.length} candidates: ${different.join(", ")}` };
  return only === undefined ? { reason: undefined } : { value: only };
}
