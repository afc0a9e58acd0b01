// The habits of people who know gh, kubectl, terraform, the AWS and Stripe command lines, or another incident tool:
// each ends with exit code 2 and points to the right place.
import { describe, expect, it } from "vitest";
import { incidentId } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const cannotChange = "the API cannot change an incident: it can only create and read incidents";
const cannotDelete = "the API cannot delete an incident: it can only create and read incidents";
const cannotList = "the API cannot list incidents: it can only create incidents, and read them by id";
const inWebApplication = "post the update in the service's web application; these commands only read";
const key = "set INCIDENT_CLI_API_KEY or run incident login: other users of the machine can see arguments";
const baseUrl = "set INCIDENT_CLI_BASE_URL or run incident login: no flag can send a stored key elsewhere";

const limits: readonly (readonly [
  line: string,
  message: string,
  hint: string,
  commands: readonly string[],
])[] = [
  ...["update", "edit", "patch", "ack", "comment", "set"].map(
    (word) =>
      [
        word,
        cannotChange,
        inWebApplication,
        ["incident open ID", "incident get ID --watch", "incident journal list"],
      ] as const,
  ),
  ...["resolve", "close"].map(
    (word) =>
      [
        word,
        cannotChange,
        inWebApplication,
        ["incident open ID", "incident get ID --wait-for resolved", "incident journal list"],
      ] as const,
  ),
  [
    `update ${incidentId} --status resolved`,
    cannotChange,
    inWebApplication,
    [`incident open ${incidentId}`, `incident get ${incidentId} --watch`, "incident journal list"],
  ],
  [
    `create ${incidentId} --status resolved`,
    cannotChange,
    inWebApplication,
    [`incident open ${incidentId}`, `incident get ${incidentId} --watch`, "incident journal list"],
  ],
  [
    "update --help",
    cannotChange,
    inWebApplication,
    ["incident open ID", "incident get ID --watch", "incident journal list"],
  ],
  [
    "help update",
    cannotChange,
    inWebApplication,
    ["incident open ID", "incident get ID --watch", "incident journal list"],
  ],
  ...["delete", "rm", "destroy"].map(
    (word) =>
      [
        word,
        cannotDelete,
        "delete it in the service's web application; these commands only read",
        ["incident open ID", "incident journal list"],
      ] as const,
  ),
  ...["list", "ls", "search"].map(
    (word) =>
      [
        word,
        cannotList,
        "list the incidents that were declared from here, or read one by its id",
        ["incident journal list", "incident get ID"],
      ] as const,
  ),
  [
    "status",
    "the API can only create incidents, and read them by id",
    "read the status of an incident by its id, follow it, or list the incidents that were declared from here",
    ["incident get ID", "incident get ID --watch", "incident journal list"],
  ],
  [
    "get",
    "incident get needs the id of an incident",
    "add the id; this command lists the ids of the incidents that were declared from here",
    ["incident journal list"],
  ],
];

