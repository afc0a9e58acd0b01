// Finds the operations that the spec does not show in the service's own document: a table of the shapes that such
// documents have around the create. No operation is guessed: one in another form, or beside another of its kind, is none.
import { fieldAt } from "../incident/definition.ts";
import { statuses } from "../incident/values.ts";
import { plainName } from "../text/suggest.ts";
import type { Operations, Pages } from "./contract.ts";
import { contractBounds, type OperationName, operationNames } from "./contract-terms.ts";
import { type JsonSchema, keywordOf, propertiesOf } from "./json-schema.ts";
import { type ApiOperation, findCreate, operationsIn } from "./open-api.ts";

interface Shape<T> {
  readonly methods: readonly ApiOperation["method"][];
  /** Matches the path, with C in place of the path of the create, and `{}` in place of a parameter. */
  readonly path: RegExp;
  /** Undefined for an operation in another form. */
  readonly read: (operation: ApiOperation) => T | undefined;
}

/** The fields that each entry has, each by one of its names. */
type EntryFields = readonly (readonly string[])[];

const incidentEntry: EntryFields = [["id"], ["name"], ["lastUpdateStatus", "status"]];

const shapes = {
  list: {
    methods: ["get"],
    path: /^C$/,
    read: (operation) => readPages(operation, incidentEntry),
  },
  addUpdate: {
    methods: ["post"],
    path: /^C\/\{\}\/[\w-]*updates?$/i,
    read: ({ body, path }) => {
      const segment = path.slice(path.lastIndexOf("/") + 1);
      return contractBounds.segment.test(segment) && takesUpdates(body) ? { segment, body } : undefined;
    },
  },
  edit: {
    methods: ["patch", "put"],
    path: /^C\/\{\}$/,
    read: ({ body, method }) =>
      takesEdits(body)
        ? { method: method === "patch" ? "PATCH" : "PUT", properties: [...propertiesOf(body).keys()].sort() }
        : undefined,
  },
  services: {
    methods: ["get"],
    path: /^S$/,
    read: (operation) => readPages(operation, incidentEntry.slice(0, 2)),
  },
} as const satisfies { [N in OperationName]: Shape<NonNullable<Operations[N]>> };

/** Throws a `ContractError` for a document without the create. */
export function findOperations(document: unknown): Operations {
  const all = operationsIn(document);
  const create = findCreate(all);
  const headers = create.parameters.filter((each) => each.in === "header").map(({ name }) => name);
  const [accountHeader, ...others] = new Set(
    headers.filter((name) => contractBounds.accountHeader.test(name)),
  );
  const services = create.path.replace(/[^/]*$/, "services");
  /** The path in the words of the shapes. */
  const shapeOf = (path: string) => {
    if (path === services) return "S";
    const isBelow = path === create.path || path.startsWith(`${create.path}/`);
    return isBelow ? `C${path.slice(create.path.length)}`.replace(/\{[^}]*\}/g, "{}") : "";
  };
  const found = operationNames.map((name) => {
    const shape: Shape<unknown> = shapes[name];
    const candidates = all.filter(
      ({ method, path }) => shape.methods.some((each) => each === method) && shape.path.test(shapeOf(path)),
    );
    const fitting = current(candidates).flatMap((each) => {
      // A required header is no reason to refuse: it is that of the account, or the service itself asks for it.
      const needsMore = each.parameters.some(({ in: place, required }) => required && place === "query");
      const isSent = each.server === create.server && !needsMore;
      return isSent ? (shape.read(each) ?? []) : [];
    });
    return { name, value: fitting.length === 1 ? fitting[0] : undefined, isThere: candidates.length > 0 };
  });
  const unfit = found.filter(({ isThere, value }) => isThere && !value).map(({ name }) => name);
  return {
    ...Object.fromEntries(found.flatMap(({ name, value }) => (value ? [[name, value]] : []))),
    ...(accountHeader && others.length === 0 && { accountHeader }),
    ...(unfit.length > 0 && { unfit }),
  };
}

/** A deprecated operation counts only where it is alone, and a PUT only without a PATCH. */
function current(candidates: readonly ApiOperation[]): readonly ApiOperation[] {
  const fresh = candidates.filter(({ isDeprecated }) => !isDeprecated);
  const counted = fresh.length > 0 ? fresh : candidates;
  const patch = counted.filter(({ method }) => method === "patch");
  return patch.length > 0 ? patch : counted;
}

function takesUpdates(body: JsonSchema): boolean {
  const fields = propertiesOf(body);
  const values = keywordOf(fields.get("status") ?? {}, "enum") ?? [];
  const isOpen = statuses.every((status) => values.includes(status));
  return fields.has("description") && isOpen && requiredIn(body, "incidentUpdates[]").every(isKnown);
}

function takesEdits(body: JsonSchema): boolean {
  const fields = propertiesOf(body);
  const isSent = (field: string) => isKnown(field) && /^(?:name|severity|services)\b/.test(field);
  return fields.has("name") && fields.has("severity") && requiredIn(body, "").every(isSent);
}

