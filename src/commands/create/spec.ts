// The command line and the help of `incident create`, and the checks of its flags: alone, and against the definitions.
import { Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import type { CommandSpec, FlagsOf, Input, RunContext } from "../../kit/command.ts";
import { flag } from "../../kit/flags.ts";
import { definitionFlags, fieldFlags, sendFlags } from "../../kit/shared-flags.ts";
import { isDateTime } from "../../rules/forms.ts";
import { timeBefore } from "../../text/date-times.ts";
import { listOf } from "../../text/lengths.ts";
import { missingFlags } from "../sending/fields.ts";
import { canAsk } from "../shared/questions.ts";

export const spec = {
  operands: "[file...]",
  flags: {
    ...fieldFlags,
    ...definitionFlags,
    template: flag.text(
      "--template <name>",
      "a template of this project, with its variables; see incident templates list",
    ),
    key: flag.text(
      "--key <text>",
      "identify the incident: every run with the same text declares the same one",
    ),
    dedupKey: flag.text(
      "--dedup-key <text>",
      "one open incident for this text: while it is open, answer with it; once resolved, declare another",
    ),
    ...sendFlags,
    new: flag.switch(
      "--new",
      "declare another incident, even if the same one is open, unfinished or has no known outcome",
    ),
  },
  result: "incidents",
  modes: { dryRun: "requests" },
  examples: {
    "incident create": "at a terminal: asks for everything",
    "incident create -f checkout.yaml": "declare an incident",
    "id=$(incident create -f checkout.yaml -o id)": "keep its id",
    "incident create -f incidents/ -R": "every definition in a folder and its sub-folders",
    "generate | incident create -f -": "from another program",
    "incident create --name 'Checkout fails' --severity major --service checkout --message 'We are on it.'":
      "without a file",
    "incident create --template checkout --var region=eu --dedup-key checkout-eu":
      "from an alert that fires again and again: one open incident",
    "incident create -f checkout.yaml --started-at -20m": "it began before it was declared",
    "incident create -f checkout.yaml --dry-run": "see the request and its digest first",
    "incident create -f checkout.yaml --confirm sha256:DIGEST": "send only what that preview showed",
  },
  notes:
    "Every file is checked before the first request. After an error in any file, nothing is " +
    "sent. A flag overrides the field of the file.\n" +
    "Afterwards, incident update and incident resolve post the next updates, where the service's document describes it.",
} as const satisfies CommandSpec;

export type CreateInput = Input<FlagsOf<typeof spec>>;

/** Checks the flags before a file is read. `asks`: whether a person is asked for missing ones. Throws a `Failure` "usage". */
export function checkInput(context: RunContext, typed: CreateInput) {
  const { startedAt } = typed.flags;
  const start = startedAt && parseStartTime(startedAt, context.system.clock.now());
  // The command line must mean the same instant later.
  const flags = { ...typed.flags, ...(start && { startedAt: start }) };
  const files = [...(flags.file ?? []), ...typed.operands];
  if (flags.template !== undefined && files.length > 0)
    throw new Failure("usage", "--template cannot be used together with files", {
      hint: "leave the files out, and give the body of an alert with --vars FILE",
    });
  const missing = files.length > 0 || flags.template !== undefined ? [] : missingFlags(flags);
  const asks = missing.length > 0 && !flags.dryRun && canAsk(context);
  if (missing.length > 0 && !asks)
    throw new Failure("usage", `without a file, ${listOf(missing)} must be given`, {
      hint: "add what is missing, or name a file with -f FILE, or use -f - for stdin; nothing was sent",
    });
  return { asks, files, input: { ...typed, flags } };
}

/** Whether a rerun recognizes each incident, so that one confirmation is one incident. */
export function areNamed({ dedupKey, key }: CreateInput["flags"], definitions: readonly Definition[]) {
  return (key ?? dedupKey) !== undefined || definitions.every(({ id }) => id !== undefined);
}

/** `--key` and `--dedup-key` identify a single incident without an id. `--confirm` needs one of the three. */
export function checkKeys(flags: CreateInput["flags"], definitions: readonly Definition[]): void {
  const { confirm, dedupKey, dryRun = false, key, new: isNew = false } = flags;
  const resolved = definitions.find(
    ({ id, incidentUpdates }) => id === undefined && incidentUpdates.at(-1)?.status === "RESOLVED",
  );
  // Its content and --dedup-key identify an incident only while it is open.
  if (resolved !== undefined && key === undefined && !dryRun && !isNew) {
    const message = `"${resolved.name}" ends in RESOLVED and has no id: a rerun would declare it again`;
    throw new Failure("usage", message, {
      hint: "add an id (incident validate --fix --assign-ids), or --key with a text that names it; nothing was sent",
    });
  }
  if (confirm !== undefined && !areNamed(flags, definitions))
    throw new Failure("usage", "--confirm needs an incident that has an id, a --key or a --dedup-key", {
      hint: "nothing was sent; --dry-run prints the command to confirm, or what it lacks",
    });
  const text = key ?? dedupKey;
  if (text === undefined) return;
  const flag = key === undefined ? "--dedup-key" : "--key";
  const [only, ...others] = definitions;
  if (text.trim() === "")
    throw new Failure("usage", `${flag} is empty`, {
      hint: "give it a text that names the incident, such as the number of a build or the group of an alert",
    });
  if (others.length > 0) {
    const message = `${flag} names one incident, but there are ${definitions.length} definitions`;
    throw new Failure("usage", message, {
      hint: "give each definition an id, or create them one by one with a key each",
    });
  }
  if (only?.id !== undefined) {
    const message = `${flag} cannot be used with a definition that has an id (${only.id})`;
    throw new Failure("usage", message, { hint: `remove the id or ${flag}` });
  }
}

const minute = 60_000;

const year = 365 * 24 * 60 * minute;

/** ISO 8601. Throws a `Failure` "usage" for another form, a time in the future, and one over a year ago. */
function parseStartTime(text: string, now: number): string {
  const before = timeBefore(text, now);
  if (before === undefined && !isDateTime(text))
    throw new Failure("usage", `--started-at ${text} is no real date and time`, {
      hint: "write ISO 8601 with an offset, such as 2026-03-01T09:30:00Z, or a time before now, such as -20m; nothing was sent",
    });
  const at = before ?? Date.parse(text);
  // The clocks of machines differ by up to a minute.
  const where = at > now + minute ? "is in the future" : at < now - year ? "is over a year ago" : undefined;
  if (where !== undefined)
    throw new Failure("usage", `--started-at ${text} ${where}`, { hint: "check the date; nothing was sent" });
  return before === undefined ? text : `${new Date(at).toISOString().slice(0, 19)}Z`;
}
