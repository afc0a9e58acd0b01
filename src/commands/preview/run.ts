// `incident preview`: the status page as customers would see it once these definitions are declared. Nothing is
// sent, and no settings are needed.
import { join, resolve } from "node:path";
import { Failure } from "../../failure.ts";
import { createBody } from "../../incident/wire.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { writeAll } from "../../platform/write-all.ts";
import { createIncident, type CreateBody as SentBody } from "../../sandbox/create-incident.ts";
import { renderPage } from "../../sandbox/status-page/page.ts";
import type { Run } from "../define-command.ts";
import { type ReadOptions, readDefinitions } from "../shared/read-definitions.ts";
import type { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (context, { flags, global }) => {
  const { file = [], recursive = false, out, open = false, var: variables, vars } = flags;
  if (file.length === 0) {
    throw new Failure("usage", "there is nothing to show", {
      hint: "name a file with -f FILE, or - for stdin",
    });
  }
  const page = await renderDefinitions(context, file, {
    recurse: recursive,
    var: variables,
    vars,
    noProject: global.noProject,
  });
  if (out === undefined && !open) return { page: () => page };
  const path = out === undefined ? temporaryPage(context) : resolve(context.cwd, out);
  writePage(context, path, page);
  context.info(`wrote ${path}`);
  if (open) await openBrowser(context, path);
  return {};
};

async function renderDefinitions(
  context: Context & Reporter,
  files: readonly string[],
  options: ReadOptions,
): Promise<string> {
  const { clock, random } = context;
  const now = clock.now();
  const definitions = await readDefinitions(context, files, options);
  const incidents = definitions.map(({ definition }) => {
    const id = definition.id ?? random.guid();
    const accountId = "00000000-0000-0000-0000-000000000000";
    // What the page shows is what would have crossed the wire.
    const body: SentBody = JSON.parse(JSON.stringify(createBody(definition, id)));
    return createIncident(body, { id, accountId, now, random });
  });
  return renderPage(incidents, { now, notice: "This is a preview: nothing has been declared." });
}

function temporaryPage({ files, temporary }: Context): string {
  return join(files.mkdtempSync(join(temporary, "incident-preview-")), "status.html");
}

function writePage({ files }: Context, path: string, page: string): void {
  try {
    const descriptor = files.openSync(path, "w", 0o644);
    try {
      writeAll(files, descriptor, page);
    } finally {
      files.closeSync(descriptor);
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new Failure("usage", `the page cannot be written: ${detail}`, {
      hint: "name another file with --out, or leave it out and redirect stdout",
    });
  }
}

/** What opens a file as a double click does: on Linux, on macOS, on Windows. */
const openers = [["xdg-open"], ["open"], ["cmd", "/c", "start", ""]] as const;

async function openBrowser({ env, runChild, signal }: Context, path: string): Promise<void> {
  const chosen = env.BROWSER ? [[env.BROWSER]] : openers;
  for (const opener of chosen) {
    const { exitCode, problem } = await runChild([...opener, path], { env: {}, signal });
    if (problem === undefined && exitCode === 0) return;
  }
  throw new Failure("usage", "no browser could be opened", {
    hint: `open ${path} yourself, or name your browser's command in BROWSER`,
  });
}
