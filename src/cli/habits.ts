// The words of other tools, and where each leads: one table. Loaded only when a command line is wrong.
import { textFields } from "../incident/definition.ts";
import { type FlagSpecs, longNameIn } from "../kit/flags.ts";
import { isGuid } from "../rules/forms.ts";
import { inWebApplication } from "../text/advice.ts";
import { didYouMean, nearest } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import { commandsIn } from "./registry.ts";

/**
 * A line has the words, and the next action, in which ID stands for the id that was typed. `flag NAME` is our own flag,
 * where the command has it.
 */
const table = `
edit patch set modify change ack acknowledge comment note post send publish = use incident update with the same id and flags
escalate raise-severity downgrade severity = use incident update ID --severity SEVERITY
investigate identify monitor = use incident update ID --status STATUS
reopen = use incident update ID --reopen
close end finish done = use incident resolve with the same id and flags
delete rm del remove undo rollback destroy = incident deletes nothing: do it ${inWebApplication()}
maintenance schedule subscribers users = incident has incidents only; look for the rest ${inWebApplication()}
declare report raise trigger add start = use incident create
retry = run the same create again; if its outcome is unknown, use incident journal settle ID
search find query ps status read incidents incident = use incident list, or incident get ID
watch follow tail = use incident get ID --watch
wait = use incident get ID --wait-for STATUS
browse web --web --browser --open = use incident open ID
plan diff dry-run = use incident apply -f FOLDER --dry-run
init explain fields = use incident new FILE for a definition, or incident login for settings
lint check test verify = use incident validate FILE
fmt format fix = use incident validate --fix FILE
export import = use incident get ID -o definition
postmortem post-mortem = use incident get ID -o markdown
history log logs last latest state = use incident journal list, or incident journal show ID
auth configure signin setup token whoami settings env = use incident config show, or incident login
workspace context = give --profile NAME, or set INCIDENT_CLI_PROFILE
service component components = use incident services list
ping health = use incident doctor
mock serve demo rehearse = use incident sandbox -- COMMAND
version -V --ver = use incident --version
man manual docs /? -? = use incident --help
--monitoring --identified --investigating = flag status
--description --desc -m --comment = flag message
--sev --urgency --priority -s --sev1 --sev2 --p1 --p2 = flag severity
--services --component --components --affected = flag service
--silent --silently --no-notifications --no-email = flag noNotify
--start --started --at --since = flag startedAt
--filename --path --definition --data -d = flag file
-r --recurse = flag recursive
--set --variable = flag var
--values --var-file = flag vars
--dry --check --plan --what-if --noop --preview -n = flag dryRun
--idempotency-key --request-id = flag key
--wait --wait-until --for --until = flag waitFor
--force --auto-approve --approve --assume-yes = flag yes
--non-interactive --batch = flag noInput
--verbose --trace -v = flag debug
--silent -s = flag quiet
--org --organization --namespace --team = flag account
--context --environment --env -p = flag profile
--id --uuid = write the id alone, without a flag; for a create, write id: in the file, or --key TEXT
--all -a -A = leave it out: incident list has the resolved ones as well, and other commands take the id of each
--limit --page --selector -l = use incident list, which has filters and --limit
--json --format --output-format --jq --query --fields --sort = use -o, such as -o json, and give the JSON to jq
--out --output-file = redirect stdout, as in > FILE; -o is the format, such as -o json
--api-key --apikey --token --password = set INCIDENT_CLI_API_KEY or run incident login: other users of the machine can see arguments
--base-url --url --host --server --endpoint --endpoint-url --region = set INCIDENT_CLI_BASE_URL or run incident login: no flag can send a stored key elsewhere
--insecure --no-verify = leave it out: set NODE_EXTRA_CA_CERTS to a file with the certificate of the issuer
--concurrency --parallelism --jobs -j = set INCIDENT_CLI_RATE, such as to 100/60s, to send more slowly
--retries --retry --max-retries = use --deadline: retries end with it, such as with --deadline 1m
api curl -X -H --request --header = see the request as a command: incident create -f FILE --dry-run -o curl
--prune = leave it out: a file that is gone deletes nothing at the service
--watch -w --follow = use incident get ID --watch, which follows one incident
-f --file = a file is for incident create -f FILE and incident apply -f FOLDER
--resolve --resolved --close = use incident resolve ID
`;

/** The names that other tools have for a field are flags as well. */
const ofFields = textFields.map(
  ({ aliases = [], key }) => [aliases.map((name) => `--${name}`), `flag ${key}`] as const,
);

const habits = [
  ...table
    .trim()
    .split("\n")
    .map((line) => line.split(" = "))
    .map(([words = "", action = ""]) => [words.split(" "), action] as const),
  ...ofFields,
];

/** The next action for a word in the place of a command; undefined for one that resembles nothing. */
export function hintForWord(word: string, typed: readonly string[]): string | undefined {
  const [, action] = habits.find(([words]) => words.includes(word.toLowerCase())) ?? [];
  const near = nearest(word, [...commandsIn().keys()]);
  return action === undefined ? near && didYouMean(near) : adviceOf(action, typed);
}

/** The next action for a flag that is not one of `flags`. */
export function hintForFlag(given: string, flags: FlagSpecs, typed: readonly string[]): string | undefined {
  const [flag = ""] = given.split("=");
  const actions = habits.filter(([words]) => words.includes(flag)).map(([, action]) => action);
  for (const action of actions) {
    const [, name] = /^flag (\w+)$/.exec(action) ?? [];
    if (name === undefined) return adviceOf(action, typed);
    const own = ownValue(flags, name);
    if (own !== undefined) return `use ${own.usage}: ${own.summary}`;
  }
  const isSwitch = Object.values(flags).some(({ kind, usage }) => kind === "switch" && usage.endsWith(flag));
  if (isSwitch) return `${flag} takes no value: write it alone, or leave it out`;
  const names = Object.values(flags).map(({ usage }) => longNameIn(usage).replace("--", ""));
  const near = nearest(flag.replace(/^-+/, ""), names);
  return near && didYouMean(`--${near}`);
}

function adviceOf(action: string, typed: readonly string[]): string {
  return action.replaceAll(/\bID\b/g, typed.find(isLikeId) ?? "ID");
}

/** A GUID, or the first digits of one. */
function isLikeId(word: string): boolean {
  return isGuid(word) || /^[0-9a-f]{8}[0-9a-f-]{0,27}$/i.test(word);
}
