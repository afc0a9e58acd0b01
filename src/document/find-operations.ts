// Finds the operations that the spec does not show in the service's own document: a table of the shapes that such
// documents have around the create. No operation is guessed: one in another form, or beside another of its kind, is none.
import { statuses } from "../incident/values.ts";
import { type EntryFields, readPages } from "./find-pages.ts";
import { keywordOf, propertiesOf } from "./json-schema.ts";
import {
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
  type Operations,
  operationNames,
  type Pages,
  segmentPattern,
} from "./operations.ts";
import { isKnown, listRules } from "./rules.ts";
import type { JsonSchema } from "./schema.ts";

/** The path of one incident, where C is that of the create. */
const one = "C/{}";

interface Shape<T> {
  readonly methods: readonly Found["method"][];
  /** Takes the path with C for that of the create, and `{}` for a parameter. */
  readonly isAt: (path: string) => boolean;
  /** Undefined for an operation in another form. */
  readonly read: (operation: Operation, found: Found) => T | undefined;
}

const incidentFields: EntryFields = [["id"], ["name"], ["lastUpdateStatus", "status"]];

const shapes = {
  list: {
    methods: ["get"],
    isAt: (path) => path === "C",
    read: (operation) => readPages(operation, incidentFields),
  },
  addUpdate: {
    methods: ["post"],
    isAt: (path) => path.startsWith(`${one}/`) && /^[\w-]*updates?$/i.test(path.slice(one.length + 1)),
    read: ({ body = {} }, { path }) => {
      const segment = path.slice(path.lastIndexOf("/") + 1);
      return segmentPattern.test(segment) && takesUpdates(body) ? { segment, body } : undefined;
    },
  },
  edit: {
    methods: ["patch", "put"],
    isAt: (path) => path === one,
    read: ({ body = {} }, { method }) =>
      takesEdits(body)
        ? { method: method === "patch" ? "PATCH" : "PUT", properties: [...propertiesOf(body).keys()].sort() }
        : undefined,
  },
  services: {
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
  const accountHeader = findAccountHeader(readOperation(root, create));
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
      ({ method, path }) => shape.methods.some((each) => each === method) && shape.isAt(shapeOf(path)),
    );
    const fitting = current(candidates).flatMap((each) => {
      const operation = readOperation(root, each);
      const isSent = ownServer(each) === ownServer(create) && !needsMore(operation, accountHeader);
      return isSent ? (shape.read(operation, each) ?? []) : [];
    });
    return { name, value: fitting.length === 1 ? fitting[0] : undefined, isThere: candidates.length > 0 };
  });
  const unfit = found.filter(({ isThere, value }) => isThere && !value).map(({ name }) => name);
  return {
    ...Object.fromEntries(found.flatMap(({ name, value }) => (value ? [[name, value]] : []))),
    ...(accountHeader && { accountHeader }),
    ...(unfit.length > 0 && { unfit }),
  };
}

/** A deprecated operation counts only where it is alone, and a PUT only without a PATCH. */
function current(candidates: readonly Found[]): readonly Found[] {
  const fresh = candidates.filter(({ value }) => value.deprecated !== true);
  const counted = fresh.length > 0 ? fresh : candidates;
  const patch = counted.filter(({ method }) => method === "patch");
  return patch.length > 0 ? patch : counted;
}

/** The headers that the client sends anyway, beside that of the account. */
const sentHeaders = ["authorization", "accept", "content-type"];

/** Whether an operation needs a parameter that the tool does not send. */
function needsMore({ parameters }: Operation, accountHeader: string | undefined): boolean {
  const sent = [...sentHeaders, accountHeader];
  return parameters.some(
    (each) => each.required && !(each.in === "header" && sent.includes(each.name.toLowerCase())),
  );
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

/** The fields that a body must have. */
function requiredIn(body: JsonSchema, at: string): readonly string[] {
  return listRules(body, at).flatMap(({ field, keyword }) => (keyword === "required" ? [field] : []));
}

/** The header of the create that names the account, in lower case. Of several, none is it. */
function findAccountHeader({ keyHeaders, parameters }: Operation): string | undefined {
  const ofParameters = parameters.flatMap((each) => (each.in === "header" ? [each.name] : []));
  const names = [...ofParameters, ...keyHeaders].filter((name) => accountHeaderPattern.test(name));
  const [only, ...others] = new Set(names.map((name) => name.toLowerCase()));
  return others.length === 0 ? only : undefined;
}
