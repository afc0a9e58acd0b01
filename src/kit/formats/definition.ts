// -o definition: a file for create and apply, with one document for each incident.
import { toDefinition } from "../../incident/create-body.ts";
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import { escapeVariables } from "../../source/variables.ts";
import { renderYaml } from "../../source/yaml/write.ts";
import type { Results } from "../report.ts";

export const draw = {
  incidents: ({ incidents }: Results["incidents"]) => {
    const documents = incidents.map((incident) => renderYaml(escapeVariables(toDefinition(incident))));
    return joinSafe(documents, "---\n");
  },
};
