// `incident preview`: the status page that customers would see after a create. Sends nothing and needs no settings.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Failure } from "../../failure.ts";
import { createBody } from "../../incident/create-body.ts";
import type { Run, RunContext } from "../../kit/define-command.ts";
import { noPage } from "../../kit/report.ts";
import { makeTemporaryFolder } from "../../platform/folders/temporary-folder.ts";
import { replaceNamedFile, writeOrFail } from "../../platform/write-named-file.ts";
import { createIncident, type CreateBody as SentBody } from "../../sandbox/create-incident.ts";
import { renderPage } from "../../sandbox/status-page/page.ts";
import { namedFiles } from "../shared/named-files.ts";
import { type ReadOptions, readDefinitions } from "../shared/read-definitions.ts";
import type { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (context, { operands, flags }) => {
  const file = namedFiles(operands, flags.file);
  const { recursive = false, open = false, var: variables, vars } = flags;
  if (file.length === 0) {
    throw new Failure("usage", "there is nothing to show", {
      hint: "name a file or a folder, such as incident preview checkout.yaml",
    });
  }
  const page = await renderDefinitions(context, file, { recurse: recursive, var: variables, vars });
  if (!open) {
    const { escapeHtml } = await import("../../view/terminal/escape.ts");
    return { page: () => escapeHtml(page) };
  }
  const path = join(makeTemporaryFolder(context, "preview"), "status.html");
  const hint = "leave --open out, and redirect stdout to a file";
  writeOrFail(path, hint, () => replaceNamedFile(context, path, page));
  context.info(`wrote ${path}`);
  const problem = await context.prompts.openBrowser(pathToFileURL(path).href, context.system.home);
  if (problem === undefined) return { page: noPage };
  throw new Failure("usage", `no browser could be opened: ${problem}`, {
    hint: `open ${path} yourself, or name your browser's command in BROWSER`,
  });
};

/** The page shows no account. */
const noAccount = "00000000-0000-0000-0000-000000000000";

async function renderDefinitions(
  context: RunContext,
  files: readonly string[],
  options: ReadOptions,
): Promise<string> {
  const { clock, random } = context.system;
  const now = clock.now();
  const { definitions } = await readDefinitions(context, files, options);
  const incidents = definitions.map(({ definition }) => {
    const id = definition.id ?? random.guid();
    // The page shows the body as JSON carries it.
    const body: SentBody = JSON.parse(JSON.stringify(createBody(definition, id, noAccount)));
    return createIncident(body, { id, now, random });
  });
  return renderPage(incidents, {
    notice: "This is a preview: nothing has been declared, and no subscriber has been notified.",
    isPreview: true,
  });
}
