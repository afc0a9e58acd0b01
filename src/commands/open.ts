// `incident open`: prints the address of an incident in the web application, and opens it at a terminal.
import { foreignIdFailure } from "../api/errors.ts";
import { Failure } from "../failure.ts";
import type { CommandSpec, Run } from "../kit/command.ts";
import { lineReport } from "../kit/report.ts";
import { checkWebUrl, incidentLink } from "../workspace/service-urls.ts";
import { environmentVariables } from "../workspace/settings.ts";
import { readIds } from "./shared/incident-ids.ts";
import { readOwnId } from "./shared/journal.ts";
import { canAsk } from "./shared/questions.ts";

export const spec = {
  operands: "<id>",
  result: "page",
  examples: { "incident open 7c9e6679-7425-40de-944b-e07fc1f90ae7": "to post an update" },
  notes:
    "The address comes from webUrl of the profile, or from INCIDENT_CLI_WEB_URL. At a terminal, the system's browser opens\n" +
    "an address that begins with https://. With --no-input, and where CI is set, it is only printed.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { operands }) => {
  const [operand = ""] = readIds(operands);
  const { settings, userFile } = context.workspace;
  const { webUrl: setting } = await settings();
  if (setting === undefined)
    throw new Failure("usage", "the address of the web application is not set", {
      hint: `run incident login, or write webUrl: "https://…/{id}" in a profile of ${userFile}, or set ${environmentVariables.webUrl}`,
    });
  const id = await readOwnId(context, operand);
  const address = incidentLink(checkWebUrl(setting), id);
  if (address === undefined) throw foreignIdFailure(id).with({ kind: "usage" });
  if (context.format === "table" && canAsk(context) && address.startsWith("https://"))
    await context.prompts.openBrowser(address, context.system.home);
  return lineReport({ id, link: address }, address);
};
