// Compares the tool's assumptions about the service with the service's own OpenAPI document (spec 9.2). Lists each
// difference and whether it can prevent declaring or reading an incident.

import { maxNameLength, severities, statuses } from "../incident/definition.ts";
import { bodyFields, serviceFields, updateFields } from "../incident/wire.ts";
import { type OperationFacts, readOperations, type SchemaFacts } from "./read-openapi.ts";

export interface Difference {
  /** One sentence: the fact in the document. */
  readonly message: string;
  /** Whether the difference can cause a refused create or an unreadable incident. */
  readonly matters: boolean;
  /** One sentence: the consequence, or the next action. */
  readonly hint: string;
}

const createPath = "/v1/status-pages/incidents";
const getPath = `${createPath}/{}`;

const newer = "a newer version of incident may know it";

/** Undefined if `document` is not an OpenAPI document. `accountHeader` is the header that the tool sends. */
export function compareContract(document: unknown, accountHeader: string): readonly Difference[] | undefined {
  const operations = readOperations(document);
  if (operations === undefined) return undefined;
  const find = (method: string, path: string) =>
    operations.find(
      (operation) => operation.method === method && withoutParameterNames(operation.path) === path,
    );
  const create = find("POST", createPath);
  const get = find("GET", getPath);
  return [
    ...compareOperation(create, `POST ${createPath}`, "201", accountHeader),
    ...compareOperation(get, `GET ${createPath}/{incidentId}`, "200", accountHeader),
    ...(create === undefined ? [] : compareBody(create.body())),
    ...compareAnswer("the created incident", create?.response("201")),
    ...compareAnswer("an incident that is read", get?.response("200")),
    ...operations
      .filter(
        (operation) => operation !== create && operation !== get && operation.path.startsWith(createPath),
      )
      .map(({ method, path }) => harmless(`there is a new operation: ${method} ${path}`, newer)),
  ];
}

/** Removes the parameters' names from a path, because each document chooses its own. */
function withoutParameterNames(path: string): string {
  return path.replace(/\{[^}]*\}/g, "{}");
}

function compareOperation(
  operation: OperationFacts | undefined,
  name: string,
  success: string,
  accountHeader: string,
): Difference[] {
  if (operation === undefined) {
    const hint = "check the base URL; if it is right, the service has moved on, and so must incident";
    return [harmful(`there is no ${name}`, hint)];
  }
  const differences: Difference[] = [];
  if (operation.isDeprecated) differences.push(harmless(`${name} is deprecated`, newer));
  if (operation.statuses.length > 0 && !operation.statuses.some((status) => covers(status, success))) {
    const hint = "look after each create: another answer is not taken for success";
    differences.push(
      harmful(`${name} does not answer ${success}, but ${operation.statuses.join(", ")}`, hint),
    );
  }
  const headers = [...operation.headers.keys()].filter(
    (header) => !/^(authorization|accept|content-type)$/i.test(header),
  );
  if (headers.length > 0 && !headers.some((header) => header.toLowerCase() === accountHeader)) {
    const hint = `set accountHeader in the profile to the one that names the account`;
    differences.push(harmful(`${name} has no header ${accountHeader}, but ${headers.join(", ")}`, hint));
  }
  return differences;
}

function covers(status: string, code: string): boolean {
  return status === code || status === "default" || status.toLowerCase() === `${code[0]}xx`;
}

