// The commands of other tools that `incident` does not have, and where each leads: to another command, or to the
// service's web application for the things that the API cannot do.
import type { FailureDetails, NextCommand } from "../../failure.ts";
import { isPublished } from "../../project.ts";
import { Advice, type Argv, advise, argv, type Hint } from "../../text/advice.ts";
import { inWebApplication } from "../../text/web-application.ts";

export interface Signpost {
  /** Replaces the parser's message, which only says that the word is unknown. */
  readonly message?: string;
  /** In the commands of the hints and of the list, the word `ID` stands for an incident's id. */
  readonly hint: Hint;
  /** Replaces the hint where an id was typed. */
  readonly withId?: Hint;
  readonly commands?: readonly NextCommand[];
}

/** Names no package while no registry has it: a stranger who takes the name would get keys. */
const upgrade = isPublished
  ? "use npm install --global incident-cli@latest"
  : "install the package of the newest release, or of a clone: npm ci && npm pack && npm install --global ./incident-cli-*.tgz";

const follow: NextCommand = {
  command: argv`incident get ID --watch`,
  purpose: "follow the incident as it changes",
};
const declared: NextCommand = {
  command: argv`incident journal list`,
  purpose: "the incidents that were declared from here",
};
const unresolved: NextCommand = {
  command: argv`incident journal list --open`,
  purpose: "those of them that are not resolved",
};
const read: NextCommand = { command: argv`incident get ID`, purpose: "one incident and its timeline" };
const open: NextCommand = {
  command: argv`incident open ID`,
  purpose: "its page in the web application",
};
const wait: NextCommand = {
  command: argv`incident get ID --wait-for resolved`,
  purpose: "wait until it is resolved",
};

export const change: Signpost = {
  message: "the API cannot change an incident: it can only create and read incidents",
  hint: `post the update ${inWebApplication()}; these commands only read`,
  commands: [open, follow, declared],
};

const resolve: Signpost = { ...change, commands: [open, wait, declared] };

const remove: Signpost = {
  message: "the API cannot delete an incident: it can only create and read incidents",
  hint: `delete it ${inWebApplication()}; these commands only read`,
  commands: [open, declared],
};

const list: Signpost = {
  message: "the API cannot list incidents: it can only create incidents, and read them by id",
  hint: "list the incidents that were declared from here, or read one by its id",
  commands: [unresolved, declared, read],
};

const status: Signpost = {
  message: "the API can only create incidents, and read them by id",
  hint: "read the status of an incident by its id, follow it, or list those that are not resolved",
  commands: [read, follow, unresolved],
};

const profiles: Signpost = {
  hint: advise`choose a profile with --profile NAME or INCIDENT_CLI_PROFILE; ${argv`incident login`} creates one`,
};
const settingsFile: Signpost = {
  hint: advise`run ${argv`incident login`} to store settings, or edit the file that ${argv`incident config path`} prints`,
};

