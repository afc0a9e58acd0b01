// Finds the two operations in an OpenAPI document and normalizes them to a contract, without its source.
import { entriesOf, ownValue } from "../../own-value.ts";
import { pointerTo } from "../pointer.ts";
import { ContractError, type ContractOperation, type ContractParameter } from "./contract.ts";
import { type FoundOperation, findOperation } from "./find-operation.ts";
import {
  describeOmitted,
  type NormalizeOptions,
  normalizeSchema,
  type OmittedRule,
} from "./normalize-schema.ts";
import { fieldAt, follow, type Located, nodeOf, textOf } from "./references.ts";

/** Throws a `ContractError` for a document that is no OpenAPI document, or lacks one of the operations. */
export function normalizeDocument(document: unknown, compilePattern: NormalizeOptions["compilePattern"]) {
  const root = nodeOf(document);
  const version = root?.openapi ?? root?.swagger;
  if (root === undefined || typeof version !== "string" || nodeOf(root.paths) === undefined)
    throw new ContractError("is not an OpenAPI document: it has no version, or no paths");
  const omitted = new Map<string, OmittedRule>();
  const normalize = (schema: Located, direction: NormalizeOptions["direction"]) =>
    normalizeSchema(schema, {
      root,
      direction,
      compilePattern,
      onOmitted: (rule) => omitted.set(describeOmitted(rule), rule),
    });
  const reader = { root, normalize };
  const title = textOf(nodeOf(root.info)?.title) ?? "";
  const [create, get] = [findOperation(root, "post", false), findOperation(root, "get", true)];
  return {
    title: title.slice(0, 200),
    create: readOperation(reader, create),
    get: readOperation(reader, get),
    basePath: create.path.slice(0, -belowBaseUrl(create.path).length),
    answerTypes: { create: answerTypesOf(root, create), get: answerTypesOf(root, get) },
    omitted: [...omitted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, rule]) => rule),
  };
}

interface DocumentReader {
  readonly root: Readonly<Record<string, unknown>>;
  readonly normalize: (
    schema: Located,
    direction: NormalizeOptions["direction"],
  ) => ReturnType<typeof normalizeSchema>;
}

function readOperation(reader: DocumentReader, found: FoundOperation): ContractOperation {
  const { root, normalize } = reader;
  const parameters = [...parametersAt(root, found.item), ...parametersAt(root, found)];
  // A parameter of the operation replaces the one of the path.
  const byName = new Map(
    parameters.map((each) => [`${nodeOf(each.value)?.in} ${nodeOf(each.value)?.name}`, each]),
  );
  const own = [...byName.values()];
  const inBody = own.find(({ value }) => nodeOf(value)?.in === "body");
  const requestBody = fieldAt(root, found, "requestBody");
  const body = schemaOf(root, requestBody) ?? (inBody && fieldOf(inBody, "schema"));
  return {
    path: belowBaseUrl(found.path),
    at: found.at,
    parameters: own.flatMap((each) => readParameter(reader, each)),
    security: readSecurity(root, found),
    mediaTypes: mediaTypesOf(root, found, requestBody),
    ...(body && { body: normalize(body, "request") }),
    answers: readAnswers(reader, found),
  };
}

/** A base URL with a path of its own already has what comes before the version. */
function belowBaseUrl(path: string): string {
  return /\/v\d+\/status-pages\/.*$/.exec(path)?.[0] ?? path;
}

function parametersAt(root: unknown, holder: Located): readonly Located[] {
  const list = fieldAt(root, holder, "parameters");
  return entriesOf(list?.value).flatMap((value, index) => {
    const found = follow(root, { value, at: pointerTo(list?.at ?? "#", index) });
    return nodeOf(found?.value) === undefined || found === undefined ? [] : [found];
  });
}

