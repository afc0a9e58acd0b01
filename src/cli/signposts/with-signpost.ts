// Adds the way out to a usage failure of the parser: the command or the flag that stands in for one of another tool,
// the limits of the tool, or the nearest spelling. Loaded only when a command line is wrong.

import { Failure } from "../../failure.ts";
import type { CommandSpec } from "../../kit/define-command.ts";
import type { FlagSpec } from "../../kit/flags.ts";
import { longNameIn } from "../../kit/flags.ts";
import { globalFlags } from "../../kit/global-flags.ts";
import { isGuid } from "../../rules/forms.ts";
import { advise, argv } from "../../text/advice.ts";
import { didYouMean, nearest } from "../../text/suggest.ts";
import { ownValue } from "../../untrusted-data.ts";
import { commandsAfter, flagsOf, parseWords } from "../completion/complete.ts";
import type { WrongCommandLine } from "../fast-path.ts";
import { change, flagNames, flagSignpost, type Signpost, signpostDetails, wordSignpost } from "./words.ts";

export function withSignpost(words: readonly string[], wrong: WrongCommandLine): Failure {
  const { failure } = wrong;
  const parsed = parseWords(words);
  const found = findSignpost(words, parsed, wrong);
  if (found === undefined) return failure;
  const { message = failure.message, ...signpost } = typeof found === "string" ? { hint: found } : found;
  return new Failure("usage", message, signpostDetails(signpost, parsed.operands.find(isLikeId)));
}

/** The signpost, or a hint alone. */
function findSignpost(
  words: readonly string[],
  { group, operands, spec }: ReturnType<typeof parseWords>,
  { failure, problem, subject }: WrongCommandLine,
): Signpost | string | undefined {
  const [word = ""] = operands;
  if (spec?.name === "sandbox" && operands.length > 0 && !words.includes("--"))
    return "write -- before the command: incident sandbox -- COMMAND";
  if (problem === "exclusive-flags") return spec && separateFlags(spec, failure.message);
  if (problem === "unknown-option") return findForFlag(subject, spec);
  if (problem === "unknown-command") {
    if (words.includes("--web")) return flagSignpost("--web");
    // With an id, the text is for an incident that exists.
    if (/^(?:post|publish|send)$/.test(word) && operands.some(isLikeId)) return change;
    const near = nearest(word, namesOf(commandsAfter(group)));
    return (
      (group === undefined ? wordSignpost(word) : undefined) ??
      guessByForm(word) ??
      (near && didYouMean(near))
    );
  }
  if (spec?.name === "create" && operands.some(isGuid)) return change;
  if (spec !== undefined && problem === "missing-argument" && /^(?:incident-)?id$/.test(subject))
    return {
      message: `incident ${spec.name} needs the id of an incident`,
      hint: "add the id; these commands list ids",
      commands: ["incident list --open", "incident journal list"],
    };
  if (problem === "missing-value" && subject.startsWith("-f, --file "))
    return "name the file, or write -f - for stdin";
  return problem === "too-many-arguments" ? operandHints.get(spec?.name ?? "") : undefined;
}

/** A GUID, or the first digits of one. */
function isLikeId(word: string): boolean {
  return isGuid(word) || /^#?[0-9a-f]{8}[0-9a-f-]{0,27}$/i.test(word);
}

/** The hint for an operand of a command that takes none. */
const operandHints: ReadonlyMap<string, string> = new Map([
  ["gate", "name a service with --service, or a file with -f"],
  ["logout", "choose a profile with --profile NAME"],
]);

/** Names only flags that the command has. */
function findForFlag(typed: string, spec: CommandSpec | undefined): Signpost | string | undefined {
  const [flag = "", value] = typed.split(/=(.*)/s);
  const names = namesOf(flagsOf(spec));
  if (value !== undefined && names.includes(flag)) return valueOfSwitch(flag, value, names);
  const own: Readonly<Record<string, FlagSpec>> = { ...globalFlags, ...spec?.flags };
  const target = Object.entries(flagNames)
    .filter(([, others]) => others.split(" ").includes(flag))
    .map(([name]) => ownValue(own, name))
    .find((each) => each !== undefined);
  if (target !== undefined) return `use ${target.usage}: ${target.summary}`;
  const near = nearest(
    flag.replace(/^-+/, ""),
    names.map((name) => name.replace("--", "")),
  );
  return flagSignpost(flag) ?? (near && didYouMean(`--${near}`));
}

/** The hint for a switch with a value, such as `--yes=true`. */
function valueOfSwitch(flag: string, value: string, names: readonly string[]): string {
  if (!/^(?:false|no|off|0)$/i.test(value)) return `${flag} takes no value: write ${flag}`;
  const opposite = flag.replace("--", "--no-");
  return names.includes(opposite) ? `use ${opposite}` : `leave ${flag} out`;
}

/** The hint for an id or a file in the place of the command. */
function guessByForm(word: string): Signpost | string | undefined {
  if (isGuid(word)) return "use `incident get ID`";
  if (!/\.(ya?ml|json)$/.test(word)) return undefined;
  return { hint: advise`use ${argv`incident validate ${word}`}, or ${argv`incident create -f ${word}`}` };
}

/** For two flags that exclude each other. `message` is that of commander, which names the two flags by their usage alone. */
function separateFlags({ exclusive = [], flags }: CommandSpec, message: string): Signpost {
  const usages = [...message.matchAll(/'(.*?)'/g)].map(([, usage = ""]) => usage);
  const [, , hint = "leave one of the two out"] =
    exclusive.find((pair) => usages.every((usage, at) => ownValue(flags, pair[at] ?? "")?.usage === usage)) ??
    [];
  return { message: `${usages.map(longNameIn).join(" and ")} cannot be used together`, hint };
}

const namesOf = (candidates: readonly { readonly value: string }[]) => candidates.map(({ value }) => value);
