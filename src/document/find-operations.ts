// Finds the operations that the spec does not show in the service's own document: a table of the shapes that such
// documents have around the create. Two candidates are none, and no operation is guessed.
import { statuses } from "../incident/values.ts";
import { listOf } from "../text/lengths.ts";
import { ContractError } from "./contract-error.ts";
import { type EntryFields, readPages } from "./find-pages.ts";
import { keywordOf, propertiesOf } from "./json-schema.ts";
import {
  createPath,
  type Found,
  findCreate,
  type Operation,
  operationsIn,
  ownServer,
  readOperation,
  rootOf,
} from "./open-api.ts";
import {
  type AddUpdate,
  accountHeaderPattern,
  type Edit,
  longestReason,
  type OperationName,
  type Operations,
  type Pages,
  segmentPattern,
} from "./operations.ts";
import { isKnown, listRules } from "./rules.ts";
import type { JsonSchema } from "./schema.ts";

/** The path of one incident, where C is that of the create. */
const one = "C/{}";

interface Shape<T> {
  /** In the words of a reason. */
  readonly wanted: string;
  readonly methods: readonly Found["method"][];
  /** Takes the path with C for that of the create, and `{}` for a parameter. */
  readonly isAt: (path: string) => boolean;
  /** Throws a `ContractError` with the reason for an operation that is another. */
  readonly read: (operation: Operation, found: Found) => T;
}

const incidentFields: EntryFields = [["id"], ["name"], ["lastUpdateStatus", "status"]];

const shapes = {
  list: {
    wanted: "GET C",
    methods: ["get"],
    isAt: (path) => path === "C",
    read: (operation) => readPages(operation, incidentFields),
  },
  addUpdate: {
    wanted: "POST C/{id}/…updates",
    methods: ["post"],
    isAt: (path) => path.startsWith(`${one}/`) && /^[\w-]*updates?$/i.test(path.slice(one.length + 1)),
    read: (operation, { path }) => ({ segment: lastOf(path), body: readUpdateBody(operation) }),
  },
  edit: {
    wanted: "PATCH or PUT C/{id}",
    methods: ["patch", "put"],
    isAt: (path) => path === one,
    read: (operation, { method }) => ({
      method: method === "patch" ? "PATCH" : "PUT",
      properties: readEditFields(operation),
    }),
  },
  services: {
    wanted: "GET S",
    methods: ["get"],
    isAt: (path) => path === "S",
    read: (operation) => readPages(operation, incidentFields.slice(0, 2)),
  },
} as const satisfies {
  list: Shape<Pages>;
  addUpdate: Shape<AddUpdate>;
  edit: Shape<Edit>;
  services: Shape<Pages>;
};

/** Throws a `ContractError` for a document without the create. */
export function findOperations(document: unknown): Operations {
  const root = rootOf(document);
  const all = operationsIn(root);
  const create = findCreate(all);
  const header = findAccountHeader(readOperation(root, create));
  const services = create.path.replace(/[^/]*$/, "services");
  /** The path in the words of the shapes. */
  const shapeOf = (path: string) => {
    if (path === services) return "S";
    const isBelow = path === create.path || path.startsWith(`${create.path}/`);
    return isBelow ? `C${path.slice(create.path.length)}`.replace(/\{[^}]*\}/g, "{}") : "";
  };
  const found = Object.entries(shapes).map(([name, shape]) => {
    const candidates = all.filter(
      ({ method, path }) => shape.methods.some((each) => each === method) && shape.isAt(shapeOf(path)),
    );
    const { value, reason = "" } = choose(candidates, (each) => {
      if (ownServer(each) !== ownServer(create))
        throw new ContractError("is at another server than the create");
      const operation = readOperation(root, each);
      const problem = unsentParameter(operation, header.value);
      if (problem !== undefined) throw new ContractError(problem);
      return shape.read(operation, each);
    });
    const absent = `it has no ${shape.wanted.replace(/\bC\b/, create.path).replace(/\bS\b/, services)}`;
    return { name, value, reason: reason || absent };
  });
  const named = { name: "accountHeader", value: header.value, reason: header.reason };
  const missing = [...found, named].filter(
    ({ reason, value }) => value === undefined && reason !== undefined,
  );
  return {
    ...Object.fromEntries([...found, named].flatMap(({ name, value }) => (value ? [[name, value]] : []))),
    missing: Object.fromEntries(
      missing.map(({ name, reason = "" }) => [name, reason.slice(0, longestReason)]),
    ),
  } satisfies Partial<Record<OperationName, unknown>> & Operations;
}

