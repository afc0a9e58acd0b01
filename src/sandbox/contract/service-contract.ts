// The service of a contract: the names, the rules and the shapes that replace the sandbox's own. The sandbox keeps its
// behavior; requests are translated on their way in, and answers on their way out.
import { createJudge, type Violation } from "../../rules/judge.ts";
import { wordsFor } from "../../rules/messages.ts";
import type { ContractOperation } from "../../rules/openapi/contract.ts";
import type { Operations } from "../../rules/openapi/operations.ts";
import type { CompilePattern } from "../../rules/patterns.ts";
import { type RuleSchema, typesOf } from "../../rules/rule-schema.ts";
import { jsonResponse, type ServiceResponse } from "../response.ts";
import { type HasOperation, hasOfSpec, pathOf, type ReceivedRequest } from "../route.ts";
import { ownValue } from "../schema.ts";
import { type Node, shapesOf, statusesFor } from "./answer-shapes.ts";

export type OperationName = "create" | "get";

export interface ServiceContract {
  /** The OpenAPI document of the service. */
  readonly document: unknown;
  /** The operations beside those of the spec. */
  readonly operations: Operations | undefined;
  /** Whether the service has an operation: those of the spec, and those of the contract beside them. */
  readonly has: HasOperation;
  /** The path of a client's base URL, after the sandbox's address. */
  readonly basePath: string;
  /** The header that names the account, in lower case. */
  readonly accountHeader: string;
  /** The request with the path and the header name of the spec. */
  translate(request: ReceivedRequest): ReceivedRequest;
  /** Returns one phrase for each required or invalid header and query parameter of a translated request. */
  checkParameters(name: OperationName, request: ReceivedRequest): readonly string[];
  /** Returns one phrase for each violation in the body of a create. */
  checkBody(value: unknown): readonly string[];
  /** Gives an answer the status and the shape of the document. */
  answer(name: OperationName, response: ServiceResponse): ServiceResponse;
}

export interface Described {
  readonly create: ContractOperation;
  readonly get: ContractOperation;
  /** The path before that of each operation. */
  readonly basePath: string;
  /** The other operations; none where the contract says nothing about them. */
  readonly operations?: Operations;
  /** The media types of answers by status; JSON where one is missing. */
  readonly answerTypes: Readonly<Record<OperationName, Readonly<Record<string, string | undefined>>>>;
}

interface ServiceContractOptions {
  readonly described: Described;
  readonly document: unknown;
  readonly compilePattern: CompilePattern;
  /** Called once for each different text: an answer of the sandbox that the document does not describe. */
  readonly onMismatch: (text: string) => void;
}

type Judge = (value: unknown, whole?: string) => readonly string[];

const specPath = "/v1/status-pages/incidents";
const specHeader = "x-service-account";
const pagePaths: readonly string[] = ["/", "/live.js"];