/** The fields that a body must have, such as `services[].id`. */
function requiredIn(body: JsonSchema, at: string): readonly string[] {
  if (!isKnown(at)) return [];
  const { allOf = [], items, properties = {}, required = [] } = body;
  const below = (name: string) => (at === "" ? name : `${at}.${name}`);
  return [
    ...required.map(below),
    ...Object.entries(properties).flatMap(([name, each]) => requiredIn(each, below(name))),
    ...(items === undefined ? [] : requiredIn(items, `${at}[]`)),
    ...allOf.flatMap((each) => requiredIn(each, at)),
  ];
}

/** Whether a definition has the field, which is empty for the body itself. */
function isKnown(field: string): boolean {
  return field === "" || fieldAt(field.replace(/\[\]$/, "")) !== undefined;
}

const pageSizes: readonly string[] = ["limit", "pageSize", "page_size", "perPage", "per_page"];

/** The plain names of parameters of pages, and of their sizes. */
const pageNames =
  /^\$?(?:offset|skip|take|top|limit|size|maxresults|perpage|page(?:cursor|index|no|number|size|token|\[.*)?|start(?:at|from|index)?|first|last|after|before|startingafter|endingbefore|next\w*|cursor\w*|marker|continuation\w*)$/;

/** How a list of such entries is read. Undefined for an operation whose answer is no such list, or has several. */
function readPages({ answer, parameters }: ApiOperation, fields: EntryFields): Pages | undefined {
  const [only, ...others] = findLists(answer, fields);
  if (only === undefined || others.length > 0) return undefined;
  const asked = parameters.filter((each) => each.in === "query");
  const query = asked.filter(({ name }) => contractBounds.parameter.test(name));
  const sizes = query.filter(({ name }) => pageSizes.includes(name));
  const [size] = sizes.length === 1 ? sizes : [];
  const max = size?.schema.maximum;
  const hasMax = max !== undefined && Number.isInteger(max) && max >= 1;
  const next = findNext(
    answer,
    query.filter(({ name }) => name !== "offset" && !pageSizes.includes(name)),
  );
  return {
    items: only,
    ...(size && {
      pageSize: { param: size.name, ...(hasMax && { max: Math.min(max, contractBounds.page) }) },
    }),
    ...(next && { next }),
    ...(next === undefined &&
      asked.some((each) => each !== size && isOfPages(each, sizes.length > 0)) && { isPart: true }),
  };
}

/** A date is a filter, and so is a text of this name where no parameter gives the size of a page. */
function isOfPages({ name, schema }: ApiOperation["parameters"][number], hasSize: boolean): boolean {
  const isText = [keywordOf(schema, "type")].flat().includes("string");
  const isFilter = !hasSize && isText && /^(?:after|before|start)$/.test(plainName(name));
  return pageNames.test(plainName(name)) && !isFilter && !keywordOf(schema, "format")?.startsWith("date");
}

/** The steps to each list of such entries: the answer itself, or a field of it or of its `data`. */
function findLists(answer: JsonSchema, fields: EntryFields): readonly (readonly string[])[] {
  const isList = (schema: JsonSchema) => {
    const entry = keywordOf(schema, "items");
    const own = entry && propertiesOf(entry);
    return own !== undefined && fields.every((names) => names.some((name) => own.has(name)));
  };
  if (isList(answer)) return [[]];
  const listsIn = (schema: JsonSchema) =>
    [...propertiesOf(schema)].flatMap(([name, value]) => (isList(value) ? [name] : []));
  const data = propertiesOf(answer).get("data");
  return [
    ...listsIn(answer).map((name) => [name]),
    ...(data === undefined ? [] : listsIn(data).map((name) => ["data", name])),
  ];
}

/** A cursor is a parameter that a field of the answer gives, whatever its type. Of several, none is chosen. */
function findNext(answer: JsonSchema, query: ApiOperation["parameters"]): Pages["next"] {
  const holders = [answer, ...propertiesOf(answer).values()];
  const fields = new Set(holders.flatMap((each) => [...propertiesOf(each).keys()].map(plainName)));
  const isGiven = (name: string) =>
    fields.has(`next${name}`) || (fields.has(name) && /next|cursor|token|after|continu/.test(name));
  const [cursor, ...others] = query.filter(({ name }) => name !== "page" && isGiven(plainName(name)));
  if (cursor !== undefined && others.length === 0) return { kind: "cursor", param: cursor.name };
  const isNumber = (schema: JsonSchema) =>
    [keywordOf(schema, "type")].flat().some((type) => type === "integer" || type === "number");
  const page = query.find(({ name, schema }) => name === "page" && isNumber(schema));
  if (page === undefined) return undefined;
  const first = page.preset ?? keywordOf(page.schema, "minimum");
  return { kind: "page", param: page.name, ...(first !== undefined && { first: first === 0 ? 0 : 1 }) };
}
