// Adds the way out to a usage failure of the parser: the command or the flag that stands in for one of another tool,
// the limits of the API, or the nearest spelling. Loaded only when a command line is wrong.

import { type CommandSpec, type FlagSpec, globalFlags } from "../../commands/define-command.ts";
import { Failure } from "../../failure.ts";
import { ownValue } from "../../own-value.ts";
import { isGuid } from "../../rules/forms.ts";
import { advise, argv, type Hint } from "../../text/advice.ts";
import { didYouMean, nearest } from "../../text/suggest.ts";
import { parseWords } from "../completion/complete.ts";
import type { WrongCommandLine } from "../fast-path.ts";
import { groups, specs } from "../registry.ts";
import { change, type Signpost, signpostDetails, wordSignpost } from "./words.ts";

const missingId = (command: string): Signpost => ({
  message: `incident ${command} needs the id of an incident`,
  hint: "add the id; this command lists the ids of the incidents that were declared from here",
  commands: [{ command: argv`incident journal list`, purpose: "the incidents that were declared from here" }],
});

/** The hint for an operand of a command that takes none. */
const operandHints: ReadonlyMap<string, string> = new Map([
  ["gate", "name a service with --service, or a file with -f"],
  ["logout", "choose a profile with --profile NAME"],
]);

export function withSignpost(
  words: readonly string[],
  { failure, problem, subject }: WrongCommandLine,
): Failure {
  const { group, operands, spec } = parseWords(words);
  const [word = ""] = operands;
  const id = operands.find(isGuid);
  if (spec?.name === "sandbox" && operands.length > 0 && !words.includes("--"))
    return replaced(failure, { hint: "write -- before the command: incident sandbox -- COMMAND" }, id);
  if (problem === "unknown-option") {
    const [name = "", given] = subject.split(/=(.*)/s);
    const value = valueOfSwitch(name, given, spec);
    if (value !== undefined) return replaced(failure, { hint: value }, id);
    if (words.includes("--web") && spec === undefined) return replaced(failure, openInstead, id);
    const hint = flagSignpost(name, spec);
    if (hint !== undefined) return replaced(failure, { hint }, id);
    const near = nearest(name.replace(/^-+/, ""), flagNames(spec));
    return near === undefined ? failure : replaced(failure, { hint: didYouMean(`--${near}`) }, id);
  }
  if (problem === "unknown-command") {
    if (words.includes("--web")) return replaced(failure, openInstead, id);
    const signpost = wordSignpost([group, word].filter(Boolean).join(" ")) ?? guessByForm(word);
    if (signpost !== undefined) return replaced(failure, signpost, id);
    const near = nearest(word, commandWords(group));
    return near === undefined ? failure : replaced(failure, { hint: didYouMean(near) }, id);
  }
  if (spec?.name === "create" && id !== undefined) return replaced(failure, change, id);
  if (spec !== undefined && problem === "missing-argument" && /^(?:incident-)?id$/.test(subject))
    return replaced(failure, missingId(spec.name), id);
  if (problem === "missing-value" && subject.startsWith("-f, --file "))
    return replaced(failure, { hint: "name the file, or write -f - for stdin" }, id);
  const operandHint = operandHints.get(spec?.name ?? "");
  if (operandHint !== undefined && problem === "too-many-arguments")
    return replaced(failure, { hint: operandHint }, id);
  return failure;
}

const openInstead: Signpost = { hint: advise`use ${argv`incident open ID`}` };

/** The hint for a switch with a value, such as `--yes=true`. */
function valueOfSwitch(name: string, value: string | undefined, spec: CommandSpec | undefined) {
  const flag = name.replace(/^--/, "");
  if (value === undefined || !flagNames(spec).includes(flag)) return undefined;
  const isOff = /^(?:false|no|off|0)$/i.test(value);
  if (!isOff) return `--${flag} takes no value: write --${flag}`;
  return flagNames(spec).includes(`no-${flag}`) ? `use --no-${flag}` : `leave --${flag} out`;
}

function commandWords(group: string | undefined): readonly string[] {
  if (group === undefined)
    return [...new Set([...specs.map(({ name }) => name.split(" ")[0] ?? name), ...Object.keys(groups)])];
  return specs.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []));
}

/** The hint for an id or a file in the place of the command. */
function guessByForm(word: string): Signpost | undefined {
  if (isGuid(word)) return { hint: advise`use ${argv`incident get ID`}` };
  if (word === "incident") return { hint: "write incident once" };
  if (word === "/?") return { hint: advise`use ${argv`incident --help`}` };
  if (!/\.(ya?ml|json)$/.test(word)) return undefined;
  return { hint: advise`use ${argv`incident validate ${word}`}, or ${argv`incident create -f ${word}`}` };
}

