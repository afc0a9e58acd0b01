// `incident doctor`: checks everything that a create depends on, one line each, and sends only reads.
import { checkAccess, withHeader, withKey } from "../api/connect.ts";
import { type KnownOperations, readOperations } from "../api/known-operations.ts";
import { describeOperation } from "../delivery/failures.ts";
import { describeOperations, tellOperations } from "../document/operations.ts";
import { Failure, type FailureKind } from "../failure.ts";
import { checkState } from "../journal/check-state.ts";
import { checkAppend } from "../journal/fleet/check-append.ts";
import { openPrivateFolder } from "../journal/folder/private-files.ts";
import { allIn, unsettled } from "../journal/model.ts";
import { openJournal, openSequences } from "../journal/open-journal.ts";
import type { CommandSpec, Run, RunContext } from "../kit/command.ts";
import { pageReport } from "../kit/report.ts";
import { safe } from "../platform/terminal/safe-text.ts";
import { shell } from "../text/advice.ts";
import { countOf } from "../text/lengths.ts";
import { renderTable } from "../view/terminal/table.ts";

export const spec = {
  result: "page",
  examples: {
    "incident doctor": "one line for each check, with its fix",
    "incident doctor -o json": "for a script; exits 0 only if every check passes",
  },
} as const satisfies CommandSpec;

interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "wrong";
  /** For `wrong`: the kind of the failure with which another command would end. */
  readonly kind?: FailureKind;
  readonly message: string;
  readonly hint?: string;
}

/** Adds a finding of a check. A kind of failure makes it `wrong`. */
type Tell = (result: "ok" | "note" | FailureKind, message: string, hint?: string) => void;

/** The kinds of failure that the checks find, the most severe first. */
const bySeverity: readonly FailureKind[] = ["uncertain", "credentials", "rejected", "usage", "unavailable"];

export const run: Run<typeof spec> = async (context) => {
  const { global, workspace } = context;
  const findings: Finding[] = [];
  const attempt = createAttempt(findings);
  await attempt("settings file", async (tell) => {
    const file = workspace.userFile;
    const settings = await workspace.profiles();
    const hint = "incident login creates it; environment variables can hold every setting as well";
    if (settings === undefined) tell("note", `${file} has no settings`, hint);
    else tell("ok", `${file}, profiles: ${[...settings.profiles.keys()].join(", ") || "none"}`);
  });
  await attempt("project file", async (tell) => {
    (await workspace.project()).settings();
    tell("ok", global.noProject ? "left out by --no-project" : (workspace.projectFile() ?? "none here"));
  });
  await attempt("state directory", (tell) => checkStateDirectory(context, tell));
  await attempt("journal", (tell) => checkJournal(context, tell));
  await attempt("contract", async () => void (await workspace.contract()));
  const target = await attempt("settings", async (tell) => {
    const found = await workspace.targetWithoutContract();
    tell("ok", `${found.baseUrl.value} (${found.baseUrl.origin}), account ${found.account.value ?? "none"}`);
    return found;
  });
  const service =
    target && (await attempt("key", async () => withHeader(context, await withKey(context, target))));
  if (service !== undefined) {
    await attempt("service", async (tell) => {
      await checkAccess(context, service);
      tell("ok", `the service accepts the key from ${service.apiKey.origin}, and refuses a made-up one`);
    });
    // Later commands use the same operations.
    await attempt("operations", async (tell) => tellKnown(tell, await readOperations(context, service)));
  }
  const wrong = findings.filter(({ status }) => status === "wrong");
  const worst = bySeverity.find((kind) => wrong.some((each) => each.kind === kind)) ?? wrong[0]?.kind;
  const failed = new Set(wrong.map(({ check }) => check)).size;
  const hint = "fix the checks marked wrong, from the top, then run incident doctor again";
  return {
    ...pageReport({ healthy: worst === undefined, checks: findings }, (style) => {
      const { color, line } = style;
      const paints = { ok: color.green, note: color.yellow, wrong: color.red.bold };
      const rows = findings.map(({ check, hint, message, status }) => {
        const next = hint === undefined ? "" : safe`; ${color.bold(line(hint))}`;
        return [paints[status](status), line(check), safe`${line(message)}${next}`];
      });
      return renderTable(style, ["RESULT", "CHECK", "FINDING"], rows);
    }),
    failure: worst && new Failure(worst, `${countOf(failed, "check")} failed`, { hint }),
    failureInData: true,
  };
};

/** Runs a check and returns its value, or undefined after a `Failure`, which is told once. */
function createAttempt(findings: Finding[]) {
  const told = new Set<string>();
  return async <T>(check: string, work: (tell: Tell) => T | Promise<T>): Promise<T | undefined> => {
    const tell: Tell = (result, message, hint) => {
      const isWrong = result !== "ok" && result !== "note";
      const found = isWrong ? ({ status: "wrong", kind: result } as const) : { status: result };
      findings.push({ check, ...found, message, ...(hint && { hint }) });
    };
    try {
      return await work(tell);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === "interrupted" || error.kind === "terminated")
        throw error;
      if (!told.has(error.message)) tellFailure(tell, error);
      told.add(error.message);
      return undefined;
    }
  };
}

/** Adds a finding for each diagnostic of a failure, else one for the failure. */
function tellFailure(tell: Tell, { details, kind, message }: Failure): void {
  const { diagnostics = [] } = details;
  if (diagnostics.length === 0) tell(kind, message, details.hint);
  for (const each of diagnostics)
    tell(kind, `${message} (line ${each.location.start.line}: ${each.message})`, each.hint);
}

/** Writes and removes a file, as a create does. */
async function checkStateDirectory(context: RunContext, tell: Tell): Promise<void> {
  const { value: folder, origin } = context.workspace.stateDirectory;
  await checkState(context, folder);
  const place = openPrivateFolder(context, folder);
  const probe = `doctor-${context.system.random.guid()}`;
  place.create(probe, "written by incident doctor\n");
  place.remove(probe);
  tell("ok", `${folder} (${origin}) can be written`);
}

async function checkJournal({ workspace, ...context }: RunContext, tell: Tell): Promise<void> {
  const location = await workspace.journal();
  if (location.kind !== "folder") {
    await checkAppend(await openSequences(context, location), context.system.random.guid());
    tell("ok", `${location.shown} (${location.origin}) can be written`);
  }
  const journal = await openJournal(context, location);
  const { broken, models } = await journal.models();
  for (const failure of broken) tellFailure(tell, failure);
  const uncertain = models.flatMap(unsettled);
  for (const log of uncertain) {
    const operation = `${log.change ? "" : "the create of "}${describeOperation(log)}`;
    const message = `the outcome of ${operation} at ${log.key.baseUrl} is not known`;
    const hint = `look for it with its settings: ${shell`incident journal settle ${log.key.id}`}`;
    tell("uncertain", message, hint);
  }
  if (broken.length > 0 || uncertain.length > 0) return;
  const creates = models.flatMap(allIn).filter(({ change }) => change === undefined);
  tell("ok", `${countOf(creates.length, "create")}, none with an unknown outcome`);
}

function tellKnown(tell: Tell, known: KnownOperations): void {
  if (known instanceof Failure) {
    tell("note", known.message, "if the key works, creates and reads do as well");
    return;
  }
  const { can } = describeOperations(known);
  const hint = "until the service describes it, do it in its web application";
  for (const [at, sentence] of tellOperations(known).entries())
    if (at === 0 && can.length > 0) tell("ok", sentence);
    else tell("note", sentence, hint);
}
