// The incidents that a person names: by an id, the first digits of an id, `latest`, or an address. All but the id are
// looked up in the journal, then in the list of the service where a command permits it. Where a create is settled, one
// without a known outcome has to fit, and no other.

import { Failure } from "../../../failure.ts";
import type { OperationLog } from "../../../journal/events.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import { guidPattern, isGuid } from "../../../rules/forms.ts";
import { advise, argv } from "../../../text/advice.ts";

const listed = advise`${argv`incident journal list`} lists the incidents that were declared from here`;

/**
 * The ids, each as it was given or as the journal has it. `of`: the operations that digits, `latest` and an address can
 * name. Throws a `Failure` "usage".
 */
export async function findIds(
  context: RunContext,
  given: readonly string[],
  readList?: ReadList,
  of: "all" | "uncertain" = "all",
): Promise<readonly string[]> {
  if (given.every(isGuid)) return given;
  const wrong = given.find((text) => !isGuid(text) && matcherOf(text) === undefined);
  if (wrong !== undefined) {
    const isFilter = /^\.[\w[]/.test(wrong) || wrong === ".";
    throw new Failure("usage", `"${wrong}" cannot be an incident's id`, {
      hint: isFilter
        ? `give the JSON to jq: incident get ${given.find((text) => matcherOf(text) !== undefined || isGuid(text)) ?? "ID"} -o json | jq '${wrong}'`
        : advise`an id is a GUID: ${listed}`,
    });
  }
  const { openJournal, serviceKeys } = await import("./open-journal.ts");
  const journal = await openJournal(context);
  const isAll = of === "all";
  const { changes, logs } = isAll ? { ...(await journal.list()), changes: [] } : await journal.unsettled();
  const { accountId: account, baseUrl } = await context.workspace.settings();
  const [own] = serviceKeys(context, { baseUrl: baseUrl.setting, account: account.setting });
  const here = [...logs, ...changes].filter(
    ({ key }) => own?.baseUrl === key.baseUrl && own.account === key.account,
  );
  const known = here.map((log): Named => ({ id: idOf(log), ids: idsOf(log), name: log.name }));
  let inList: readonly Named[] | undefined;
  const found: string[] = [];
  for (const text of given) {
    const matches = matcherOf(text);
    if (matches === undefined) {
      found.push(text);
      continue;
    }
    // The newest is that of the service, which has the incidents of others as well.
    if (isLatest(text) && readList !== undefined) inList ??= await readList();
    // The newest of several is no decision about one.
    let named = !isAll && isLatest(text) ? known : matches((isLatest(text) && inList) || known);
    if (named.length === 0 && readList !== undefined) {
      inList ??= await readList();
      named = matches(inList ?? []);
    }
    const [first] = named;
    if (first === undefined || named.length > 1) {
      const place = isAll
        ? inList === undefined
          ? "the journal"
          : "the journal or of the service's list"
        : "the journal without a known outcome";
      throw ambiguous(text, named.length, place);
    }
    context.info(`${text} is ${first.id}: ${first.name ?? "an incident without a name"}`);
    found.push(first.id);
  }
  return found;
}

/** The incidents of the service's list, the oldest first; undefined where it is not known how to list. */
export type ReadList = () => Promise<readonly Named[] | undefined>;

export interface Named {
  readonly id: string;
  /** In lower case, with an id that the service has replaced. */
  readonly ids: readonly string[];
  readonly name: string | undefined;
}

function ambiguous(text: string, count: number, place: string): Failure {
  const which = count === 0 ? "no incident" : `${count} incidents`;
  const [inAddress] = idsIn(text);
  return new Failure("usage", `"${text}" names ${which} of ${place}`, {
    hint: advise`write the whole id, ${inAddress ?? "a GUID"}; ${listed}`,
  });
}

type Matcher = (known: readonly Named[]) => readonly Named[];

/** The search that the text asks for, or undefined for an id or a text of another form. The oldest comes first. */
function matcherOf(text: string): Matcher | undefined {
  if (isGuid(text)) return undefined;
  if (isLatest(text)) return (known) => known.slice(-1);
  if (/^https?:\/\//i.test(text)) {
    const ids = idsIn(text);
    return (known) => known.filter((each) => each.ids.some((id) => ids.includes(id)));
  }
  const start = text.toLowerCase().replace(/^#/, "");
  if (!/^(?:(?=.*\d)[0-9a-f]{4}|[0-9a-f]{8})[0-9a-f-]{0,31}$/.test(start)) return undefined;
  return (known) => known.filter((each) => each.ids.some((id) => id.startsWith(start)));
}

function isLatest(text: string): boolean {
  return /^@?(?:latest|last)$/i.test(text);
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
