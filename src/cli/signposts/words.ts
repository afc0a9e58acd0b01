// The words and flags of other tools that `incident` does not have, and where each leads: to another command or flag, or
// to the service's web application for everything else.

import type { FailureDetails } from "../../failure.ts";
import { isPublished } from "../../project.ts";
import { Advice, type Argv, type Hint, inWebApplication } from "../../text/advice.ts";

/** In the texts, a command between backticks can be run as it is, and the word `ID` stands for an incident's id. */
export interface Signpost {
  /** Replaces the parser's message, which only says that the word is unknown. */
  readonly message?: string;
  readonly hint: Hint;
  readonly commands?: readonly (keyof typeof purposes)[];
}

const purposes = {
  "incident open ID": "its page in the web application",
  "incident get ID": "one incident and its timeline",
  "incident journal list": "the incidents that were declared from here",
  "incident list --open": "those of the service that are not resolved",
} as const satisfies Record<string, string>;

/** Names no package while no registry has it: a stranger who takes the name would get keys. */
const upgrade = isPublished
  ? "use npm install --global incident-cli@latest"
  : "install the package of the newest release, or of a clone: npm ci && npm pack && npm install --global ./incident-cli-*.tgz";

/** For a flag that another tool changes an incident with. */
export const change = "use `incident update ID`";

const remove: Signpost = {
  message: "incident deletes nothing at the service",
  hint: `delete the incident ${inWebApplication()}; these commands only read`,
  commands: ["incident open ID", "incident journal list"],
};

type Rows = readonly (readonly [words: string, signpost: Signpost | string])[];

const commands: Rows = [
  ["edit patch set modify change ack acknowledge comment note", change],
  ["close end finish done", "use `incident resolve ID`"],
  [
    "post send publish",
    "use `incident update ID` to post an update, or `incident create` for a new incident",
  ],
  ["delete rm del remove undo rollback", remove],
  ["retry", "run the same create again; if its outcome is unknown, use incident journal settle ID"],
  ["search find query incidents", "use `incident list`"],
  ["status read", "use `incident get ID`, or `incident list --open`"],
  ["watch follow", "use `incident get ID --watch`"],
  ["wait", "use incident get ID --wait-for STATUS"],
  ["plan diff dry-run", "use incident apply -f FOLDER --dry-run"],
  ["browse web", "use `incident open ID`"],
  ["declare report raise trigger add", "use `incident create`"],
  ["init", "use incident new FILE for a definition, or `incident login` for settings"],
  ["lint check test", "use incident validate FILE"],
  ["fmt format fix", "use incident validate --fix FILE"],
  ["export", "use incident get ID -o definition > FILE"],
  ["history log logs last latest", "use `incident journal list`, or `incident journal show ID`"],
  ["auth configure signin setup token", "use `incident login`"],
  ["whoami settings env", "use `incident config show`"],
  ["ping health", "use `incident doctor`"],
  ["mock serve demo rehearse", "use incident sandbox -- COMMAND"],
  ["version", "use `incident --version`"],
  ["upgrade self-update", upgrade],
  ["man manual docs /?", "use `incident --help`, or incident help COMMAND"],
];

/** The names that other tools give to a flag, by its name in a spec or among the flags of every command. */
export const flagNames: Readonly<Record<string, string>> = {
  name: "--title -t --headline --subject --summary",
  message: "--description --desc --body -m --text --comment --content",
  severity: "--sev --priority --impact --level --urgency -s --sev1 --sev2 --sev3 --p1 --p2 --p3",
  status: "--state",
  service: "--services --component --components --affected --service-name",
  notify: "--notify-subscribers --notification --send-notifications",
  noNotify: "--silent --silently --no-notifications --no-notification --no-email",
  startedAt: "--start --started --start-time --at --since",
  file: "--filename --path --from-file --input-file --definition --data --data-binary --cli-input-json --body-file -d",
  recursive: "-r --recurse",
  var: "--set --variable",
  vars: "--var-file --values --vars-file --env-file",
  dryRun: "--dry --dryrun --check --validate-only --plan --what-if --whatif --noop --no-execute --preview -n",
  key: "--idempotency-key --dedup-key --dedupe --request-id",
  new: "--create-new",
  watch: "--follow --tail",
  waitFor: "--wait --for --until",
  waitTimeout: "--max-wait --wait-for-timeout",
  allowDrift: "--ignore-drift",
  yes: "--force --auto-approve -auto-approve --assume-yes --approve --confirm",
  noInput: "--non-interactive --no-prompt --no-interactive --batch --input",
  debug: "--verbose --trace --log-level -d",
  quiet: "--silent -s",
  account: "--account-id --org --organization --namespace --workspace --project --team",
  profile: "--context --env --environment --config -p",
  timeout: "--request-timeout --connect-timeout",
  noColor: "--no-colour --monochrome",
};