function compareBody(body: SchemaFacts | undefined): Difference[] {
  if (body === undefined) {
    return [
      harmless("the create's body is not described", "nothing can be compared; incident validate checks it"),
    ];
  }
  const update = body.field("incidentUpdates")?.items();
  const service = body.field("services")?.items();
  return [
    ...compareValues("severity", body.field("severity"), severities),
    ...compareValues("the status of an update", update?.field("status"), statuses),
    ...compareName(body.field("name")),
    ...compareFields("the create's body", body, {
      known: bodyFields,
      always: ["name", "severity", "services", "incidentUpdates"],
      // Sent until the service is known to refuse it.
      mostly: ["id"],
    }),
    ...compareFields("an update of the create's body", update, {
      known: updateFields,
      always: ["description", "notifySubscribers"],
    }),
    ...compareFields("a service of the create's body", service, {
      known: serviceFields,
      always: ["name", "id"],
      // The account of the settings, unless it is none.
      mostly: ["accountId"],
    }),
    ...compareLeast("services", body.field("services")),
    ...compareLeast("incidentUpdates", body.field("incidentUpdates")),
  ];
}

function compareAnswer(what: string, answer: SchemaFacts | undefined): Difference[] {
  if (answer === undefined || answer.fields.length === 0) return [];
  const known: readonly string[] = [...bodyFields, "lastUpdateStatus"];
  return [
    ...(answer.fields.includes("id")
      ? []
      : [harmful(`${what} has no id`, "look after each create: an answer without an id is not believed")]),
    ...answer.fields
      .filter((field) => !known.includes(field))
      .map((field) => harmless(`${what} has a new field: ${field}`, "-o json shows it")),
  ];
}

function compareValues(what: string, facts: SchemaFacts | undefined, ours: readonly string[]): Difference[] {
  const theirs = facts?.values;
  if (theirs === undefined) return [];
  return [
    ...ours
      .filter((value) => !theirs.includes(value))
      .map((value) => harmful(`${what} cannot be ${value} any more`, `write one of ${theirs.join(", ")}`)),
    ...theirs
      .filter((value) => !ours.includes(value))
      .map((value) => harmless(`${what} can also be ${value}`, `a definition cannot use it yet: ${newer}`)),
  ];
}

function compareName(facts: SchemaFacts | undefined): Difference[] {
  const longest = facts?.maxLength;
  if (longest === undefined || longest === maxNameLength) return [];
  const message = `a name has at most ${longest} characters, not ${maxNameLength}`;
  return longest < maxNameLength
    ? [harmful(message, `keep names to ${longest} characters: a longer one is refused by the service`)]
    : [harmless(message, `a definition can use ${maxNameLength} of them`)];
}

interface SentFields {
  readonly known: readonly string[];
  /** The fields of every create. A definition can add the others of `known`. */
  readonly always: readonly string[];
  readonly mostly?: readonly string[];
}

function compareFields(
  what: string,
  facts: SchemaFacts | undefined,
  { known, always, mostly = [] }: SentFields,
): Difference[] {
  if (facts === undefined) return [];
  const missing = facts.fields.length === 0 ? [] : always.filter((field) => !facts.fields.includes(field));
  const unknown = facts.fields.filter((field) => !known.includes(field));
  return [
    ...missing.map((field) =>
      harmful(
        `${what} has no field ${field} any more`,
        "a create may be refused, or lose it: look after each one",
      ),
    ),
    ...facts.required
      .filter((field) => !always.includes(field) && !mostly.includes(field))
      .map((field) =>
        known.includes(field)
          ? harmless(
              `${what} requires ${field}`,
              "write it into definitions if a create without it is refused",
            )
          : harmful(`${what} requires ${field}, which incident cannot send`, newer),
      ),
    ...unknown
      .filter((field) => !facts.required.includes(field))
      .map((field) =>
        harmless(`${what} has a new field: ${field}`, `a definition cannot use it yet: ${newer}`),
      ),
  ];
}

function compareLeast(what: string, facts: SchemaFacts | undefined): Difference[] {
  const least = facts?.minItems ?? 0;
  return least > 1
    ? [harmful(`${what} needs at least ${least} entries`, "write that many into definitions")]
    : [];
}

function harmful(message: string, hint: string): Difference {
  return { message, matters: true, hint };
}

function harmless(message: string, hint: string): Difference {
  return { message, matters: false, hint };
}
