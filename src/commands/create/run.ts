// `incident create`: checks every file, then declares each incident in order, exactly once.
import { connect } from "../../api/connect.ts";
import { createAll } from "../../delivery/batch.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort, Failure } from "../../failure.ts";
import type { Prompts, Reporter } from "../../platform/context.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { Run } from "../define-command.ts";
import { canAsk, canPrompt, isYes } from "../shared/confirm.ts";
import { fieldsOf, isComplete } from "../shared/flag-overrides.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { createNotificationNotice } from "../shared/notification-notice.ts";
import { readDefinitions } from "../shared/read-definitions.ts";
import { dryRunReport } from "./dry-run.ts";
import type { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (context, { flags: given, format, global }) => {
  const { file = [], recursive = false, dryRun = false } = given;
  const fields = fieldsOf(given);
  const asks = file.length === 0 && !isComplete(fields) && canPrompt(context, global);
  if (file.length === 0 && Object.keys(fields).length === 0 && !asks) {
    throw new Failure("usage", "there is nothing to create", {
      hint: "name a file with -f FILE, or use -f - for stdin",
    });
  }
  if (format === "curl" && !dryRun) {
    throw new Failure("usage", "-o curl only works with --dry-run", {
      hint: "add --dry-run",
    });
  }
  const options = {
    recurse: recursive,
    var: given.var,
    vars: given.vars,
    noProject: global.noProject,
    fields,
  };
  // Check the settings before the first question.
  const early = asks && !dryRun ? (await connect(context, global)).client : undefined;
  const asked = asks
    ? await (await import("./interactive.ts")).askForDefinition(context, global, fields, early)
    : undefined;
  const definitions = asked ? [asked.definition] : await readDefinitions(context, file, options);
  if (given.key !== undefined) checkKey(given.key, definitions);
  if (dryRun) return dryRunReport(context, definitions, { ...global, key: given.key });
  const client = early ?? (await connect(context, global)).client;
  const { state, delivery } = openDelivery(context, client, {
    ...global,
    noJournal: given.noJournal,
    withoutLooking: given.withoutLooking,
  });
  const plain = definitions.map(({ definition }) => definition);
  const { acknowledge, failure, incidents } = await createAll(
    {
      ...delivery,
      claims: state.claims,
      subjects: state.subjects,
      key: given.key,
      isNew: given.new ?? false,
      beforeSend: createNotificationNotice(context, global, plain, asked !== undefined),
      ...(canAsk(context, global) &&
        !global.yes && {
          confirmSimilar: (similar) => confirmAfter(context, similar, similarQuestion),
        }),
      ...(canAsk(context, global) && {
        confirmResend: (problem) => confirmAfter(context, problem.message, resendQuestion),
        confirmWithoutLook: (problem) => confirmAfter(context, problem.message, withoutLookQuestion),
      }),
    },
    plain,
  );
  if (incidents.length > 0) asked?.discardDraft();
  const onPrinted = () =>
    bestEffort(context, async () => {
      await acknowledge();
      await state.prune();
    });
  return { ...incidentsReport(incidents, failure), onPrinted };
};

const similarQuestion = "Declare another incident? [y/N] ";
const resendQuestion = "Send it again? If the first was created, there may be two. [y/N] ";
const withoutLookQuestion = "Send it anyway? If it exists already, there may be two. [y/N] ";

async function confirmAfter(
  { prompts, warn }: { readonly prompts: Pick<Prompts, "ask"> } & Pick<Reporter, "warn">,
  problem: string,
  question: string,
): Promise<boolean> {
  warn(problem);
  const answer = await prompts.ask(question);
  return answer !== undefined && isYes(answer);
}

/** `--key` identifies a single incident without an id. */
function checkKey(key: string, definitions: readonly LocatedDefinition[]): void {
  const [only, ...others] = definitions;
  if (key.trim() === "") {
    throw new Failure("usage", "--key is empty", {
      hint: "give it a text that names this incident, such as a build's number",
    });
  }
  if (others.length > 0) {
    throw new Failure("usage", `--key names one incident, but there are ${definitions.length} definitions`, {
      hint: "give each definition an id, or create them one by one with a key each",
    });
  }
  if (only?.definition.id !== undefined) {
    throw new Failure(
      "usage",
      `--key cannot be used with a definition that has an id (${only.definition.id})`,
      {
        hint: "remove the id or --key",
      },
    );
  }
}
