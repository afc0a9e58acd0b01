// `incident get`: reads incidents by id, once or until something has happened. Results come in the order of the
// ids.
import type { Client } from "../../api/client.ts";
import { connect, createServiceClient } from "../../api/connect.ts";
import { Failure } from "../../failure.ts";
import { isGuid } from "../../incident/rules.ts";
import type { Incident } from "../../incident/wire.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import type { Flags, Format, GlobalFlags, Run } from "../define-command.ts";
import type { getOptions } from "../options.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import type { PollOptions } from "./poll.ts";

/** Milliseconds between two looks, unless --interval says otherwise. */
const defaultInterval = 10_000;

/** A look a second is a tenth of what the service allows (spec 8); the rest is for others with the same key. */
const shortestInterval = 1000;

export const run: Run = async (context, { flags, format, global, operands }) => {
  const given = flags as Flags<typeof getOptions>;
  const { interval = defaultInterval, waitFor: wanted, waitTimeout, watch: isWatch = false } = given;
  checkIds(operands);
  checkFlags(given, format);
  const goal =
    wanted === undefined ? undefined : (await import("./wait-condition.ts")).parseGoal(wanted, waitTimeout);
  if (isWatch) {
    const { watch } = await import("./watch.ts");
    const quiet = { ...context, ...silence };
    return watch(context, await openObserving(quiet, global, operands, interval), goal, format);
  }
  if (goal !== undefined) {
    const { waitFor } = await import("./wait-for.ts");
    return waitFor(context, await openObserving(context, global, operands, interval), goal);
  }
  const client = await connect(context, global);
  const { failure, incidents } = await getAll(client, operands);
  const { views, ...report } = incidentsReport(incidents, failure);
  return { ...report, views: { ...views, definition: () => renderDefinitions(context, incidents) } };
};

/** What is there, and the first failure: one that is missing does not keep the others from being shown. */
async function getAll(
  client: Client,
  ids: readonly string[],
): Promise<{ readonly incidents: readonly Incident[]; readonly failure?: Failure }> {
  const incidents: Incident[] = [];
  let failure: Failure | undefined;
  for (const id of ids) {
    try {
      incidents.push(await client.getIncident(id));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure ??= error;
      if (error.kind !== "missing") break;
    }
  }
  return failure === undefined ? { incidents } : { incidents, failure };
}

function checkIds(ids: readonly string[]): void {
  const odd = ids.filter((id) => !isGuid(id));
  if (odd.length > 0) {
    throw new Failure("usage", `${odd.map((id) => `"${id}"`).join(" and ")} cannot be an incident's id`, {
      hint: "an id is a GUID, such as 7c9e6679-7425-40de-944b-e07fc1f90ae7; nothing was sent",
    });
  }
}

function checkFlags(flags: Flags<typeof getOptions>, format: Format): void {
  const { interval, waitFor, waitTimeout, watch = false } = flags;
  if (watch && format !== "table" && format !== "json") {
    throw new Failure("usage", `--watch cannot print ${format}`, { hint: "use -o json, or leave -o out" });
  }
  if (waitTimeout !== undefined && waitFor === undefined) {
    throw new Failure("usage", "--wait-timeout limits --wait-for, which is not there", {
      hint: "add --wait-for STATUS; --timeout is for a single request",
    });
  }
  if (interval === undefined) return;
  if (!watch && waitFor === undefined) {
    throw new Failure("usage", "--interval is for --watch and --wait-for", { hint: "add one of them" });
  }
  if (interval < shortestInterval) {
    throw new Failure("usage", "--interval is too short for the service's rate limit", {
      hint: "give it 1s or more",
    });
  }
}

/** A page that is drawn in its place is not to be written into. */
const silence: Pick<Reporter, "info" | "progress" | "withSpinner"> = {
  info: () => undefined,
  progress: () => undefined,
  withSpinner: (_say, work) => work(),
};

async function openObserving(
  context: Context & Reporter,
  global: GlobalFlags,
  ids: readonly string[],
  interval: number,
): Promise<PollOptions> {
  const client = await connect(context, global);
  const patientClient = createServiceClient(context, client.settings, { ...global, maxRetries: 0 });
  // Several incidents are as many requests.
  return {
    context,
    client,
    patientClient,
    ids,
    interval: Math.max(interval, (ids.length * shortestInterval) / 5),
  };
}

/** A file that `create` and `apply` take, one document for each incident. */
async function renderDefinitions(context: Reporter, incidents: readonly Incident[]): Promise<string> {
  const { toDefinition } = await import("../../incident/to-definition.ts");
  const { definitionSchema } = await import("../../incident/definition.ts");
  const { escapeVariables } = await import("../../source/variables.ts");
  const { renderYaml } = await import("../../source/yaml.ts");
  const documents = incidents.map((incident) => {
    const written = toDefinition(incident);
    if (!definitionSchema.safeParse(written).success)
      context.warn(
        `what the service gave of ${incident.id} is no sound definition; incident validate says why`,
      );
    return renderYaml(escapeVariables(written));
  });
  return documents.join("---\n");
}
