// -o definition: a file for create and apply, with one document for each incident.

import { toDefinition } from "../../incident/create-body.ts";
import { definitionSchema } from "../../incident/schemas.ts";
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import { escapeVariables } from "../../source/variables/replace-variables.ts";
import { renderYaml } from "../../source/yaml/write.ts";
import type { Drawing, Results } from "../report.ts";

export const draw = {
  incidents: ({ incidents }: Results["incidents"], { warn }: Drawing) => {
    const documents = incidents.map((incident) => {
      const definition = toDefinition(incident);
      if (!definitionSchema().safeParse(definition).success)
        warn(
          `the answer of the service for ${incident.id} is not a valid definition; incident validate says why`,
        );
      return renderYaml(escapeVariables(definition));
    });
    return joinSafe(documents, "---\n");
  },
};
