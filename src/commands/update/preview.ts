// The preview of an update and an edit: the requests, and their digest for --confirm.
import { buildRequest, type RequestTarget, saidBy, toWire, withoutKey } from "../../api/request.ts";
import type { EditedFields } from "../../delivery/changes/edit.ts";
import type { EqualOnes } from "../../delivery/changes/plan-update.ts";
import { updateBody } from "../../incident/contract/update-body.ts";
import type { Update } from "../../incident/definition.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { ModeReport, RunContext } from "../../kit/define-command.ts";
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import type { Operations } from "../../rules/openapi/operations.ts";
import { listOf } from "../../text/lengths.ts";
import type { ShownRequest } from "../../view/request.ts";
import { escapeJson } from "../../view/terminal/escape.ts";
import {
  announceConfirmation,
  confirmableBy,
  type Preview,
  previewOf,
  tellNotified,
} from "../shared/consent/consent.ts";
import type { spec, Typed } from "./spec.ts";

/** The requests of a run. */
export interface Changes {
  readonly incident: Incident;
  readonly operations: Operations;
  readonly fields?: EditedFields;
  readonly update?: Update;
  readonly isNew: boolean;
  /** With `--new`. */
  readonly equalOnes?: EqualOnes;
}

/** The digest covers the changed fields, and not those that an edit carries over. */
export function previewChanges(
  context: RunContext,
  target: RequestTarget,
  { equalOnes, fields, incident, isNew, operations, update }: Changes,
  { spec, typed }: Typed,
) {
  const { addUpdate, edit } = operations;
  const { id } = incident;
  const requests = [
    ...(fields && edit ? [buildRequest(target, { method: edit.method, id, body: fields })] : []),
    ...(update && addUpdate
      ? [
          buildRequest(target, {
            method: "POST",
            id,
            segment: addUpdate.segment,
            body: updateBody(addUpdate, update),
          }),
        ]
      : []),
  ];
  const shown = requests.map((request) => {
    const { body = "", ...wire } = toWire(withoutKey(request));
    return { ...wire, body: escapeJson(body) };
  });
  const services = incidentFacts(incident).services.map(({ id, name = id ?? "" }) => name);
  // Nothing states whether an edit notifies, so that it counts as if it did.
  const notifies = update?.notifySubscribers === true || fields !== undefined;
  return previewOf(
    context,
    spec,
    typed as never,
    { requests: requests.map(saidBy), isNew, equalOnes },
    {
      data: shown,
      notified: notifies ? listOf([...new Set(services)]) || incident.id : "",
      page: async (style) => (await import("../../view/request.ts")).renderRequests(style, shown),
    },
  );
}

export const editNotice = "nothing states whether an edit notifies subscribers";

export function dryRunReport(
  context: RunContext,
  preview: Preview & { readonly data: readonly ShownRequest[] },
  { fields, update }: Pick<Changes, "fields" | "update">,
): ModeReport<typeof spec> {
  const { data, page } = preview;
  context.info("nothing was sent");
  if (update !== undefined) tellNotified(context, update.notifySubscribers ? preview.notified : "");
  if (fields !== undefined) context.info(editNotice);
  announceConfirmation(context, preview);
  const confirmable = data.map((request) => ({ ...request, ...confirmableBy(preview) }));
  const [first, ...others] = confirmable;
  return {
    data: first !== undefined && others.length === 0 ? first : confirmable,
    page,
    curl: async () => {
      const { renderCurl } = await import("../../view/request.ts");
      return joinSafe(data.map((request) => renderCurl(request)));
    },
  };
}
