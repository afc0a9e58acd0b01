// -o definition: a file for create and apply, with one document for each incident.
import { toDefinition } from "../../incident/create-body.ts";
import type { Incident } from "../../incident/wire.ts";
import { joinSafe, type SafeText } from "../../platform/terminal/safe-text.ts";
import { escapeVariables } from "../../source/variables.ts";
import { renderYaml } from "../../source/yaml/write.ts";

export function renderDefinitions(incidents: readonly Incident[]): SafeText {
  const documents = incidents.map((incident) => renderYaml(escapeVariables(toDefinition(incident))));
  return joinSafe(documents, "---\n");
}
