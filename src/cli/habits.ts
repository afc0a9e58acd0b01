// The words of other tools, and the command that each leads to: one table. Loaded only when a command line is wrong.
import { Failure } from "../failure.ts";
import { textFields } from "../incident/definition.ts";
import { statuses } from "../incident/values.ts";
import type { Command, CommandSpec } from "../kit/define-command.ts";
import { type FlagSpecs, longNameIn } from "../kit/flags.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import { isPublished } from "../project.ts";
import { isGuid } from "../rules/forms.ts";
import { Advice, type Argv, type Hint, inWebApplication, shellWord } from "../text/advice.ts";
import { didYouMean, nearest } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import { commandsIn, groups } from "./registry.ts";

/** Names no package while no registry has it: a stranger who takes the name would get keys. */
const upgrade = isPublished
  ? "use npm install --global incident-cli@latest"
  : "install the package of the newest release, or of a clone: npm ci && npm pack && npm install --global ./incident-cli-*.tgz";

const deleting = "delete rm del remove undo rollback destroy";

/**
 * A line has the words, and the next action. `a+b` is `a` with the operand `b`; GUID, ID and FILE are operands of that form,
 * and <shell> is what is missing. `after get:` begins a line about operands and flags of that command, and `*` is any operand.
 * `flag NAME` is our own flag, where the command has it; `run NAME` is a command that only reads, and runs. A command in
 * braces can be run as it is; in it, ID and FILE stand for what was typed.
 */