/** The only candidate that `read` accepts, or the reason for none. */
function choose<T>(candidates: readonly Found[], read: (found: Found) => T) {
  const current = candidates.filter(({ value }) => value.deprecated !== true);
  // A deprecated operation counts only where it is alone, and a PUT only without a PATCH.
  const counted = current.length > 0 ? current : candidates;
  const [first] = counted;
  const patch = counted.filter(({ method }) => method === "patch");
  const tried = (first?.method === "put" && patch.length > 0 ? patch : counted).map((found) => {
    const name = `${found.method.toUpperCase()} ${found.path}`;
    try {
      return { name, value: read(found) };
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      return { name, reason: `${name} ${error.message}` };
    }
  });
  const fitting = tried.filter(({ value }) => value !== undefined);
  if (fitting.length > 1)
    return { reason: `it has ${fitting.length} candidates: ${fitting.map(({ name }) => name).join(", ")}` };
  return { value: fitting[0]?.value, reason: tried[0]?.reason };
}

/** The last segment of a path. Throws for one that the tool does not send to. */
function lastOf(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  if (segmentPattern.test(last)) return last;
  throw new ContractError("has another name than updates have");
}

/** The headers that the client sends anyway, beside that of the account. */
const sentHeaders = ["authorization", "accept", "content-type"];

/** A parameter that an operation needs and the tool does not send: completes the name of the operation. */
function unsentParameter({ parameters }: Operation, accountHeader: string | undefined): string | undefined {
  const sent = [...sentHeaders, accountHeader];
  const unsent = parameters.find(
    (each) => each.required && !(each.in === "header" && sent.includes(each.name.toLowerCase())),
  );
  return unsent && `needs the ${unsent.in === "header" ? "header" : "query parameter"} ${unsent.name}`;
}

/** The sentence about a create of a document that the tool cannot send as it is described. */
export function createProblem(document: unknown, accountHeader: string | undefined): string | undefined {
  const root = rootOf(document);
  const found = findCreate(operationsIn(root));
  if (!found.path.endsWith(createPath)) return `a create is sent to ${found.path}`;
  const operation = readOperation(root, found);
  const problem = unsentParameter(operation, accountHeader);
  if (problem !== undefined) return `a create ${problem}`;
  const headers = operation.parameters.filter((each) => each.in === "header").map(({ name }) => name);
  const others = headers.filter((name) => !sentHeaders.includes(name.toLowerCase()));
  const isNamed = others.some((name) => name.toLowerCase() === accountHeader);
  if (accountHeader === undefined || others.length === 0 || isNamed) return undefined;
  return `a create has no header ${accountHeader}, but ${others.join(", ")}`;
}

function readUpdateBody({ body = {} }: Operation): JsonSchema {
  const fields = bodyFields(body, ["description", "status"]);
  const values = keywordOf(fields.get("status") ?? {}, "enum") ?? [];
  const unknown = statuses.filter((status) => !values.includes(status));
  if (unknown.length > 0) throw new ContractError(`has no ${listOf(unknown, "or")} as a status in its body`);
  checkRequired(body, "incidentUpdates[]");
  return body;
}

function readEditFields({ body = {} }: Operation): readonly string[] {
  const fields = bodyFields(body, ["name", "severity"]);
  checkRequired(body, "", ["name", "severity", "services"]);
  return [...fields.keys()].sort();
}

function bodyFields(body: JsonSchema, names: readonly string[]) {
  const fields = propertiesOf(body);
  const missing = names.filter((name) => !fields.has(name));
  if (missing.length > 0) throw new ContractError(`has no ${missing.join(" and no ")} in its body`);
  return fields;
}

/** `sent`: the fields of the body that are sent, where these are not all of them. */
function checkRequired(body: JsonSchema, at: string, sent?: readonly string[]): void {
  const unsent = listRules(body, at).find(
    ({ field, keyword }) =>
      keyword === "required" && (!isKnown(field) || sent?.includes(/^\w*/.exec(field)?.[0] ?? "") === false),
  );
  if (unsent === undefined) return;
  const field = at === "" ? unsent.field : unsent.field.slice(at.length + 1);
  throw new ContractError(`requires ${field} in its body, which incident does not send`);
}

/** The header of the create that names the account, in lower case. */
function findAccountHeader({ keyHeaders, parameters }: Operation): { value?: string; reason?: string } {
  const ofParameters = parameters.flatMap((each) => (each.in === "header" ? [each.name] : []));
  const names = [...ofParameters, ...keyHeaders].filter((name) => accountHeaderPattern.test(name));
  const [only, ...others] = new Set(names.map((name) => name.toLowerCase()));
  if (only === undefined) return {};
  if (others.length === 0) return { value: only };
  return { reason: `it has ${others.length + 1} candidates: ${[only, ...others].join(", ")}` };
}