function readParameter({ normalize }: DocumentReader, parameter: Located): readonly ContractParameter[] {
  const node = nodeOf(parameter.value) ?? {};
  const name = textOf(node.name);
  if ((node.in !== "header" && node.in !== "query") || name === undefined) return [];
  // The parameter itself has the keywords of a schema in Swagger 2.0.
  const schema = fieldOf(parameter, "schema") ?? {
    value: { ...node, required: undefined },
    at: parameter.at,
  };
  return [{ in: node.in, name, required: node.required === true, schema: normalize(schema, "request") }];
}

/** The schema of a body: of JSON where there are several media types. */
function schemaOf(root: unknown, holder: Located | undefined): Located | undefined {
  const content = holder && fieldAt(root, holder, "content");
  if (content === undefined) return undefined;
  const types = Object.keys(nodeOf(content.value) ?? {});
  const chosen = [...types.filter(isJson), ...types].map((type) => fieldAt(root, content, type));
  return chosen.flatMap((media) => (media && fieldOf(media, "schema")) ?? [])[0];
}

function isJson(type: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}

function mediaTypesOf(
  root: DocumentReader["root"],
  { value }: Located,
  requestBody: Located | undefined,
): readonly string[] {
  const content = requestBody && nodeOf(fieldAt(root, requestBody, "content")?.value);
  const names =
    content === undefined ? entriesOf(nodeOf(value)?.consumes ?? root.consumes) : Object.keys(content);
  return names.filter((name): name is string => typeof name === "string").sort();
}

function readAnswers(
  { root, normalize }: DocumentReader,
  found: FoundOperation,
): ContractOperation["answers"] {
  const responses = fieldAt(root, found, "responses");
  const statuses = Object.keys(nodeOf(responses?.value) ?? {}).filter((status) =>
    /^(?:\d{3}|[1-5]xx|default)$/i.test(status),
  );
  const answers = statuses.sort().map((status) => {
    const answer = responses && fieldAt(root, responses, status);
    const schema = schemaOf(root, answer) ?? (answer && fieldOf(answer, "schema"));
    return [status, schema === undefined ? {} : normalize(schema, "answer")] as const;
  });
  return Object.fromEntries(answers);
}

function answerTypesOf(root: unknown, found: FoundOperation): Readonly<Record<string, string>> {
  const responses = fieldAt(root, found, "responses");
  const types = Object.keys(nodeOf(responses?.value) ?? {}).flatMap((status) => {
    const answer = responses && fieldAt(root, responses, status);
    const names = Object.keys(nodeOf(answer && fieldAt(root, answer, "content")?.value) ?? {});
    const type = names.find(isJson) ?? names[0];
    return type === undefined ? [] : [[status, type] as const];
  });
  return Object.fromEntries(types);
}

function readSecurity(root: DocumentReader["root"], { value }: Located): readonly string[] {
  const requirements = entriesOf(nodeOf(value)?.security ?? root.security);
  const holder = nodeOf(nodeOf(root.components)?.securitySchemes) ?? nodeOf(root.securityDefinitions) ?? {};
  const names = requirements.flatMap((requirement) => Object.keys(nodeOf(requirement) ?? {}));
  const schemes = names.flatMap((name) => {
    const scheme = ownValue(holder, name);
    return describeScheme(nodeOf(follow(root, { value: scheme, at: "#" })?.value) ?? {});
  });
  return [...new Set(schemes)].sort();
}

function describeScheme({
  type,
  scheme,
  in: place,
  name,
}: Readonly<Record<string, unknown>>): readonly string[] {
  switch (type) {
    case "http":
      return [String(scheme).toLowerCase()];
    case "basic":
      return ["basic"];
    case "oauth2":
    case "openIdConnect":
      return ["bearer"];
    case "apiKey":
      // Swagger 2.0 has no other way to describe a bearer token.
      return [
        place === "header" && String(name).toLowerCase() === "authorization" ? "bearer" : `${place} ${name}`,
      ];
    default:
      return [];
  }
}

function fieldOf({ value, at }: Located, name: string): Located | undefined {
  const field = ownValue(nodeOf(value) ?? {}, name);
  return field === undefined ? undefined : { value: field, at: pointerTo(at, name) };
}
