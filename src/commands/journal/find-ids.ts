// The incidents that a person names to a command that only reads: by an id, the first digits of an id, `latest`, or an
// address. All but the id are looked up in the journal, and none is accepted where a create is settled.

import { Failure } from "../../failure.ts";
import type { OperationLog } from "../../journal/events.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { guidPattern, isGuid } from "../../rules/forms.ts";
import { advise, argv } from "../../text/advice.ts";

const listed = advise`${argv`incident journal list`} lists the incidents that were declared from here`;

/** The ids, each as it was given or as the journal has it. Throws a `Failure` "usage". */
export async function findIds(
  context: RunContext,
  global: GlobalFlags,
  given: readonly string[],
): Promise<readonly string[]> {
  if (given.every(isGuid)) return given;
  const wrong = given.find((text) => !isGuid(text) && matcherOf(text) === undefined);
  if (wrong !== undefined) {
    const isFilter = /^\.[\w[]/.test(wrong) || wrong === ".";
    throw new Failure("usage", `"${wrong}" cannot be an incident's id`, {
      hint: isFilter
        ? `give the JSON to jq: incident get ID -o json | jq '${wrong}'`
        : advise`an id is a GUID: ${listed}`,
    });
  }
  const { openJournal, serviceKeys } = await import("./open-journal.ts");
  const { logs } = await (await openJournal(context, global)).list();
  const { account, baseUrl } = await context.workspace.settings();
  const [own] = serviceKeys(context, { baseUrl: baseUrl.setting, account: account.setting });
  const here = logs.filter(({ key }) => own?.baseUrl === key.baseUrl && own.account === key.account);
  return given.map((text) => {
    if (isGuid(text)) return text;
    const found = matcherOf(text)?.(here) ?? [];
    const [log] = found;
    if (log !== undefined && found.length === 1) {
      context.info(`${text} is ${idOf(log)}: ${log.name ?? "an incident without a name"}`);
      return idOf(log);
    }
    const which = found.length === 0 ? "no incident" : `${found.length} incidents`;
    const [inAddress] = idsIn(text);
    throw new Failure("usage", `"${text}" names ${which} of the journal`, {
      hint: advise`write the whole id, ${inAddress ?? "a GUID"}; ${listed}`,
    });
  });
}

type Matcher = (logs: readonly OperationLog[]) => readonly OperationLog[];

/** The search of the journal that the text asks for, or undefined for a text of another form. The oldest log comes first. */
function matcherOf(text: string): Matcher | undefined {
  if (/^@?(?:latest|last)$/i.test(text)) return (logs) => logs.slice(-1);
  if (/^https?:\/\//i.test(text)) {
    const ids = idsIn(text);
    return (logs) => logs.filter((log) => idsOf(log).some((id) => ids.includes(id)));
  }
  const start = text.toLowerCase().replace(/^#/, "");
  if (!/^(?:(?=.*\d)[0-9a-f]{4}|[0-9a-f]{8})[0-9a-f-]{0,31}$/.test(start)) return undefined;
  return (logs) => logs.filter((log) => idsOf(log).some((id) => id.startsWith(start)));
}

function idsIn(address: string): readonly string[] {
  return address.toLowerCase().match(new RegExp(guidPattern.source.slice(1, -1), "g")) ?? [];
}

/** The service's own id, where it is known. */
function idOf({ created, key }: OperationLog): string {
  return created?.serviceId ?? key.id;
}

function idsOf(log: OperationLog): readonly string[] {
  return [log.key.id, idOf(log)].map((id) => id.toLowerCase());
}
