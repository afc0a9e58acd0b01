// Tells which creates of a dry run would send nothing, as far as the journal of this machine says.
import { idForText } from "../../delivery/incident-id.ts";
import { bestEffort } from "../../failure.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { ServiceTarget } from "../../workspace/resolve.ts";
import type { CreateInput } from "./check-input.ts";

/** A shared journal is elsewhere, and not asked. */
export async function tellDeclared(
  context: RunContext,
  { flags }: CreateInput,
  target: Pick<ServiceTarget, "account" | "baseUrl">,
  definitions: readonly LocatedDefinition[],
  isStartRelative: boolean,
): Promise<void> {
  const account = target.account.value;
  const service = { baseUrl: target.baseUrl.value, account: account?.toLowerCase() };
  const keyed =
    flags.key === undefined ? undefined : idForText({ baseUrl: service.baseUrl, account }, flags.key);
  const { openJournalState } = await import("../shared/journal/open-journal.ts");
  const { contentsOf } = await import("../../journal/content.ts");
  const { claimedFor, operation } = await import("../../journal/model.ts");
  const { knownResolved } = await import("../../delivery/batch/known-status.ts");
  await bestEffort(context, async () => {
    if ((await context.workspace.journal()).location.value.kind !== "folder") return;
    const state = await openJournalState(context);
    const model = await state.journal.model(service);
    const resolved: ReadonlySet<string> = knownResolved(model);
    const digests: string[] = [];
    for (const { definition } of definitions) {
      const id = definition.id?.toLowerCase() ?? keyed;
      const contents = contentsOf(definition, id, account, isStartRelative);
      const { digest } = contents[0] as Content;
      digests.push(digest);
      const occurrence = digests.filter((each) => each === digest).length;
      const log =
        id === undefined ? claimedFor(model, { digest, occurrence }) : operation(model, service, id);
      if (log !== undefined) tell(context, log, id, (contents.at(-1) as Content).digest, resolved);
    }
  });
}

/** Says what a create finds in its log; nothing where it would declare an incident. */
function tell(
  { info, warn }: RunContext,
  { created, digest, key, uncertain }: OperationLog,
  id: string | undefined,
  ownDigest: string,
  resolved: ReadonlySet<string>,
): void {
  if (uncertain !== undefined)
    warn(
      `the outcome of an earlier create of ${key.id} is not known: this one would look for it first; incident journal show ${key.id} tells more`,
    );
  else if (created === undefined || (id === undefined && resolved.has(created.serviceId))) return;
  else if (id === undefined)
    warn(
      `${created.serviceId} was declared from here with this content: while it is open, a create without --key sends nothing, and the command with --key may declare another`,
    );
  else if (digest === ownDigest) info(`${id} is already declared: this create would send nothing`);
  else
    warn(
      `${id} is declared with another content: this create would be refused (exit code 6); undo the change, or use another id`,
    );
}