const key = "set INCIDENT_CLI_API_KEY or run `incident login`: other users of the machine can see arguments";
const baseUrl = "set INCIDENT_CLI_BASE_URL or run `incident login`: no flag can send a stored key elsewhere";
const jq = "give the JSON to jq: incident get ID -o json | jq .name";
const list = "use `incident list`, which has filters and --limit";

/** The flags that no command has. */
const flags: Rows = [
  ["-V --ver", "use `incident --version`"],
  ["-? --hlep --hepl", "use `incident --help`"],
  ["-v -vv -vvv", "use --debug to see each request, or `incident --version` for the version"],
  ["--json -json --porcelain", "use -o json"],
  ["--markdown --md", "use -o markdown"],
  ["--jq --query --template --jsonpath --go-template --filter --fields", jq],
  [
    "-f --file --filename",
    "give the id of an incident, and a text with --message; incident create, update and apply take -f FILE",
  ],
  ["--wait --wait-for", "use `incident get ID --wait-for resolved`, with the id that create prints"],
  ["--format --output-format --no-headers", "use -o, such as -o json"],
  ["--out --output-file", "redirect stdout, as in > FILE; -o is the format, such as -o json"],
  ["--web --browser --open", "use `incident open ID`"],
  ["--id-only --ids --name-only", "use -o id"],
  ["--api-key --apikey --token --access-token --api-token --password", key],
  ["--base-url --url --host --server --endpoint --endpoint-url --api-url --region", baseUrl],
  ["-X -H --request --header", "see the request as a command: incident create -f FILE --dry-run -o curl"],
  ["--id --uuid", "write id: in the file, or use --key TEXT"],
  [
    "--concurrency --parallelism --parallel --jobs -j",
    "set INCIDENT_CLI_RATE, such as to 100/60s, to send more slowly",
  ],
  [
    "--retries --retry --max-attempts --max-retries",
    "use --deadline: retries end with it, such as with --deadline 1m",
  ],
  ["--all --limit --page --page-size --max-items --sort --selector -l", list],
];

/** The signpost of a command. */
export function wordSignpost(word: string): Signpost | undefined {
  return find(commands, word.toLowerCase());
}

export function flagSignpost(flag: string): Signpost | undefined {
  return find(flags, flag);
}

function find(rows: Rows, word: string): Signpost | undefined {
  const [, found] = rows.find(([words]) => words.split(" ").includes(word)) ?? [];
  return typeof found === "string" ? { hint: found } : found;
}

/** The details of the failure that shows a signpost. `id` was typed. */
export function signpostDetails({ commands, hint }: Signpost, id = "ID"): FailureDetails {
  // A command whose id is not known is text for a person: it cannot be run as it is.
  const argv = (text: string): string | Argv =>
    id === "ID" && /\bID\b/.test(text) ? text : text.replace(/\bID\b/, id).split(" ");
  const fill = (text: string) =>
    new Advice(text.split("`").map((part, at) => (at % 2 === 0 ? part.replace(/\bID\b/, id) : argv(part))));
  return {
    hint: typeof hint === "string" ? fill(hint) : hint,
    commands: commands?.map((command) => ({ command: argv(command), purpose: purposes[command] })),
  };
}