const table = `
describe show view = run get
ls = run list
edit patch set modify change ack acknowledge comment note = use {incident update ID}
escalate raise-severity downgrade severity set+severity = use incident update ID --severity critical
reopen = use incident update ID --reopen --message TEXT
investigate identify monitor = use incident update ID --status STATUS --message TEXT
close end finish done = use {incident resolve ID}
post+ID send+ID publish+ID = use {incident update ID}
post send publish = use {incident update ID} to post an update, or {incident create} for a new incident
${deleting} = delete the incident ${inWebApplication()}; these commands only read
retry = run the same create again; if its outcome is unknown, use incident journal settle ID
search find query ps incidents incident = use {incident list}
status read = use {incident get ID}, or {incident list --open}
watch follow tail = use {incident get ID --watch}
wait = use incident get ID --wait-for STATUS
plan diff dry-run = use incident apply -f FOLDER --dry-run
browse web --web --browser --open = use {incident open ID}
declare report raise trigger add start = use {incident create}
init = use incident new FILE for a definition, or {incident login} for settings
lint check test verify = use incident validate FILE
fmt format fix = use incident validate --fix FILE
export import = use incident get ID -o definition > FILE
postmortem post-mortem = use incident get ID -o markdown > FILE
explain fields = use {incident new}, which has a comment beside each field
history log logs last latest state = use {incident journal list}, or {incident journal show ID}
auth+status journal+path whoami settings env = use {incident config show}
config+set auth configure signin setup token = use {incident login}, or edit the file that {incident config show} names
config+use-context config+use workspace context = give --profile NAME, or set INCIDENT_CLI_PROFILE
service component components = use {incident services}
ping health = use {incident doctor}
mock serve demo rehearse = use incident sandbox -- COMMAND
version -V --ver = use {incident --version}
maintenance schedule subscribers users = incident has incidents only; look for the rest ${inWebApplication()}
upgrade self-update = ${upgrade}
man manual docs help /? -? --hlep --hepl = use {incident --help}, or incident help COMMAND
GUID = use {incident get ID}
FILE = use incident validate FILE, or incident create -f FILE
<shell> = name the shell: bash, zsh or fish
<path> = name the file, or write -f - for stdin
after get: all incidents = use {incident list}
after get open update resolve: incident = leave the word incident out: incident get ID
after get open update resolve: --id = leave the flag out, and write the id alone
after list: open --state = use {incident list --open}, or --status STATUS
after list: * = choose with --open, --status, --severity, --service or --since; incident get ID shows one incident
after resolve update: all --all -a = name each incident; {incident list --open -o id} prints their ids
after update: latest = name the incident by its id; {incident list --open} lists those that are not resolved
after update: ${statuses.join(" ").toLowerCase()} = give the status with --status: incident update ID --status STATUS --message TEXT
after update: * = give the text with --message: incident update ID --message TEXT
after sandbox: * = write -- before the command: incident sandbox -- COMMAND
after gate: * = name a service with --service, or a file with -f
after logout: * = choose a profile with --profile NAME
after list: --watch -w = use incident get ID --watch, which follows one incident
after list journal-list: -a -A --all --all-namespaces = leave it out: the resolved ones are there as well, and --limit shows more
after update: --resolve --resolved --close = use {incident resolve ID}
after update resolve: -f --file --filename = give the id of an incident, and a text with --message; incident apply -f FILE posts what was added to a file
after resolve: --status --state = leave it out: the status is RESOLVED; {incident update ID} posts another
after sandbox: --port -p --host = leave it out: the sandbox prints the address that it has chosen
--monitoring --identified --investigating = flag status
-L --max-items --page-size --count = flag limit
-t = flag name
--description --desc -m --comment = flag message
--sev --urgency -s --sev1 --sev2 --sev3 --p1 --p2 --p3 = flag severity
--services --component --components --affected --service-name = flag service
--notify-subscribers --notification --send-notifications = flag notify
--silent --silently --no-notifications --no-notification --no-email = flag noNotify
--start --started --start-time --at --since = flag startedAt
--filename --path --from-file --input-file --definition --data --data-binary --cli-input-json --body-file -d = flag file
-r --recurse = flag recursive
--set --variable = flag var
--var-file --values --vars-file --env-file = flag vars
--dry --dryrun --check --validate-only --plan --what-if --whatif --noop --no-execute --preview -n = flag dryRun
--idempotency-key --dedup-key --dedupe --request-id = flag key
--create-new = flag new
--follow --tail = flag watch
--wait --wait-until --for --until = flag waitFor
--max-wait --wait-for-timeout = flag waitTimeout
--ignore-drift = flag allowDrift
--force --auto-approve -auto-approve --assume-yes --approve --confirm = flag yes
--non-interactive --no-prompt --no-interactive --batch --input = flag noInput
--verbose --trace --log-level -d = flag debug
--silent -s = flag quiet
--account-id --org --organization --namespace --workspace --project --team = flag account
--context --env --environment --config -p = flag profile
--request-timeout --connect-timeout = flag timeout
--no-colour --monochrome = flag noColor
-v -vv -vvv = use --debug to see each request, or {incident --version} for the version
--json -json --porcelain = use -o json
--markdown --md = use -o markdown
--jq --query --template --jsonpath --go-template --filter --fields --sort --sort-by --search = give the JSON to jq, as in -o json | jq .
-f --file --filename = a file is for incident create -f FILE and incident apply -f FOLDER; {incident list} lists ids
--wait --wait-for = use {incident get ID --wait-for resolved}, with the id that create prints
--format --output-format --no-headers = use -o, such as -o json
--out --output-file = redirect stdout, as in > FILE; -o is the format, such as -o json
--id-only --ids --name-only = use -o id
--api-key --apikey --token --access-token --api-token --password = set INCIDENT_CLI_API_KEY or run {incident login}: other users of the machine can see arguments
--base-url --url --host --server --endpoint --endpoint-url --api-url --region = set INCIDENT_CLI_BASE_URL or run {incident login}: no flag can send a stored key elsewhere
api curl -X -H --request --header = see the request as a command: incident create -f FILE --dry-run -o curl
--prune = leave it out: a file that is gone deletes nothing at the service
--insecure --insecure-skip-tls-verify --no-verify = leave it out: set NODE_EXTRA_CA_CERTS to a file with the certificate of the issuer
--id --uuid = write id: in the file, or use --key TEXT
--concurrency --parallelism --parallel --jobs -j = set INCIDENT_CLI_RATE, such as to 100/60s, to send more slowly
--retries --retry --max-attempts --max-retries = use --deadline: retries end with it, such as with --deadline 1m
--all --limit --page --page-size --max-items --selector -l = use {incident list}, which has filters and --limit
`;

