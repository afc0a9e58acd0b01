// Draws the page that customers would see.
import { bodyAsWritten } from "../incident/create-body.ts";
import type { Definition } from "../incident/definition.ts";
import { incidentFacts } from "../incident/wire.ts";
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { renderIncident } from "./incident.ts";
import type { Style } from "./terminal/style.ts";

/** It does not show who was notified. */
export function renderPreview(style: Style, definition: Definition): SafeText {
  const status = definition.incidentUpdates.at(-1)?.status;
  const facts = incidentFacts({ ...bodyAsWritten(definition, undefined), id: "", lastUpdateStatus: status });
  const updates = facts.updates.map((update) => ({ ...update, notified: undefined }));
  const page = renderIncident(style, { ...facts, updates });
  return safe`${style.color.dim("What customers will see:")}\n\n${page}`;
}