export function createServiceContract(options: ServiceContractOptions): ServiceContract {
  const { compilePattern, described, document } = options;
  const { basePath, operations } = described;
  const judgeOf = (schema: RuleSchema): Judge => {
    const judge = createJudge(schema, { compilePattern });
    return (value, whole = "the body") => judge(value).violations.map((each) => phraseOf(each, whole));
  };
  const judgeBody = described.create.body && judgeOf(described.create.body);
  const accountHeader = operations?.accountHeader ?? accountHeaderOf(described);
  const said = new Set<string>();

  function report(text: string): void {
    if (said.has(text)) return;
    said.add(text);
    options.onMismatch(text);
  }

  function pathFor(path: string): string {
    if (matches(`${basePath}${described.create.path}`, path)) return specPath;
    if (matches(`${basePath}${described.get.path}`, path))
      return `${specPath}${path.slice(path.lastIndexOf("/"))}`;
    const [, id, segment] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
    const { addUpdate, updates } = operations ?? {};
    const isOfIncident = matches(`${basePath}${described.get.path}`, id ?? "");
    if (isOfIncident && [addUpdate?.segment, updates?.segment].includes(segment))
      return `${specPath}${id?.slice(id.lastIndexOf("/"))}/incident-updates`;
    if (path === `${basePath}${described.create.path}`.replace(/[^/]+\/?$/, "services"))
      return "/v1/status-pages/services";
    if (path === "/openapi.json" || path === `${basePath}/openapi.json`) return "/openapi.json";
    return pagePaths.includes(path) ? path : `/unknown${path}`;
  }

  const has: HasOperation = (kind, method) => {
    if (hasOfSpec(kind, method)) return true;
    if (kind === "edit") return operations?.edit?.method === method;
    const name = kind === "update" ? "addUpdate" : kind;
    return (
      (name === "list" || name === "addUpdate" || name === "updates" || name === "services") &&
      operations?.[name] !== undefined
    );
  };

  return {
    document,
    operations,
    has,
    basePath,
    accountHeader,
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
      const { parameters, security } = described[name];
      // A document can describe the header of the account as a part of the authentication.
      const ofKeys = security.find((way) => way.toLowerCase() === `header ${accountHeader}`);
      const isParameter = parameters.some((each) => each.name.toLowerCase() === accountHeader);
      const key = { in: "header", name: ofKeys?.slice("header ".length) ?? "", required: true, schema: {} };
      const needed = ofKeys === undefined || isParameter ? parameters : [...parameters, key];
      return needed.flatMap((parameter) => {
        const header = parameter.name.toLowerCase();
        // OpenAPI leaves these to the media types and to the security schemes.
        if (["accept", "authorization", "content-type"].includes(header)) return [];
        const value =
          parameter.in === "query"
            ? query.get(parameter.name)
            : ownValue(headers, header === accountHeader ? specHeader : header);
        const title = `the ${parameter.in === "query" ? "parameter" : "header"} ${parameter.name}`;
        if (value === null || value === undefined) return parameter.required ? [`${title} is required`] : [];
        const types = typesOf(parameter.schema);
        const isText = types.length === 0 || types.includes("string");
        return isText ? judgeOf(parameter.schema)(value, title) : [];
      });
    },
    checkBody: (value) => judgeBody?.(value) ?? [],
    answer(name, response) {
      const isJson = response.headers["content-type"]?.startsWith("application/json") ?? false;
      const documented = documentedAnswer(described[name], response.status);
      if (!isJson || documented === undefined) return response;
      const { key, schema, status } = documented;
      const judge = judgeOf(schema);
      const value = JSON.parse(new TextDecoder().decode(response.body)) as Node;
      const fitting = shapesOf(response.status, value).find((shape) => judge(shape).length === 0);
      if (fitting === undefined) {
        const [problem] = judge(value);
        report(`the sandbox's ${status} to a ${name} is not in the document's shape: ${problem}`);
      }
      const mediaType = ownValue(described.answerTypes[name], key) ?? "*/*";
      const type = mediaType.includes("*") ? "application/json" : mediaType;
      const headers = { ...response.headers, "content-type": `${type}; charset=utf-8` };
      return jsonResponse(status, fitting ?? value, headers);
    },
  };
}

/** The answer of the document for a status of the sandbox, and the status that it has there. */
function documentedAnswer({ answers }: ContractOperation, status: number) {
  const documented = Object.keys(answers);
  const own = statusesFor(status).find((each) => documented.includes(String(each)));
  const key =
    documented.find((each) => each === String(own)) ??
    documented.find((each) => each.toUpperCase() === `${Math.floor(status / 100)}XX`) ??
    documented.find((each) => each === "default" && status >= 400);
  return key === undefined ? undefined : { key, status: own ?? status, schema: ownValue(answers, key) ?? {} };
}

function accountHeaderOf({ create, get }: Described): string {
  const headers = [...create.parameters, ...get.parameters].filter((parameter) => parameter.in === "header");
  const names = headers.map(({ name }) => name.toLowerCase());
  return (
    names.find((name) => name === specHeader) ?? names.find((name) => name.includes("account")) ?? specHeader
  );
}

/** Whether a path is one of the template, whose parameters stand in braces. */
function matches(template: string, path: string): boolean {
  const [steps, given] = [template.split("/"), path.split("/")];
  return (
    given.length === steps.length &&
    steps.every((step, index) => (/^\{.*\}$/.test(step) ? given[index] !== "" : step === given[index]))
  );
}

/** One phrase, such as `services[0].accountId is required`. `whole` names the whole value. */
function phraseOf(violation: Violation, whole: string): string {
  const at = violation.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  const { requirement } = wordsFor(violation, whole);
  const problem =
    violation.keyword === "required" ? "required" : `invalid: the service requires ${requirement}`;
  return `${at === "" ? whole : at.replace(/^\./, "")} is ${problem}`;
}