interface Habit {
  readonly typed: readonly string[];
  readonly say: string;
  /** The commands that the line is about; undefined for a word in the place of a command, or a flag of any. */
  readonly after: readonly string[] | undefined;
}

const habits = table
  .trim()
  .split("\n")
  .map((line): Habit => {
    const [, after, typed = "", say = ""] = /^(?:after (.*?): )?(.*?) = (.*)$/.exec(line) ?? [];
    return { typed: typed.split(" "), say, after: after?.split(" ") };
  });

/** The names that other tools have for a field are flags as well. */
const ofFields = textFields.map(({ key, rules }): Habit => {
  const names = rules["x-aliases"] ?? [];
  return { typed: names.map((name) => `--${name}`), say: `flag ${key}`, after: undefined };
});

/** A group and its command have a hyphen between them. */
const isAfter = (after: readonly string[], { name }: CommandSpec) => after.includes(name.replace(" ", "-"));

/** The next action for a word or a flag, after a command or in its place. */
function find(word: string, spec?: CommandSpec): string | undefined {
  const isFlag = word.startsWith("-");
  const flags: FlagSpecs = { ...globalFlags, ...spec?.flags };
  for (const { after, say, typed } of [...habits, ...ofFields]) {
    if (!typed.includes(word) && !(typed.includes("*") && !isFlag)) continue;
    if (after ? !spec || !isAfter(after, spec) : spec && !isFlag) continue;
    const [, name] = /^flag (\w+)$/.exec(say) ?? [];
    if (name === undefined) return say;
    const flag = ownValue(flags, name);
    if (flag !== undefined) return `use ${flag.usage}: ${flag.summary}`;
  }
  return undefined;
}

/** The command that a word of another tool means. */
export const meantBy = (word: string): string | undefined => /^run (.*)$/.exec(find(word) ?? "")?.[1];

/** Whether an operand is a word of another tool. */
export const hasHabit = (operand: string, spec: CommandSpec): boolean =>
  habits.some(({ after, typed }) => after && isAfter(after, spec) && typed.includes(operand));

/** A command line that the parser does not take. */
export interface Problem {
  readonly is: "unknown command" | "unknown option" | "missing operand" | "missing value" | "operand";
  /** The word, the flag or the operand that it is about. */
  readonly subject: string;
  readonly message: string;
  /** Where to look, if no habit leads on. */
  readonly hint: Hint;
  readonly command?: Command;
  /** The words that are no flag, without those of the command. */
  readonly operands: readonly string[];
}

/** The failure of a wrong command line, with the next command. */
export function explain(words: readonly string[], problem: Problem): Failure {
  const { command, hint, is, message, operands, subject } = problem;
  if (is === "missing operand" && /^(?:incident-)?id$/.test(subject))
    return new Failure("usage", `incident ${command?.spec.name} needs the id of an incident`, {
      hint: "add the id; these commands list ids",
      commands: listing(operands, "incident list --open", "incident journal list"),
    });
  const said = nextAction(words, problem);
  if (is === "unknown command" && deleting.split(" ").includes(subject.toLowerCase()))
    return new Failure("usage", "incident deletes nothing at the service", {
      hint: said ?? "",
      commands: listing(operands, "incident open ID", "incident journal list"),
    });
  return new Failure("usage", message, { hint: said === undefined ? hint : adviceOf(said, operands) });
}

function nextAction(words: readonly string[], problem: Problem): string | undefined {
  const { command, is, operands, subject } = problem;
  const [word = ""] = operands;
  const spec = command?.spec;
  if (spec?.name === "sandbox" && operands.length > 0 && !words.includes("--")) return find(word, spec);
  if (is === "unknown option") return afterFlag(subject, spec);
  if (is === "missing operand" || is === "missing value")
    return find(/<.*>/.exec(subject)?.[0] ?? `<${subject}>`);
  if (is === "operand") return find(operands.find((each) => spec && hasHabit(each, spec)) ?? word, spec);
  return afterWord(operands);
}