/** The hint by the command line; the message is the parser's own. */
const habits = {
  version: "use incident --version",
  "-V": "use incident --version",
  "-v": "use --debug to see each request, or incident --version for the version",
  "create -f x.yaml --verbose": "use --debug: show each request and answer on stderr, without the key",
  "get x --web": "use incident open ID",
  "view x --web": "use incident get ID",
  "browse x": "use incident open ID",
  "get x --json": "use -o json",
  "get x --json=id,name": "use -o json",
  "get x --jq .name": "use -o json, and give its output to jq",
  "get x --query name": "use -o json, and give its output to jq",
  "get x --format json": "use -o, such as -o json",
  "create --title x": "use --name <text>: the headline that customers see",
  "create -t x": "use --name <text>: the headline that customers see",
  "create --description x": "use --message <text>: the text that customers read",
  "create -m x": "use --message <text>: the text that customers read",
  "create --priority high": "use --severity <severity>: critical, major, medium or minor",
  "create --state resolved": "use --status <status>: investigating, identified, monitoring or resolved",
  "create --filename x.yaml": "use -f, --file <path>",
  "create --idempotency-key x": "use --key <text>",
  "create --id x": "write id: in the file, or use --key TEXT",
  "create --api-key x": key,
  "get x --token x": key,
  "create --base-url x": baseUrl,
  "get x --host x": baseUrl,
  "get x --endpoint-url x": baseUrl,
  "get x --follow": "use -w, --watch: read repeatedly, until Ctrl-C",
  "get x --wait": "use --wait-for <status>",
  "get x --limit 10":
    "read each incident by its id; incident journal list lists the incidents that were declared from here",
  "apply -f x --auto-approve": "use -y, --yes: answer every confirmation with yes",
  "apply -f x --force": "use -y, --yes: answer every confirmation with yes",
  "apply -f x --parallelism 4":
    "use --concurrency <count>: the number of incidents to read or declare in parallel",
  "apply -f x --detailed-exitcode": "use --fail-on-drift",
  "apply -f x --var-file v.yaml": "use --vars <file>",
  "apply -f x --what-if": "use --dry-run: print the plan and declare nothing",
  "apply -f x --non-interactive": "use --no-input: never ask anything",
  "apply -f x --namespace y": "use --account <guid>",
  "apply -f x --context y": "use --profile <name>: use this profile of the settings file",
  "create --mesage x": "did you mean --message?",
  plan: "use incident apply -f FOLDER --dry-run",
  diff: "use incident apply -f FOLDER --dry-run",
  view: "use incident get ID",
  show: "use incident get ID",
  [`show ${incidentId}`]: `use incident get ${incidentId}`,
  [incidentId]: `use incident get ${incidentId}`,
  "describe x": "use incident get ID",
  "watch x": "use incident get ID --watch",
  "wait x": "use incident get ID --wait-for STATUS",
  declare: "use incident create",
  "trigger x": "use incident create",
  "checkout.yaml": "use incident validate checkout.yaml, or incident create -f checkout.yaml",
  init: "use incident new FILE for a definition, or incident login for settings",
  lint: "use incident validate FILE",
  fmt: "use incident validate --fix FILE",
  export: "use incident get ID -o definition > FILE",
  "auth login": "use incident login",
  configure: "use incident login",
  whoami: "use incident config show",
  logs: "use incident journal list",
  listen: "use incident sandbox -- COMMAND",
  upgrade:
    "install the package of the newest release, or of a clone: npm ci && npm pack && npm install --global ./incident-cli-*.tgz",
  "workspace select x": "choose a profile with --profile NAME or INCIDENT_CLI_PROFILE",
  "config get": "use incident config show",
  "config list": "use incident config show",
  "config set x y": "run incident login to store settings, or edit the file that incident config path prints",
  "config use-context x": "choose a profile with --profile NAME or INCIDENT_CLI_PROFILE",
  "journal resolve": "use incident journal settle ID",
  "journal ls": "use incident journal list",
  "services add x": "use incident services import ID",
  "services rm x": "edit services: in the project's .incident.yaml",
  craete: "did you mean create?",
};

/** A sentence on one line, as the wrapped text of a terminal says it. */
const flat = (text: string) => text.replace(/\s+/g, " ");

describe("what the API cannot do", () => {
  it.each(limits)("incident %s", async (line, message, hint, commands) => {
    const { exitCode, requests, stderr, stdout } = await incident(line);
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: "", requests: [] });
    expect(flat(stderr)).toContain(`error: ${message} next: ${hint} `);
    const shown = [...stderr.matchAll(/^ {4}(incident .*?)(?: +#.*)?$/gm)].map(([, command]) => command);
    expect(shown).toEqual(commands);
  });

  it.each(["--help", "create --help"])("is said by incident %s", async (line) => {
    const { stdout } = await incident(line);
    expect(flat(stdout)).toContain("in the service's web application.");
  });
});

describe("a habit from another tool", () => {
  it.each(Object.entries(habits))("incident %s: %s", async (line, hint) => {
    const { exitCode, requests, stderr, stdout } = await incident(line);
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: "", requests: [] });
    expect(flat(stderr)).toContain(`next: ${hint}`);
    expect(stderr).toMatch(/^error: (unknown (command|option) ')/);
  });

  it.each([
    "create --jsno",
    "frobnicate",
    "get x --title y",
    "create --tilte x",
    "config frobnicate",
    "edti",
  ])("that fits nothing gets no guess: incident %s", async (line) => {
    const { stderr } = await incident(line);
    expect(stderr).toMatch(/next: see incident( \w+)* --help\n$/);
  });

  it("is told the commands in the JSON report too", async () => {
    const { stderr } = await incident("resolve x -o json");
    expect(JSON.parse(stderr).error).toMatchObject({
      kind: "usage",
      message: cannotChange,
      commands: [
        { command: "incident open ID", purpose: "its page in the web application" },
        { command: "incident get ID --wait-for resolved", purpose: "wait until it is resolved" },
        { command: "incident journal list", purpose: "the incidents that were declared from here" },
      ],
    });
  });
});
