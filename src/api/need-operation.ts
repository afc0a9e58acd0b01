// An operation that the spec does not show, for a command that cannot go on without it.
import { Failure } from "../failure.ts";
import { operationNouns, reasonFor } from "../incident/contract/describe-operations.ts";
import type { OperationName, Operations } from "../rules/openapi/operations.ts";
import { advise, argv, type Hint, inWebApplication } from "../text/advice.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { type OperationsDeps, type OperationsOptions, operationsOf } from "./known-operations.ts";

/** Throws a `Failure`: why the document cannot be read, or that it lacks the operation and where a person does it. */
export async function needOperation<N extends OperationName>(
  context: OperationsDeps,
  settings: ServiceSettings,
  options: OperationsOptions,
  name: N,
): Promise<NonNullable<Operations[N]>> {
  const known = await operationsOf(context, settings, options);
  const noun = operationNouns[name];
  if (!known.isKnown)
    throw known.failure.with({
      message: `whether the service describes ${noun} is not known: ${known.failure.message}`,
    });
  const operation = known.operations[name];
  if (operation !== undefined) return operation;
  throw new Failure(
    "rejected",
    `the service's document does not describe ${noun}: ${reasonFor(known.operations, name)}`,
    { hint: elsewhere(name, settings) },
  );
}

/** Where a person does it: the address of the web application is that of its incidents. */
function elsewhere(name: OperationName, { webUrl }: ServiceSettings): Hint {
  const origin =
    webUrl !== undefined && URL.canParse(webUrl.value) ? new URL(webUrl.value).origin : undefined;
  const place = inWebApplication(origin);
  if (name === "list")
    return advise`look at the incidents ${place}; those that were declared from here: ${argv`incident journal list`}`;
  return `do it ${place}`;
}