const byWords: readonly (readonly [words: string, signpost: Signpost])[] = [
  [
    "update edit patch set modify change replace ack acknowledge assign escalate snooze reopen notify",
    change,
  ],
  ["comment note annotate message append", change],
  ["resolve close end finish done", resolve],
  ["delete rm del remove destroy archive undo rollback revert cancel", remove],
  [
    "retry rerun resend",
    { hint: "run the same create again; if its outcome is unknown, use incident journal settle ID" },
  ],
  ["list ls search find all query incidents", list],
  ["status stat state", status],
  ["view show describe read fetch retrieve inspect cat", { hint: advise`use ${argv`incident get ID`}` }],
  ["watch follow tail", { hint: advise`use ${argv`incident get ID --watch`}` }],
  ["wait", { hint: "use incident get ID --wait-for STATUS" }],
  ["plan diff preflight", { hint: "use incident apply -f FOLDER --dry-run" }],
  ["browse browser web url link", { hint: advise`use ${argv`incident open ID`}` }],
  ["declare report raise trigger add post send publish", { hint: advise`use ${argv`incident create`}` }],
  [
    "init template generate scaffold",
    { hint: advise`use incident new FILE for a definition, or ${argv`incident login`} for settings` },
  ],
  ["lint check verify test", { hint: "use incident validate FILE" }],
  ["fmt format fix", { hint: "use incident validate --fix FILE" }],
  ["export dump", { hint: "use incident get ID -o definition > FILE" }],
  [
    "import",
    {
      hint: advise`use incident get ID -o definition > FILE, or ${argv`incident services import ID`} for its services`,
    },
  ],
  ["service catalog component components", { hint: advise`use ${argv`incident services list`}` }],
  [
    "history log logs audit",
    {
      hint: advise`use ${argv`incident journal list`}`,
      withId: advise`use ${argv`incident journal show ID`}`,
    },
  ],
  ["auth configure signin authenticate", { hint: advise`use ${argv`incident login`}` }],
  ["signout unauth", { hint: advise`use ${argv`incident logout`}` }],
  ["whoami settings env info", { hint: advise`use ${argv`incident config show`}` }],
  ["profile profiles workspace context use switch", profiles],
  ["ping health diagnose debug", { hint: advise`use ${argv`incident doctor`}` }],
  ["mock serve server simulate dev listen demo rehearse", { hint: "use incident sandbox -- COMMAND" }],
  ["version", { hint: advise`use ${argv`incident --version`}` }],
  ["upgrade self-update", { hint: upgrade }],
  ["man usage manual", { hint: advise`use ${argv`incident --help`}, or incident help COMMAND` }],
  ["completions autocomplete", { hint: "use incident completion SHELL" }],
  [
    "config get|config list|config ls|config view|config current-context",
    { hint: advise`use ${argv`incident config show`}` },
  ],
  ["config set|config unset|config edit|config delete|config add|config init", settingsFile],
  ["config use|config use-context|config use-profile", profiles],
  ["journal ls|journal log|journal get-all", { hint: advise`use ${argv`incident journal list`}` }],
  [
    "journal resolve|journal fix|journal close|journal confirm|journal mark",
    { hint: "use incident journal settle ID" },
  ],
  [
    "journal get|journal view|journal describe|journal logs",
    { hint: advise`use ${argv`incident journal show ID`}` },
  ],
  [
    "journal delete|journal rm|journal clear|journal prune|journal remove",
    { hint: "no entry is deleted by hand: without it, a rerun would declare the incident twice" },
  ],
  ["services ls|services get|services show", { hint: advise`use ${argv`incident services list`}` }],
  [
    "services add|services create|services pull|services sync",
    { hint: advise`use ${argv`incident services import ID`}` },
  ],
  [
    "services delete|services rm|services remove|services edit",
    { hint: "edit services: in the project's .incident.yaml" },
  ],
];

const signposts = new Map(
  byWords.flatMap(([words, signpost]) =>
    words.split(words.includes("|") ? "|" : " ").map((word) => [word, signpost] as const),
  ),
);

/** The signpost of a word. `word` is a command, or a group and a command in it. */
export function wordSignpost(word: string): Signpost | undefined {
  return signposts.get(word.toLowerCase());
}

/** The details of the failure that shows a signpost. `id` was typed. */
export function signpostDetails(
  { commands, hint, withId = hint }: Signpost,
  id: string | undefined,
): FailureDetails {
  // A command whose id is not known is text for a person: it cannot be run as it is.
  const fill = (part: string | Argv) => {
    if (typeof part === "string") return part.replace(/\bID\b/, id ?? "ID");
    if (id === undefined && part.includes("ID")) return part.join(" ");
    return part.map((word) => (word === "ID" ? (id ?? word) : word));
  };
  const chosen = id === undefined ? hint : withId;
  return {
    hint: new Advice((chosen instanceof Advice ? chosen.parts : [chosen]).map(fill)),
    commands: commands?.map(({ command, purpose }) => ({ command: fill(command), purpose })),
  };
}
