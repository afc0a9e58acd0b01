// Draws what a person sees before anything is sent: the page that customers would see.
import type { IncidentFacts } from "../incident/wire.ts";
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { renderIncident } from "./incident.ts";
import type { Style } from "./terminal/style.ts";

export function renderPreview(style: Style, incident: IncidentFacts): SafeText {
  return safe`\n${style.color.dim("What customers will see:")}\n\n${renderIncident(style, incident)}\n`;
}
