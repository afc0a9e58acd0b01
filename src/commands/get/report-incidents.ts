// The report of `get`, in each of its formats: the incidents as the service returned them, or as definitions.
import type { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { Report } from "../../kit/report.ts";
import type { Reporter } from "../../platform/context.ts";
import { joinSafe, type SafeText } from "../../platform/terminal/safe-text.ts";
import type { Setting } from "../../workspace/setting.ts";
import { incidentsReport } from "../shared/incident-report.ts";

export function reportIncidents(
  reporter: Pick<Reporter, "warn">,
  incidents: readonly Incident[],
  webUrl: Setting<string> | undefined,
  failure?: Failure,
): Report<"table" | "json" | "id" | "markdown" | "definition"> {
  const report = incidentsReport(incidents, webUrl, failure);
  if (report.page === undefined) return report;
  return { ...report, definition: () => renderDefinitions(reporter, incidents) };
}

/** A file for `create` and `apply`, with one document for each incident. */
async function renderDefinitions(
  { warn }: Pick<Reporter, "warn">,
  incidents: readonly Incident[],
): Promise<SafeText> {
  const { toDefinition } = await import("../../incident/to-definition.ts");
  const { definitionSchema } = await import("../../incident/definition-schema.ts");
  const { escapeVariables } = await import("../../source/variables/replace-variables.ts");
  const { renderYaml } = await import("../../source/yaml/write.ts");
  const documents = incidents.map((incident) => {
    const definition = toDefinition(incident);
    if (!definitionSchema.safeParse(definition).success)
      warn(
        `the answer of the service for ${incident.id} is not a valid definition; incident validate says why`,
      );
    return renderYaml(escapeVariables(definition));
  });
  return joinSafe(documents, "---\n");
}
