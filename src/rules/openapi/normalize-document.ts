// Finds the two operations in an OpenAPI document and normalizes them to a contract, without its source.
import { entriesOf, isMapping, ownValue } from "../../untrusted-data.ts";
import type { RuleSchema } from "../rule-schema.ts";
import { ContractError, type ContractOperation, type ContractParameter } from "./contract.ts";
import { type FoundOperation, findOperation } from "./find-operation.ts";
import {
  describeOmitted,
  type NormalizeOptions,
  normalizeSchema,
  type OmittedRule,
} from "./normalize-schema.ts";
import {
  fieldAt,
  fieldOfPart,
  follow,
  type Located,
  type Node,
  namesIn,
  nodeOf,
  textOf,
} from "./references.ts";

/** Throws a `ContractError` for a document that is no OpenAPI document, or lacks one of the operations. */
export function normalizeDocument(document: unknown) {
  const root = rootOf(document);
  const omitted = new Map<string, OmittedRule>();
  const normalize: Normalize = (schema, direction) =>
    normalizeSchema(schema, {
      root,
      direction,
      onOmitted: (rule) => omitted.set(describeOmitted(rule), rule),
    });
  const title = textOf(nodeOf(root.info)?.title) ?? "";
  const [create, get] = [findOperation(root, "post", false), findOperation(root, "get", true)];
  return {
    title: title.slice(0, 200),
    create: readOperation(root, create, normalize),
    get: readOperation(root, get, normalize),
    omitted: [...omitted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, rule]) => rule),
  };
}

/** Throws a `ContractError` for a document that is no OpenAPI document. */
export function rootOf(document: unknown): Node {
  const root = nodeOf(document);
  const version = root?.openapi ?? root?.swagger;
  if (root !== undefined && typeof version === "string" && nodeOf(root.paths) !== undefined) return root;
  throw new ContractError("is not an OpenAPI document: it has no version, or no paths");
}

export type Normalize = (schema: Located, direction: NormalizeOptions["direction"]) => RuleSchema;

export function readOperation(root: Node, found: FoundOperation, normalize: Normalize): ContractOperation {
  // A parameter of the operation replaces the one of the path.
  const parameters = new Map(
    [...parametersAt(root, found.item), ...parametersAt(root, found)].map((parameter) => {
      const { in: place, name } = nodeOf(parameter.value) ?? {};
      return [`${place} ${name}`, parameter];
    }),
  );
  const own = [...parameters.values()];
  const inBody = own.find(({ value }) => nodeOf(value)?.in === "body");
  const requestBody = contentOf(root, fieldAt(root, found, "requestBody") ?? inBody);
  const consumed = entriesOf(nodeOf(found.value)?.consumes ?? root.consumes);
  const mediaTypes = requestBody.types.length > 0 ? requestBody.types : consumed;
  return {
    path: belowBaseUrl(found.path),
    at: found.at,
    parameters: own.flatMap((each) => readParameter(each, normalize)),
    security: readSecurity(root, found),
    mediaTypes: mediaTypes.filter((name): name is string => typeof name === "string").sort(),
    ...(requestBody.schema && { body: normalize(requestBody.schema, "request") }),
    answers: Object.fromEntries(
      answersOf(root, found).map(([status, { schema }]) => [
        status,
        schema === undefined ? {} : normalize(schema, "answer"),
      ]),
    ),
  };
}

/** A base URL with a path of its own already has the steps before the version. */
function belowBaseUrl(path: string): string {
  return /\/v\d+\/status-pages\/.*$/.exec(path)?.[0] ?? path;
}

function parametersAt(root: unknown, holder: Located): readonly Located[] {
  const list = fieldAt(root, holder, "parameters");
  const parameters = entriesOf(list?.value).map((_, index) => fieldAt(root, list, index));
  return parameters.filter((found): found is Located => isMapping(found?.value));
}

function readParameter(parameter: Located, normalize: Normalize): readonly ContractParameter[] {
  const node = nodeOf(parameter.value) ?? {};
  const name = textOf(node.name);
  if ((node.in !== "header" && node.in !== "query") || name === undefined) return [];
  // The parameter itself has the keywords of a schema in Swagger 2.0.
  const ownKeywords = { value: { ...node, required: undefined }, at: parameter.at };
  const schema = normalize(fieldOfPart(parameter, "schema") ?? ownKeywords, "request");
  return [{ in: node.in, name, required: node.required === true, schema }];
}

/** The media types of a body, those of JSON first, and the schema of the first that has one. Swagger 2.0 has no types. */
function contentOf(root: unknown, holder: Located | undefined) {
  const content = fieldAt(root, holder, "content");
  const types = [...namesIn(content)].sort((one, other) => Number(isJson(other)) - Number(isJson(one)));
  const schemas = types.flatMap((type) => fieldOfPart(fieldAt(root, content, type), "schema") ?? []);
  return { types, schema: schemas[0] ?? fieldOfPart(holder, "schema") };
}

function isJson(type: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}

function answersOf(root: unknown, found: FoundOperation) {
  const responses = fieldAt(root, found, "responses");
  const statuses = namesIn(responses).filter((status) => /^(?:\d{3}|[1-5]xx|default)$/i.test(status));
  return statuses
    .sort()
    .map((status) => [status, contentOf(root, fieldAt(root, responses, status))] as const);
}

function readSecurity(root: Node, { value }: Located): readonly string[] {
  const requirements = entriesOf(nodeOf(value)?.security ?? root.security);
  const holder = nodeOf(nodeOf(root.components)?.securitySchemes) ?? nodeOf(root.securityDefinitions) ?? {};
  const names = requirements.flatMap((requirement) => Object.keys(nodeOf(requirement) ?? {}));
  const schemes = names.flatMap((name) => {
    const scheme = follow(root, { value: ownValue(holder, name), at: "#" });
    return describeScheme(nodeOf(scheme?.value) ?? {}) ?? [];
  });
  return [...new Set(schemes)].sort();
}

function describeScheme({ type, scheme, in: place, name }: Node): string | undefined {
  if (type === "http") return String(scheme).toLowerCase();
  if (type === "basic") return "basic";
  if (type === "oauth2" || type === "openIdConnect") return "bearer";
  if (type !== "apiKey") return undefined;
  // Swagger 2.0 has no other way to describe a bearer token.
  const isBearer = place === "header" && String(name).toLowerCase() === "authorization";
  return isBearer ? "bearer" : `${place} ${name}`;
}