/** The next action for the words in the place of a command. */
function afterWord([word = "", second = "", ...others]: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  if (/^incidents?$/.test(lower) && commandsIn().has(second)) return `use incident ${second}`;
  const form = isGuid(word) ? "GUID" : isFile(word) ? "FILE" : lower;
  const hasId = [second, ...others].some(isLikeId);
  const keys = [...(hasId ? [`${lower}+ID`] : []), `${lower}+${second}`, form];
  const known = keys.map((key) => find(key)).find((said) => said !== undefined);
  const near = groups.has(word)
    ? nearest(second, [...commandsIn(word).keys()])
    : nearest(word, [...commandsIn().keys()]);
  return known ?? (near && didYouMean(near));
}

/** Names only flags that the command has. */
function afterFlag(typed: string, spec: CommandSpec | undefined): string | undefined {
  const [flag = "", value] = typed.split(/=(.*)/s);
  const known: FlagSpecs = { ...globalFlags, ...parserFlags, ...spec?.flags };
  const names = Object.values(known).map(({ usage }) => longNameIn(usage));
  if (value !== undefined && names.includes(flag)) return valueOfSwitch(flag, value, names);
  const bare = names.map((name) => name.replace("--", ""));
  const near = nearest(flag.replace(/^-+/, ""), bare);
  return find(flag, spec) ?? (near && didYouMean(`--${near}`));
}

/** The hint for a switch with a value, such as `--yes=true`. */
function valueOfSwitch(flag: string, value: string, names: readonly string[]): string {
  if (!/^(?:false|no|off|0)$/i.test(value)) return `${flag} takes no value: write ${flag}`;
  const opposite = flag.replace("--", "--no-");
  return names.includes(opposite) ? `use ${opposite}` : `leave ${flag} out`;
}

const isFile = (word: string) => /\.(ya?ml|json)$/.test(word);

/** A GUID, or the first digits of one. */
function isLikeId(word: string): boolean {
  return isGuid(word) || /^#?[0-9a-f]{8}[0-9a-f-]{0,27}$/i.test(word);
}

/** The failure of a topic that does not exist. */
export function failureOfTopic(name: string, topics: readonly string[]): Failure {
  const said = find(name.toLowerCase());
  if (said !== undefined)
    return new Failure("usage", `there is no command "${name}"`, { hint: adviceOf(said, []) });
  const near = nearest(name, [...topics, ...commandsIn().keys()]);
  return new Failure("usage", `there is no help for "${name}"`, {
    hint: `${near === undefined ? "" : `${didYouMean(near)} `}the topics are ${topics.join(", ")}; or name a command`,
  });
}

const purposes = {
  "incident open ID": "its page in the web application",
  "incident journal list": "the incidents that were declared from here",
  "incident list --open": "those of the service that are not resolved",
} as const satisfies Record<string, string>;

const listing = (operands: readonly string[], ...commands: readonly (keyof typeof purposes)[]) =>
  commands.map((command) => ({ command: wordsOf(command, operands), purpose: purposes[command] }));

/** A command whose id is not known is text for a person: it cannot be run as it is. */
function wordsOf(command: string, operands: readonly string[]): string | Argv {
  const words = withTyped(command, operands);
  return /\bID\b/.test(words) ? words : words.split(" ");
}

const withTyped = (said: string, operands: readonly string[]): string =>
  said
    .replace(/\bID\b/g, operands.find(isLikeId) ?? "ID")
    .replace(/\bFILE\b/g, shellWord(operands.find(isFile) ?? "FILE"));

function adviceOf(said: string, operands: readonly string[]): Advice {
  return new Advice(
    said
      .split(/[{}]/)
      .map((part, at) => (at % 2 === 0 ? withTyped(part, operands) : wordsOf(part, operands))),
  );
}
