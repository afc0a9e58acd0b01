// Every command, a line each, in the order of `incident help commands`. The registry joins a spec and its code, so
// that a run can import the type of its spec without a cycle.
import { spec as apply } from "../commands/apply/spec.ts";
import { spec as completion } from "../commands/completion/spec.ts";
import * as config from "../commands/config/spec.ts";
import * as contract from "../commands/contract/spec.ts";
import { spec as create } from "../commands/create/spec.ts";
import { spec as doctor } from "../commands/doctor/spec.ts";
import { spec as gate } from "../commands/gate/spec.ts";
import { spec as get } from "../commands/get/spec.ts";
import * as journal from "../commands/journal/spec.ts";
import { spec as list } from "../commands/list/spec.ts";
import { spec as login } from "../commands/login/spec.ts";
import { spec as logout } from "../commands/logout/spec.ts";
import { spec as newDefinition } from "../commands/new/spec.ts";
import { spec as open } from "../commands/open/spec.ts";
import { spec as resolve } from "../commands/resolve/spec.ts";
import { spec as sandbox } from "../commands/sandbox/spec.ts";
import { spec as schema } from "../commands/schema/spec.ts";
import * as services from "../commands/services/spec.ts";
import * as templates from "../commands/templates/spec.ts";
import { spec as update } from "../commands/update/spec.ts";
import { spec as validate } from "../commands/validate/spec.ts";
import type { Command, CommandSpec, Run } from "../kit/define-command.ts";
import type { FlagSpecs } from "../kit/flags.ts";
import type { Format } from "../kit/formats.ts";

/** The summaries of the groups, by the first word of their commands. */
export const groups: ReadonlyMap<string, string> = new Map([
  ["config", "the settings, and where they come from"],
  ["services", "the project's own catalog of services"],
  ["templates", "definitions with variables, for incidents that happen again"],
  ["contract", "the rules of the service's own openapi.json"],
  ["journal", "what was sent from here, and how it ended"],
]);

export const commands: readonly Command[] = [
  withCode(create, () => import("../commands/create/run.ts")),
  withCode(update, () => import("../commands/update/run.ts")),
  withCode(resolve, () => import("../commands/resolve/run.ts")),
  withCode(get, () => import("../commands/get/run.ts")),
  withCode(list, () => import("../commands/list/run.ts")),
  withCode(open, () => import("../commands/open/run.ts")),
  withCode(validate, () => import("../commands/validate/run.ts")),
  withCode(newDefinition, () => import("../commands/new/run.ts")),
  withCode(schema, () => import("../commands/schema/run.ts")),
  withCode(services.listSpec, async () => ({ run: (await import("../commands/services/run.ts")).list })),
  withCode(services.importSpec, async () => ({
    run: (await import("../commands/services/run.ts")).importFrom,
  })),
  withCode(templates.listSpec, async () => ({ run: (await import("../commands/templates/run.ts")).list })),
  withCode(apply, () => import("../commands/apply/run.ts")),
  withCode(gate, () => import("../commands/gate/run.ts")),
  withCode(journal.listSpec, async () => ({ run: (await import("../commands/journal/run.ts")).list })),
  withCode(journal.showSpec, async () => ({ run: (await import("../commands/journal/run.ts")).show })),
  withCode(journal.settleSpec, async () => ({ run: (await import("../commands/journal/settle.ts")).settle })),
  withCode(journal.acceptSpec, async () => ({ run: (await import("../commands/journal/accept.ts")).accept })),
  withCode(journal.copySpec, async () => ({ run: (await import("../commands/journal/copy.ts")).copy })),
  withCode(journal.initSpec, async () => ({ run: (await import("../commands/journal/init.ts")).init })),
  withCode(login, () => import("../commands/login/run.ts")),
  withCode(logout, () => import("../commands/logout/run.ts")),
  withCode(config.showSpec, async () => ({ run: (await import("../commands/config/run.ts")).show })),
  withCode(contract.pullSpec, async () => ({ run: (await import("../commands/contract/run.ts")).pull })),
  withCode(contract.checkSpec, async () => ({ run: (await import("../commands/contract/run.ts")).check })),
  withCode(doctor, () => import("../commands/doctor/run.ts")),
  withCode(sandbox, () => import("../commands/sandbox/run.ts")),
  withCode(completion, () => import("../commands/completion/run.ts")),
];

export const specs: readonly CommandSpec[] = commands.map(({ spec }) => spec);

function withCode<F extends FlagSpecs, O extends Format, M extends Format>(
  spec: CommandSpec<F, O, M>,
  load: () => Promise<{ readonly run: Run<CommandSpec<F, O, M>> }>,
): Command {
  return { spec, load };
}
