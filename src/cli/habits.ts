// The words of other tools, and where each leads: one table. Loaded only when a command line is wrong.
import { textFields } from "../incident/definition.ts";
import { type FlagSpecs, longNameIn } from "../kit/flags.ts";
import { inWebApplication } from "../text/advice.ts";
import { didYouMean, nearest } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import { commandsIn } from "./registry.ts";

/** Each line: words = the next action; ID stands for the typed id, `flag NAME` for the command's own flag, `--vv` also for `-vv`. */
const table = `
edit patch set modify change amend label scale = use incident update ID with the same flags, such as --severity SEVERITY
ack acknowledge comment note notify post send publish = use incident update ID --message TEXT, which customers read
escalate raise-severity downgrade severity = use incident update ID --severity SEVERITY
raise = use incident create, or incident update ID --severity SEVERITY
reopen unresolve = use incident update ID --reopen --status STATUS --message TEXT
close end finish done stop = use incident resolve ID --message TEXT, with the same other flags
delete rm del remove undo rollback revert cancel archive destroy correct typo = incident deletes nothing, and changes no posted text: do it ${inWebApplication()}
maintenance schedule subscribe subscribers users = incident has incidents only; look for the rest ${inWebApplication()}
declare report trigger add start = use incident create
search find query ps status read info cat inspect timeline events updates incidents incident issue issues = use incident list, or incident get ID
watch follow tail --watch -w --follow = use incident get ID --watch, which follows one incident
wait wait-for --wait = use incident get ID --wait-for STATUS
postmortem = use incident get ID -o markdown
import export = use incident get ID -o definition
browse web link url share statuspage dashboard ui --web --browser = use incident open ID
--active --unresolved = flag open
--status identified monitoring investigating = use incident update ID --status STATUS; incident resolve posts RESOLVED without it
--open --active --unresolved = use incident list --open; incident gate looks at the open ones alone
--state --resolve --resolved --closed --monitoring --identified --investigating = flag status
profile profiles context workspace switch use = use --profile NAME with any command; incident doctor names the profiles
plan diff dry-run = use incident apply -f FOLDER --dry-run
init = use incident new FILE for a definition, or incident login for settings
lint check test verify fmt format fix = use incident validate FILE; --fix corrects the letter case
history log logs audit last latest state = use incident journal list, or incident journal show ID
auth configure signin setup token whoami settings env = use incident config show, or incident login
health ping diagnose = use incident doctor
demo mock serve server = use incident sandbox -- sh
version -V --ver = use incident --version
man manual docs explain /? -? = use incident --help
-t = flag name
--description --desc -m -b --msg --comment --note --reason = flag message
--sev --min-severity --max-severity --fail-on --urgency --priority -s --sev1 --sev2 --p1 --p2 = flag severity
--services --component --components --affected --add-service --remove-service = flag service
--notify-subscribers --send-notifications = flag notify
--silent --silently --no-notify-subscribers --no-notifications --no-email = flag noNotify
-n -L --count --last --page-size --per-page = flag limit
--from --after --since = flag since
--start --start-time --since --when --at = flag startedAt
--filename --from-file --path --definition --data -d = flag file
--set = flag var
--values --var-file = flag vars
--with-token = flag apiKeyStdin
--namespace --context --env --environment -p = flag profile
--dry --check --plan --what-if --noop --preview --validate-only -n = flag dryRun
--idempotency-key --request-id = flag key
--force --overwrite = use -y to answer every confirmation with yes; incident new overwrites no file: name another one
--auto-approve --approve --assume-yes = flag yes
--verbose --trace -v --vv --vvv = flag debug
--no-prompt --non-interactive --no-interactive --batch = flag noInput
--id --uuid --incident-id --incident = write the id alone, without a flag; for a create, write id: in the file, or --key TEXT
--all -a -A = flag recursive
--all -a -A = leave it out: incident list has the resolved ones as well, incident services import takes all without ids, and other commands take the ids that incident list --open -o id prints
--json --format --output-format --jq --query --field --fields --columns --filter --search --sort --sort-by --no-headers = use -o, such as -o json, and give the JSON to jq
--api-key --apikey --token --password = set INCIDENT_CLI_API_KEY or run incident login: other users of the machine can see arguments
--base-url --url --host --server --endpoint --endpoint-url --region = set INCIDENT_CLI_BASE_URL or run incident login: no flag can send a stored key elsewhere
--proxy -x --insecure --no-verify --cacert --ca-cert -k = leave it out: set HTTPS_PROXY, or NODE_EXTRA_CA_CERTS to a file with the certificate of the issuer
--message-file --body-file -F = use --message "$(cat FILE)"
-f --file = a file is for incident create -f FILE and incident apply -f FOLDER
`;

const habits = [
  ...table
    .trim()
    .split("\n")
    .map((line) => line.split(" = "))
    .map(([words = "", action = ""]) => [words.split(" "), action] as const),
  // The names that other tools have for a field are flags as well.
  ...textFields.map(
    ({ aliases = [], flag }) => [aliases.map((name) => `--${name}`), `flag ${flag}`] as const,
  ),
];

/** The next action for a word in the place of a command; undefined for one that resembles nothing. */
export function hintForWord(word: string, typed: readonly string[]): string | undefined {
  const [, action] = habits.find(([words]) => words.includes(word.toLowerCase())) ?? [];
  const near = nearest(word, [...commandsIn().keys()]);
  return action === undefined ? near && didYouMean(near) : adviceOf(action, typed);
}

/** The next action for a flag that is not one of `flags`, or for the usage of one whose value is wrong. */
export function hintForFlag(given: string, flags: FlagSpecs, typed: readonly string[]): string | undefined {
  if (ownValue(flags, "onlySpec")) return "see incident sandbox --help; a command and its flags follow --";
  const [flag = ""] = given.replace(/^-(?=\w{2})/, "--").split("=");
  const wrong = Object.entries(flags).flatMap(([key, { usage }]) => (usage === given ? [`flag ${key}`] : []));
  const meant = habits.filter(([words]) => words.includes(flag)).map(([, action]) => action);
  for (const action of [...wrong, ...meant]) {
    const [, name] = /^flag (\w+)$/.exec(action) ?? [];
    if (name === undefined) return adviceOf(action, typed);
    const own = ownValue(flags, name);
    if (own !== undefined) return `use ${own.usage}: ${own.summary}`;
  }
  const isSwitch = Object.values(flags).some(({ kind, usage }) => kind === "switch" && usage.endsWith(flag));
  if (isSwitch && given.includes("=")) return `${flag} takes no value: write it alone, or leave it out`;
  const names = Object.values(flags).map(({ usage }) => longNameIn(usage).replace("--", ""));
  const near = nearest(flag.replace(/^-+/, ""), names);
  return near && didYouMean(`--${near}`);
}

function adviceOf(action: string, typed: readonly string[]): string {
  // A GUID, or the first digits of one.
  const id = typed.find((word) => /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i.test(word));
  return action.replaceAll(/\bID\b/g, id ?? "ID");
}
