// Several creates, in the order of their definitions. The first that fails ends the batch, and the same command continues it.
// A create has the first update of its definition, and the others are posted after it. Where the service describes no way to add
// an update, the create has all of them.
import type { AddUpdate } from "../../document/contract.ts";
import { asFailure, cancellation, Failure } from "../../failure.ts";
import { differencesOf } from "../../incident/comparison.ts";
import type { Definition } from "../../incident/definition.ts";
import { isResolved } from "../../incident/wire.ts";
import { contentOf } from "../../journal/content.ts";
import type { Content } from "../../journal/events.ts";
import { emptyLog } from "../../journal/fold.ts";
import { claimedFor, type Model, operationIn, unsettledCreates } from "../../journal/model.ts";
import { countOf } from "../../text/lengths.ts";
import { createOnce } from "../create-once.ts";
import { checkNotification, checkShown, differenceWarnings, readDeclared } from "../creates/declared.ts";
import type { Delivered, DeliveryOptions, DeliveryRequest } from "../delivery-options.ts";
import { findSimilarCreate, localTimeOf, worstOf } from "../failures.ts";
import { idForText } from "../incident-id.ts";
import type { Changes } from "../timeline/changes.ts";

export interface BatchResult {
  readonly delivered: readonly DeliveredWhole[];
  readonly failure?: Failure;
}

export interface DeliveredWhole extends Delivered {
  readonly posted?: number;
  /** The updates that a dry run leaves to be posted. */
  readonly rest?: Changes | undefined;
}

interface PlannedCreate extends DeliveryRequest {
  /** The open incident that this content declared before. */
  readonly open?: Delivered | undefined;
}

export async function createAll(
  options: DeliveryOptions,
  definitions: readonly Definition[],
): Promise<BatchResult> {
  const { isNew, journal, named, reporter, service, system } = options;
  const delivered: DeliveredWhole[] = [];
  const requests: PlannedCreate[] = [];
  let at = 0;

  /** A create without an id continues the newest of its content that is unfinished or open: its `sending` event claims the content. */
  async function requestOf(model: Model, definition: Definition): Promise<PlannedCreate> {
    const id = definition.id?.toLowerCase() ?? (named?.key && idForText(service, named.key));
    const content = await contentToSend(options, definition, id);
    const updates = definition.id === undefined ? undefined : definition.incidentUpdates;
    if (id !== undefined)
      return { log: operationIn(model, { ...service, id }), content, updates, mayExist: true };
    const { digest } = content;
    const equal = requests.filter((each) => each.claim !== undefined && each.content.digest === digest);
    const claim = equal.length + 1;
    const known = isNew ? undefined : claimedFor(model, digest, claim);
    const planned = { content, mayExist: false, claim, after: known?.key.id };
    if (known !== undefined && known.created === undefined) return { ...planned, log: known };
    const incident = known && (await readDeclared(options, known));
    if (known === undefined || incident === undefined || isResolved(incident))
      return { ...planned, log: emptyLog({ ...service, id: system.random.guid() }) };
    const open = { incident, log: known, how: "open", since: known.created?.at } as const;
    checkShown(options, model, incident);
    checkNotification(content, open);
    return { ...planned, log: known, open };
  }

  /** Throws a `Failure` where a create may be an earlier one with an unknown outcome. */
  function checkUnsettled(model: Model): void {
    const own = new Set(requests.map(({ log }) => log.key.id));
    const unsettled = unsettledCreates(model).filter(({ key }) => !own.has(key.id));
    const begun = requests.filter(({ log }) => log.uncertain === undefined && log.created === undefined);
    for (const { content } of begun) {
      const failure = findSimilarCreate(options, unsettled, content);
      if (failure !== undefined) throw failure;
    }
  }

  function endedBy(failure: Failure): Failure {
    if (definitions.length === 1) return failure;
    const untried = definitions.length - at - 1;
    const rest = untried > 0 ? `; ${untried} not tried` : "";
    const isPublished = delivered.some(({ how, posted = 0 }) => how === "declared" || posted > 0);
    return (worstOf([failure], isPublished) ?? failure).with({
      message: `${delivered.length} declared, then "${definitions[at]?.name}" (${at + 1} of ${definitions.length}): ${failure.message}${rest}`,
    });
  }

  try {
    // A failure here ends the batch before the first create is sent.
    const model = await journal.model(service);
    for (const definition of definitions) {
      at = requests.length;
      requests.push(await requestOf(model, definition));
    }
    at = 0;
    if (!isNew) checkUnsettled(model);
    for (const [index, request] of requests.entries()) {
      at = index;
      if (system.signal.aborted) throw cancellation(system.signal, "nothing more was sent");
      const created = request.open ?? (await createOnce(options, request));
      const definition = definitions[index] as Definition;
      // Nothing is posted to an open incident of another operation.
      const isOthers = created.how === "open" && created.log.created === undefined;
      const one = isOthers ? created : await withRest(options, request.content, created, definition);
      const { id } = created.incident;
      if (isOthers && definition.incidentUpdates.length > 1)
        reporter.warn(
          `${id} is open already, and the other updates of the definition are not posted: incident update ${id} posts one, with its --status and --message`,
        );
      const differences = one.how === "open" ? differencesOf(request.content.body, one.incident) : [];
      for (const warning of differenceWarnings(one.incident, differences)) reporter.warn(warning);
      if (!options.acceptsAnyContent) tellOver(options, one, definition);
      delivered.push(one);
      if (one.how !== "unsent") reporter.info(describe(options, one, definition));
      if (one.failure !== undefined) throw one.failure;
    }
    return { delivered };
  } catch (error) {
    // The ids of the declared incidents are reported also after a fault of the tool.
    if (options.neverSends || (!(error instanceof Failure) && delivered.length === 0)) throw error;
    return { delivered, failure: endedBy(asFailure(error)) };
  }
}

