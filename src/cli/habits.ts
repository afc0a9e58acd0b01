// The words of other tools, and the command that each leads to: one table. Loaded only when a command line is wrong.
import { Failure } from "../failure.ts";
import { textFields } from "../incident/definition.ts";
import type { CommandSpec } from "../kit/define-command.ts";
import { type FlagSpecs, longNameIn } from "../kit/flags.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import { isPublished } from "../project.ts";
import { isGuid } from "../rules/forms.ts";
import { Advice, type Argv, inWebApplication, shellWord } from "../text/advice.ts";
import { didYouMean, nearest } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import type { WrongCommandLine } from "./problem.ts";
import { commandsIn, groups } from "./registry.ts";

/**
 * A row of the table. In `say`, a command between backticks can be run as it is, and the word `ID` stands for the id that
 * was typed.
 */
interface Habit {
  /** The commands that the row is about: words after another command are no operand of these. */
  readonly in?: string;
  /** The words, or the flags; `*` is any operand. */
  readonly typed: string;
  /** The next action, ... */
  readonly say?: string;
  /** ... or the command that is meant, and runs; it only reads. */
  readonly means?: string;
  /** ... or the name of a flag that the command has: it is told where the command has it. */
  readonly flag?: string;
  /** Replaces the parser's message, which only says that the word is unknown. */
  readonly message?: string;
  /** The commands that show more. */
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

const change = "use `incident update ID`";
const severity = "use incident update ID --severity critical";
const key = "set INCIDENT_CLI_API_KEY or run `incident login`: other users of the machine can see arguments";
const baseUrl = "set INCIDENT_CLI_BASE_URL or run `incident login`: no flag can send a stored key elsewhere";
const jq = "give the JSON to jq: incident get ID -o json | jq .name";

// biome-ignore format: a row is a line
const habits: readonly Habit[] = [
  // Commands.
  { typed: "describe show view", means: "get" },
  { typed: "ls", means: "list" },
  { typed: "edit patch set modify change ack acknowledge comment note", say: change },
  { typed: "escalate raise-severity downgrade", say: severity },
  { typed: "close end finish done", say: "use `incident resolve ID`" },
  { typed: "post send publish", say: "use `incident update ID` to post an update, or `incident create` for a new incident" },
  { typed: "delete rm del remove undo rollback", message: "incident deletes nothing at the service", say: `delete the incident ${inWebApplication()}; these commands only read`, commands: ["incident open ID", "incident journal list"] },
  { typed: "retry", say: "run the same create again; if its outcome is unknown, use incident journal settle ID" },
  { typed: "search find query incidents incident", say: "use `incident list`" },
  { typed: "status read", say: "use `incident get ID`, or `incident list --open`" },
  { typed: "watch follow", say: "use `incident get ID --watch`" },
  { typed: "wait", say: "use incident get ID --wait-for STATUS" },
  { typed: "plan diff dry-run", say: "use incident apply -f FOLDER --dry-run" },
  { typed: "browse web", say: "use `incident open ID`" },
  { typed: "declare report raise trigger add", say: "use `incident create`" },
  { typed: "init", say: "use incident new FILE for a definition, or `incident login` for settings" },
  { typed: "lint check test", say: "use incident validate FILE" },
  { typed: "fmt format fix", say: "use incident validate --fix FILE" },
  { typed: "export", say: "use incident get ID -o definition > FILE" },
  { typed: "history log logs last latest", say: "use `incident journal list`, or `incident journal show ID`" },
  { typed: "auth configure signin setup token", say: "use `incident login`" },
  { typed: "whoami settings env", say: "use `incident config show`" },
  { typed: "ping health", say: "use `incident doctor`" },
  { typed: "mock serve demo rehearse", say: "use incident sandbox -- COMMAND" },
  { typed: "version", say: "use `incident --version`" },
  { typed: "upgrade self-update", say: upgrade },
  { typed: "man manual docs /?", say: "use `incident --help`, or incident help COMMAND" },
  // Operands.
  { in: "get", typed: "all incidents", say: "use `incident list`" },
  { in: "get open update resolve", typed: "incident", say: "leave the word incident out: incident get ID" },
  { in: "update", typed: "*", say: "give the text with --message: incident update ID --message TEXT" },
  { in: "sandbox", typed: "*", say: "write -- before the command: incident sandbox -- COMMAND" },
  { in: "gate", typed: "*", say: "name a service with --service, or a file with -f" },
  { in: "logout", typed: "*", say: "choose a profile with --profile NAME" },
  // Flags of other tools, and the flag of the command.
  { typed: "-t", flag: "name" },
  { typed: "--description --desc -m --comment", flag: "message" },
  { typed: "--sev --urgency -s --sev1 --sev2 --sev3 --p1 --p2 --p3", flag: "severity" },
  { typed: "--services --component --components --affected --service-name", flag: "service" },
  { typed: "--notify-subscribers --notification --send-notifications", flag: "notify" },
  { typed: "--silent --silently --no-notifications --no-notification --no-email", flag: "noNotify" },
  { typed: "--start --started --start-time --at --since", flag: "startedAt" },
  { typed: "--filename --path --from-file --input-file --definition --data --data-binary --cli-input-json --body-file -d", flag: "file" },
  { typed: "-r --recurse", flag: "recursive" },
  { typed: "--set --variable", flag: "var" },
  { typed: "--var-file --values --vars-file --env-file", flag: "vars" },
  { typed: "--dry --dryrun --check --validate-only --plan --what-if --whatif --noop --no-execute --preview -n", flag: "dryRun" },
  { typed: "--idempotency-key --dedup-key --dedupe --request-id", flag: "key" },
  { typed: "--create-new", flag: "new" },
  { typed: "--follow --tail", flag: "watch" },
  { typed: "--wait --for --until", flag: "waitFor" },
  { typed: "--max-wait --wait-for-timeout", flag: "waitTimeout" },
  { typed: "--ignore-drift", flag: "allowDrift" },
  { typed: "--force --auto-approve -auto-approve --assume-yes --approve --confirm", flag: "yes" },
  { typed: "--non-interactive --no-prompt --no-interactive --batch --input", flag: "noInput" },
  { typed: "--verbose --trace --log-level -d", flag: "debug" },
  { typed: "--silent -s", flag: "quiet" },
  { typed: "--account-id --org --organization --namespace --workspace --project --team", flag: "account" },
  { typed: "--context --env --environment --config -p", flag: "profile" },
  { typed: "--request-timeout --connect-timeout", flag: "timeout" },
  { typed: "--no-colour --monochrome", flag: "noColor" },
  // Flags that no command has.
  { typed: "-V --ver", say: "use `incident --version`" },
  { typed: "-? --hlep --hepl", say: "use `incident --help`" },
  { typed: "-v -vv -vvv", say: "use --debug to see each request, or `incident --version` for the version" },
  { typed: "--json -json --porcelain", say: "use -o json" },
  { typed: "--markdown --md", say: "use -o markdown" },
  { typed: "--jq --query --template --jsonpath --go-template --filter --fields", say: jq },
  { typed: "-f --file --filename", say: "give the id of an incident, and a text with --message; incident create, update and apply take -f FILE" },
  { in: "list", typed: "--watch -w", say: "use incident get ID --watch, which follows one incident" },
  { in: "list", typed: "-a --all", say: "leave it out: `incident list` has the resolved ones as well, and --limit shows more" },
  { in: "resolve update", typed: "--all", say: "name each incident; `incident list --open -o id` prints their ids" },
  { in: "get open update resolve", typed: "--id", say: "leave the flag out, and write the id alone" },
  { typed: "--wait --wait-for", say: "use `incident get ID --wait-for resolved`, with the id that create prints" },
  { typed: "--format --output-format --no-headers", say: "use -o, such as -o json" },
  { typed: "--out --output-file", say: "redirect stdout, as in > FILE; -o is the format, such as -o json" },
  { typed: "--web --browser --open", say: "use `incident open ID`" },
  { typed: "--id-only --ids --name-only", say: "use -o id" },
  { typed: "--api-key --apikey --token --access-token --api-token --password", say: key },
  { typed: "--base-url --url --host --server --endpoint --endpoint-url --api-url --region", say: baseUrl },
  { typed: "-X -H --request --header", say: "see the request as a command: incident create -f FILE --dry-run -o curl" },
  { typed: "--id --uuid", say: "write id: in the file, or use --key TEXT" },
  { typed: "--concurrency --parallelism --parallel --jobs -j", say: "set INCIDENT_CLI_RATE, such as to 100/60s, to send more slowly" },
  { typed: "--retries --retry --max-attempts --max-retries", say: "use --deadline: retries end with it, such as with --deadline 1m" },
  { typed: "--all --limit --page --page-size --max-items --sort --selector -l", say: "use `incident list`, which has filters and --limit" },
];

/** The names that other tools have for a field are flags as well. */
const ofFields: readonly Habit[] = textFields.map(({ key, rules }) => ({
  typed: (rules["x-aliases"] ?? []).map((name) => `--${name}`).join(" "),
  flag: key,
}));

/** The row of a word or a flag; `spec` is the command that it was typed after. */
function find(word: string, spec?: CommandSpec): Habit | undefined {
  const flags: FlagSpecs = { ...globalFlags, ...spec?.flags };
  const isFlag = word.startsWith("-");
  return [...ofFields, ...habits].find(({ flag, in: commands, typed }) => {
    const isTyped = typed.split(" ").includes(word) || (typed === "*" && !isFlag);
    const isHere = commands?.split(" ").includes(spec?.name ?? "") ?? (isFlag || spec === undefined);
    return isTyped && isHere && (flag === undefined || ownValue(flags, flag) !== undefined);
  });
}

/** The command that a word of another tool means. */
export const meantBy = (word: string): string | undefined => find(word)?.means;

/** The way on from an operand of another tool. */
export const hasHabit = (operand: string, spec: CommandSpec): boolean => find(operand, spec) !== undefined;

/** The failure for a command of another tool, with the command that is meant. */
export function failureOfWord(word: string): Failure | undefined {
  const habit = find(word.toLowerCase());
  return habit && failureOf(habit, `there is no command "${word}"`);
}

/** The failure of a wrong command line, with the next command. */
export function explain(words: readonly string[], wrong: WrongCommandLine): Failure {
  const habit = habitOf(words, wrong);
  const { message } = wrong;
  const { command, hint, operands } = wrong.place;
  if (habit === undefined) return new Failure("usage", message, { hint });
  return failureOf(habit, message, operands.find(isLikeId), command?.spec);
}

/** The row for a problem, or one that is made for it. */
function habitOf(words: readonly string[], { is, place, subject }: WrongCommandLine): Habit | undefined {
  const { command, operands } = place;
  const [word = ""] = operands;
  const spec = command?.spec;
  const asRow = (say: string | undefined) => (say === undefined ? undefined : { typed: subject, say });
  if (spec?.name === "sandbox" && operands.length > 0 && !words.includes("--")) return find(word, spec);
  if (is === "unknown option") return habitOfFlag(subject, spec);
  if (spec?.name === "create" && operands.some(isGuid)) return asRow(change);
  if (is === "missing operand" && /^(?:incident-)?id$/.test(subject))
    return {
      typed: "",
      message: `incident ${spec?.name} needs the id of an incident`,
      say: "add the id; these commands list ids",
      commands: ["incident list --open", "incident journal list"],
    };
  if (is === "missing value" && subject.startsWith("-f, --file "))
    return asRow("name the file, or write -f - for stdin");
  if (is === "operand") return find(word, spec);
  if (is !== "unknown command") return undefined;
  if (words.includes("--web")) return find("--web");
  // With an id, the text is for an incident that exists.
  if (/^(?:post|publish|send)$/.test(word) && operands.some(isLikeId)) return asRow(change);
  const second = groups.has(word) ? operands[1] : undefined;
  const near = nearest(second ?? word, [...commandsIn(second === undefined ? undefined : word).keys()]);
  return (
    (second === undefined ? (find(word.toLowerCase()) ?? asRow(guessByForm(word))) : undefined) ??
    asRow(near && didYouMean(near))
  );
}

/** A GUID, or the first digits of one. */
function isLikeId(word: string): boolean {
  return isGuid(word) || /^#?[0-9a-f]{8}[0-9a-f-]{0,27}$/i.test(word);
}

/** Names only flags that the command has. */
function habitOfFlag(typed: string, spec: CommandSpec | undefined): Habit | undefined {
  const [flag = "", value] = typed.split(/=(.*)/s);
  const flags = Object.values({ ...globalFlags, ...parserFlags, ...spec?.flags });
  const names = flags.map(({ usage }) => longNameIn(usage));
  if (value !== undefined && names.includes(flag)) return { typed, say: valueOfSwitch(flag, value, names) };
  const near = nearest(
    flag.replace(/^-+/, ""),
    names.map((name) => name.replace("--", "")),
  );
  return find(flag, spec) ?? (near === undefined ? undefined : { typed, say: didYouMean(`--${near}`) });
}

/** The hint for a switch with a value, such as `--yes=true`. */
function valueOfSwitch(flag: string, value: string, names: readonly string[]): string {
  if (!/^(?:false|no|off|0)$/i.test(value)) return `${flag} takes no value: write ${flag}`;
  const opposite = flag.replace("--", "--no-");
  return names.includes(opposite) ? `use ${opposite}` : `leave ${flag} out`;
}

/** The hint for an id or a file in the place of the command. */
function guessByForm(word: string): string | undefined {
  if (isGuid(word)) return "use `incident get ID`";
  if (!/\.(ya?ml|json)$/.test(word)) return undefined;
  const file = shellWord(word);
  return `use incident validate ${file}, or incident create -f ${file}`;
}

/** `id` was typed. A command whose id is not known is text for a person: it cannot be run as it is. */
function failureOf(habit: Habit, parserMessage: string, id = "ID", spec?: CommandSpec): Failure {
  const { commands, flag, message = parserMessage, say = "" } = habit;
  const known = flag && ownValue({ ...globalFlags, ...spec?.flags } as FlagSpecs, flag);
  const words = (text: string): string | Argv =>
    id === "ID" && /\bID\b/.test(text) ? text : text.replace(/\bID\b/, id).split(" ");
  const parts = say.split("`").map((part, at) => (at % 2 === 0 ? part.replace(/\bID\b/, id) : words(part)));
  return new Failure("usage", message, {
    hint: known ? `use ${known.usage}: ${known.summary}` : new Advice(parts),
    commands: commands?.map((command) => ({ command: words(command), purpose: purposes[command] })),
  });
}
