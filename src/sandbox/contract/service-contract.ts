// The service of an OpenAPI document: the names, the rules and the shapes that replace the sandbox's own. The sandbox
// keeps its behavior; requests are translated on their way in, and answers on their way out.
import { ownValue } from "../own-value.ts";
import { jsonResponse, type ServiceResponse } from "../response.ts";
import { pathOf, type ReceivedRequest } from "../route.ts";
import { checkSchemas } from "./check-schemas.ts";
import { findOperations, type Node, type Operation } from "./document.ts";
import { type CompilePattern, createJudges, type Judge } from "./judge.ts";
import { shapesOf, statusesFor } from "./shapes.ts";

export type OperationName = "create" | "get";

export interface ServiceContract {
  readonly document: unknown;
  /** The path of a client's base URL, after the sandbox's address. */
  readonly basePath: string;
  /** The request with the path and the header name of the spec. */
  translate(request: ReceivedRequest): ReceivedRequest;
  /** Returns one phrase for each required or invalid header and query parameter of a translated request. */
  checkParameters(name: OperationName, request: ReceivedRequest): readonly string[];
  /** Returns one phrase for each violation of a create body. */
  checkBody(value: unknown): readonly string[];
  /** Returns one phrase for each violation of an incident that an earlier sandbox stored; none if one shape fits. */
  checkIncident(incident: object): readonly string[];
  /** Gives an answer the status and the shape of the document. */
  answer(name: OperationName, response: ServiceResponse): ServiceResponse;
}

export interface ServiceContractOptions {
  readonly document: unknown;
  readonly compilePattern: CompilePattern;
  /** Called once for each different text: an answer of the sandbox that the document does not describe. */
  readonly onMismatch: (text: string) => void;
}

const specPath = "/v1/status-pages/incidents";
const specHeader = "x-service-account";
const pagePaths: readonly string[] = ["/", "/live.js"];

/** Throws a `DocumentError` for a document that does not describe this API. */
export function createServiceContract(options: ServiceContractOptions): ServiceContract {
  const document = options.document as Node;
  const operations = findOperations(document);
  const judgeOf = createJudges(document, options.compilePattern);
  const judgeBody = operations.create.body && judgeOf(operations.create.body);
  const answers = { create: answersOf(operations.create, judgeOf), get: answersOf(operations.get, judgeOf) };
  const judges = new Map<Node, Judge>();
  const accountHeader = accountHeaderOf(operations);
  const basePath = basePathOf(operations.create);
  const said = new Set<string>();

  const parameterJudge = (schema: Node): Judge => {
    const judge = judges.get(schema) ?? judgeOf({ allOf: [schema] });
    judges.set(schema, judge);
    return judge;
  };

  function report(text: string): void {
    if (said.has(text)) return;
    said.add(text);
    options.onMismatch(text);
  }

  function pathFor(path: string): string {
    if (matches(operations.create, path)) return specPath;
    if (matches(operations.get, path)) return `${specPath}${path.slice(path.lastIndexOf("/"))}`;
    if (path === "/openapi.json" || path === `${basePath}/openapi.json`) return "/openapi.json";
    return pagePaths.includes(path) ? path : `/unknown${path}`;
  }

  checkSchemas(schemasOf(operations), {
    document,
    compilePattern: options.compilePattern,
    onPattern: (pattern, at) =>
      report(
        `the pattern at ${at} cannot be matched in linear time, and the sandbox does not check it: ${pattern}`,
      ),
  });

  return {
    document,
    basePath,
    translate(request) {
      const url = new URL(request.url);
      url.pathname = pathFor(pathOf(request.url));
      const account = ownValue(request.headers, accountHeader);
      const others = Object.entries(request.headers).filter(
        ([name]) => name !== accountHeader && name !== specHeader,
      );
      return {
        ...request,
        url: url.href,
        headers: { ...Object.fromEntries(others), ...(account !== undefined && { [specHeader]: account }) },
      };
    },
    checkParameters(name, { headers, url }) {
      const query = new URL(url).searchParams;
      return operations[name].parameters.flatMap((parameter) => {
        const header = parameter.name.toLowerCase();
        // OpenAPI leaves these to the media types and to the security schemes.
        if (["accept", "authorization", "content-type"].includes(header)) return [];
        const value =
          parameter.in === "query"
            ? query.get(parameter.name)
            : ownValue(headers, header === accountHeader ? specHeader : header);
        const title = `the ${parameter.in === "query" ? "parameter" : "header"} ${parameter.name}`;
        if (value === null || value === undefined) return parameter.required ? [`${title} is required`] : [];
        const isText = parameter.schema.type === undefined || parameter.schema.type === "string";
        const problems = isText ? parameterJudge(parameter.schema)(value) : [];
        return problems.map((problem) => problem.replace(/^the body/, title));
      });
    },
    checkBody: (value) => judgeBody?.(value) ?? [],
    checkIncident(incident) {
      const { judge } = answers.get.find(({ status }) => status === 200) ?? {};
      return judge === undefined ? [] : problemsOf(judge, shapesOf(200, incident as Node));
    },
    answer(name, response) {
      const isJson = response.headers["content-type"]?.startsWith("application/json") ?? false;
      const documented = answers[name].find(({ statuses }) => statuses.includes(response.status));
      if (!isJson || documented === undefined) return response;
      const value = JSON.parse(new TextDecoder().decode(response.body)) as Node;
      const shapes = shapesOf(response.status, value);
      const { judge } = documented;
      const fitting = judge === undefined ? value : shapes.find((shape) => judge(shape).length === 0);
      if (fitting === undefined) {
        const [problem] = judge?.(value) ?? [];
        report(`the sandbox's ${documented.status} to a ${name} is not in the document's shape: ${problem}`);
      }
      const { "content-type": _, ...headers } = response.headers;
      const type = { "content-type": `${documented.mediaType}; charset=utf-8` };
      return jsonResponse(documented.status, fitting ?? value, { ...headers, ...type });
    },
  };
}

