// An operation that the spec does not show, for a command that cannot go on without it.
import { Failure } from "../failure.ts";
import { operationNouns, reasonFor } from "../incident/contract/describe-operations.ts";
import type { OperationName, Operations } from "../rules/openapi/operations.ts";
import { advise, argv, type Hint, inWebApplication } from "../text/advice.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { incidentLink } from "../workspace/web-url.ts";
import { type OperationsDeps, operationsOf } from "./known-operations.ts";

/** Throws a `Failure`: why the document cannot be read, or that it lacks the operation and where a person does it. */
export async function needOperation<N extends OperationName>(
  context: OperationsDeps,
  settings: ServiceSettings,
  name: N,
): Promise<NonNullable<Operations[N]>> {
  const known = await operationsOf(context, settings);
  const noun = operationNouns[name];
  if (!known.isKnown)
    throw known.failure.with({
      message: `whether the service describes ${noun} is not known: ${known.failure.message}`,
    });
  return describedOperation(known.operations, settings, name);
}

/** Throws a `Failure` where the document lacks the operation. `id`: of the incident that it is for. */
export function describedOperation<N extends OperationName>(
  operations: Operations,
  settings: Pick<ServiceSettings, "webUrl">,
  name: N,
  id?: string,
): NonNullable<Operations[N]> {
  const operation = operations[name];
  if (operation !== undefined) return operation;
  throw new Failure(
    "rejected",
    `the service's document does not describe ${operationNouns[name]}: ${reasonFor(operations, name)}`,
    { hint: elsewhere(name, settings, id) },
  );
}

/** Where a person does it: the address of the web application is that of its incidents. */
function elsewhere(
  name: OperationName,
  { webUrl }: Pick<ServiceSettings, "webUrl">,
  id: string | undefined,
): Hint {
  if (id !== undefined) return `nothing was sent; do it ${inWebApplication(incidentLink(webUrl, id))}`;
  const origin =
    webUrl !== undefined && URL.canParse(webUrl.value) ? new URL(webUrl.value).origin : undefined;
  const place = inWebApplication(origin);
  if (name === "list")
    return advise`look at the incidents ${place}; those that were declared from here: ${argv`incident journal list`}`;
  return `do it ${place}`;
}