function replaced(failure: Failure, signpost: Signpost, id: string | undefined): Failure {
  return new Failure("usage", signpost.message ?? failure.message, signpostDetails(signpost, id));
}

/** The name of the flag in a spec or among the flags of every command, by the names that other tools give it. */
const flagByName = Object.entries({
  name: "--title -t --headline --subject --summary",
  message: "--description --desc --body -m --text --comment --content",
  severity: "--sev --priority --impact --level --urgency -s --sev1 --sev2 --sev3 --p1 --p2 --p3",
  status: "--state",
  service: "--services --component --components --affected --service-name",
  notify: "--notify-subscribers --notification --send-notifications",
  noNotify: "--silently --no-notifications",
  file: "--filename --path --from-file --input-file --definition",
  recursive: "-r --recurse",
  var: "--set --variable",
  vars: "--var-file --values --vars-file --env-file",
  dryRun: "--dryrun --plan --what-if --whatif --noop --no-execute --preview -n",
  key: "--idempotency-key --dedup-key --dedupe --request-id",
  new: "--create-new",
  watch: "--follow --tail",
  waitFor: "--wait --for --until",
  waitTimeout: "--max-wait --wait-for-timeout",
  interval: "--poll --poll-interval --refresh",
  concurrency: "--parallelism --parallel --jobs -j",
  failOnDrift: "--detailed-exitcode --exit-code --fail-on-diff",
  yes: "--force --auto-approve -auto-approve --assume-yes --approve --confirm",
  noInput: "--non-interactive --no-prompt --no-interactive --batch --input",
  debug: "--verbose --trace --log-level -d",
  quiet: "--silent -s",
  account: "--account-id --org --organization --namespace --workspace --project --team",
  profile: "--context --env --environment --config -p",
  timeout: "--request-timeout --connect-timeout",
  maxRetries: "--retries --retry --max-attempts",
  stateDir: "--state-file --state-folder",
  noColor: "--no-colour --monochrome",
}).map(([flag, names]) => [flag, names.split(" ")] as const);

const login = argv`incident login`;

const byFlags: readonly (readonly [hint: Hint, names: string])[] = [
  [advise`use ${argv`incident --version`}`, "-V --ver"],
  [advise`use ${argv`incident --help`}`, "-? --hlep --hepl"],
  [advise`use --debug to see each request, or ${argv`incident --version`} for the version`, "-v -vv -vvv"],
  ["use -o json", "--json -json --porcelain"],
  ["use -o yaml", "--yaml"],
  ["use -o markdown", "--markdown --md"],
  [
    "give the JSON to jq: incident get ID -o json | jq .name",
    "--jq --query --template --jsonpath --go-template --filter --fields",
  ],
  ["give the id of an incident; incident create -f FILE declares one", "-f --file --filename"],
  [
    advise`use ${argv`incident get ID --wait-for resolved`}, with the id that create prints`,
    "--wait --wait-for",
  ],
  ["use -o, such as -o json", "--format --out --output-format --no-headers"],
  [advise`use ${argv`incident open ID`}`, "--web --browser --open"],
  ["use -o id", "--id-only --ids --name-only"],
  [
    advise`set INCIDENT_CLI_API_KEY or run ${login}: other users of the machine can see arguments`,
    "--api-key --apikey --token --access-token --api-token --password",
  ],
  [
    advise`set INCIDENT_CLI_BASE_URL or run ${login}: no flag can send a stored key elsewhere`,
    "--base-url --url --host --server --endpoint --endpoint-url --api-url --region",
  ],
  ["write id: in the file, or use --key TEXT", "--id --uuid"],
  [
    advise`read each incident by its id; ${argv`incident journal list`} lists the incidents that were declared from here`,
    "--all --limit --page --page-size --max-items --sort --selector -l",
  ],
];
const hintByFlag = new Map(
  byFlags.flatMap(([hint, names]) => names.split(" ").map((name) => [name, hint] as const)),
);

/** `flag` is unknown, and as it was typed, without a value. Only flags that the command has are named. */
function flagSignpost(flag: string, spec: CommandSpec | undefined): Hint | undefined {
  const flags: Readonly<Record<string, FlagSpec>> = { ...globalFlags, ...spec?.flags };
  const target = flagByName
    .flatMap(([name, names]) => (names.includes(flag) ? [ownValue(flags, name)] : []))
    .find((found) => found !== undefined);
  return target === undefined ? hintByFlag.get(flag) : `use ${target.usage}: ${target.summary}`;
}

/** The long names of the flags that a command takes, without their dashes. */
function flagNames(spec: CommandSpec | undefined): readonly string[] {
  const usages = [...Object.values({ ...globalFlags, ...spec?.flags }).map(({ usage }) => usage), "--output"];
  return usages.flatMap((usage) => /--([\w-]+)/.exec(usage)?.[1] ?? []);
}