interface DocumentedAnswer {
  readonly status: number;
  /** The sandbox's statuses that it stands for. */
  readonly statuses: readonly number[];
  readonly mediaType: string;
  readonly judge: Judge | undefined;
}

/** Each status of the sandbox with its documented answer. */
function answersOf({ answers }: Operation, judgeOf: (schema: Node) => Judge): DocumentedAnswer[] {
  return [200, 201, 400, 401, 403, 404, 409, 413, 415, 429].flatMap((status) => {
    const own = statusesFor(status).find((each) => answers.some((answer) => answer.status === String(each)));
    const answer =
      answers.find((each) => each.status === String(own)) ??
      answers.find((each) => each.status.toUpperCase() === `${Math.floor(status / 100)}XX`) ??
      answers.find((each) => each.status === "default" && status >= 400);
    if (answer === undefined) return [];
    const mediaType = answer.mediaType.includes("*") ? "application/json" : answer.mediaType;
    const judge = answer.schema && judgeOf(answer.schema);
    return [{ status: own ?? status, statuses: [status], mediaType, judge }];
  });
}

function accountHeaderOf({ create, get }: { readonly create: Operation; readonly get: Operation }): string {
  const headers = [...create.parameters, ...get.parameters].filter((parameter) => parameter.in === "header");
  const names = headers.map(({ name }) => name.toLowerCase());
  return (
    names.find((name) => name === specHeader) ?? names.find((name) => name.includes("account")) ?? specHeader
  );
}

/** The path of a create without the part that every client of the spec adds. */
function basePathOf({ segments }: Operation): string {
  const path = segments.join("/");
  return path.endsWith(specPath) && !segments.includes(undefined) ? path.slice(0, -specPath.length) : "";
}

function matches({ segments }: Operation, path: string): boolean {
  const given = path.split("/");
  return (
    given.length === segments.length &&
    segments.every((segment, index) =>
      segment === undefined ? given[index] !== "" : segment === given[index],
    )
  );
}

/** The schemas that judge requests and answers, and where each stands. */
function schemasOf(operations: Record<OperationName, Operation>): readonly (readonly [string, Node])[] {
  return Object.entries(operations).flatMap(([name, { answers, body, parameters }]) => [
    ...(body === undefined ? [] : [[`the body of the ${name}`, body] as const]),
    ...answers.flatMap(({ schema, status }) =>
      schema === undefined ? [] : [[`the ${status} of the ${name}`, schema] as const],
    ),
    ...parameters.map((parameter) => [`the parameter ${parameter.name}`, parameter.schema] as const),
  ]);
}

/** The violations of the first shape, unless one of them fits. */
function problemsOf(judge: Judge, shapes: readonly Node[]): readonly string[] {
  const judged = shapes.map(judge);
  return judged.some((problems) => problems.length === 0) ? [] : (judged[0] ?? []);
}