/** Warns of a resolved incident of an earlier run whose definition does not end in RESOLVED: it may be used again. */
function tellOver(
  { reporter }: DeliveryOptions,
  { how, incident }: DeliveredWhole,
  { incidentUpdates }: Definition,
): void {
  if (how === "found" && isResolved(incident) && incidentUpdates.at(-1)?.status !== "RESOLVED")
    reporter.warn(
      `${incident.id} is resolved, and nothing was declared: another incident needs another id or --key`,
    );
}

function describe(
  options: DeliveryOptions,
  { how, incident, posted = 0, since }: DeliveredWhole,
  { name: title }: Definition,
): string {
  const also = how === "declared" || posted === 0 ? "" : `, and posted ${countOf(posted, "update")} after it`;
  const name = `${incident.id}  ${title}${also}`;
  const declaredAt = since === undefined ? undefined : localTimeOf(options, since);
  switch (how) {
    case "unsent":
    case "declared":
      return `declared ${name}`;
    case "found": {
      const origin = declaredAt === undefined ? "" : ` (from here, ${declaredAt})`;
      return `already declared ${name}${origin}`;
    }
    case "open": {
      const origin = declaredAt === undefined ? "" : `declared from here at ${declaredAt}; `;
      return `still open ${name} (${origin}--new declares another)`;
    }
  }
}

export async function contentToSend(
  { client, operations }: Pick<DeliveryOptions, "client" | "operations">,
  definition: Definition,
  id: string | undefined,
): Promise<Content> {
  const adding = await findAddingOperation(operations, [definition]);
  return contentOf(definition, id, client.settings.account.value, { isWhole: adding === undefined });
}

/** The operation that adds the later updates, or why it is not known; undefined where each create has all of its updates. */
export async function findAddingOperation(
  operations: DeliveryOptions["operations"],
  definitions: readonly Definition[],
): Promise<AddUpdate | Failure | undefined> {
  if (definitions.every(({ incidentUpdates }) => incidentUpdates.length <= 1)) return undefined;
  const known = await operations();
  if (!(known instanceof Failure)) return known.addUpdate;
  return known.kind === "unavailable" ? known : undefined;
}

/** Posts the updates of the definition that its create did not have. */
export async function withRest(
  options: DeliveryOptions,
  content: Content,
  delivered: Delivered,
  definition: Definition,
): Promise<DeliveredWhole> {
  const { failure, how, log } = delivered;
  const count = Math.max(definition.incidentUpdates.length, log.parts?.updates.length ?? 0);
  // Only a run with the same text of the alert continues its updates.
  const isOthers = options.acceptsAnyContent && how !== "declared" && log.digest !== content.digest;
  if (count <= 1 || isOthers || how === "unsent" || failure !== undefined) return delivered;
  const { postRest } = await import("../timeline/changes.ts");
  return { ...delivered, ...(await postRest(options, { ...delivered, content, definition })) };
}
