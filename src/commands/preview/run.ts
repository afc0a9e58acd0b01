// `incident preview`: the status page that customers would see after a create. Sends nothing and needs no settings.
import { join, resolve } from "node:path";
import { Failure } from "../../failure.ts";
import { createBody } from "../../incident/wire.ts";
import type { Context, Files, Reporter, System } from "../../platform/context.ts";
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
      hint: "name a file with -f FILE, or use -f - for stdin",
    });
  }
  const page = await renderDefinitions(context, file, {
    recurse: recursive,
    var: variables,
    vars,
    noProject: global.noProject,
  });
  if (out === undefined && !open) return { page: () => page };
  const path = out === undefined ? createTemporaryPath(context) : resolve(context.system.cwd, out);
  writePage(context.files, path, page);
  context.info(`wrote ${path}`);
  if (open) await openBrowser(context.system, path);
  return {};
};

async function renderDefinitions(
  context: Context & Pick<Reporter, "warn">,
  files: readonly string[],
  options: ReadOptions,
): Promise<string> {
  const { clock, random } = context.system;
  const now = clock.now();
  const definitions = await readDefinitions(context, files, options);
  const incidents = definitions.map(({ definition }) => {
    const id = definition.id ?? random.guid();
    const accountId = "00000000-0000-0000-0000-000000000000";
    // The page shows the body as JSON carries it.
    const body: SentBody = JSON.parse(JSON.stringify(createBody(definition, id)));
    return createIncident(body, { id, accountId, now, random });
  });
  return renderPage(incidents, { now, notice: "This is a preview: nothing has been declared." });
}

function createTemporaryPath({
  files,
  system,
}: {
  readonly files: Pick<Files, "mkdtempSync">;
  readonly system: Pick<System, "temporary">;
}): string {
  return join(files.mkdtempSync(join(system.temporary, "incident-preview-")), "status.html");
}

function writePage(
  files: Pick<Files, "closeSync" | "openSync" | "writeSync">,
  path: string,
  page: string,
): void {
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

/** The commands that open a file in its default program on Linux, macOS and Windows. */
const openers = [["xdg-open"], ["open"], ["cmd", "/c", "start", ""]] as const;

async function openBrowser(
  { env, runChild, signal }: Pick<System, "env" | "runChild" | "signal">,
  path: string,
): Promise<void> {
  const candidates = env.BROWSER ? [[env.BROWSER]] : openers;
  for (const opener of candidates) {
    const { exitCode, problem } = await runChild([...opener, path], { env: {}, signal });
    if (problem === undefined && exitCode === 0) return;
  }
  throw new Failure("usage", "no browser could be opened", {
    hint: `open ${path} yourself, or name your browser's command in BROWSER`,
  });
}
