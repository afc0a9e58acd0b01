// Every command as a row of data: its place on the command line, its help, and where its code is. Help and
// parsing are drawn from here; the code of a command is loaded when it is run.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is what people write in definitions.
import { choices } from "../sandbox/assumptions.ts";
import { faultGrammar } from "../sandbox/faults.ts";
import { shells } from "./completion/shells.ts";
import type { CommandRow } from "./define-command.ts";
import {
  applyOptions,
  createOptions,
  getOptions,
  loginOptions,
  previewOptions,
  sandboxOptions,
  settleOptions,
  validateOptions,
} from "./options.ts";

/** What the first word of a command of two words stands for. */
export const groups: Readonly<Record<string, string>> = {
  config: "the settings, and where they come from",
  services: "the project's own catalog of services",
  journal: "what was sent from here, and how it ended",
};

const sandboxNotes = `Faults:
${faultGrammar}

What the sandbox chooses where the API's specification is silent (its sections in parentheses):

${Object.values(choices)
  .map((choice) => `- ${choice}`)
  .join("\n")}
`;

export const commands: readonly CommandRow[] = [
  {
    name: "create",
    summary: "declare incidents: of files, of flags, or of answers to a few questions",
    options: createOptions,
    outputs: ["table", "json", "yaml", "id", "markdown", "curl"],
    examples: [
      { command: "incident create", summary: "at a terminal: asks for everything" },
      { command: "incident create -f checkout.yaml", summary: "declare an incident" },
      { command: "id=$(incident create -f checkout.yaml -o id)", summary: "keep its id" },
      { command: "incident create -f incidents/ -R", summary: "every definition in a folder and below it" },
      { command: "generate | incident create -f -", summary: "from another program" },
      {
        command: "incident create --name 'Checkout fails' --severity major --service checkout --message '…'",
        summary: "without a file",
      },
      { command: "incident create -f checkout.yaml --dry-run", summary: "see the request first" },
    ],
    notes:
      "Every file is checked before the first request; a single mistake anywhere sends nothing. A flag that says " +
      "what a field is overrides the file.",
    load: () => import("./create/run.ts"),
  },
  {
    name: "get",
    summary: "read incidents",
    operands: "<id...>",
    completions: "incidents",
    options: getOptions,
    outputs: ["table", "json", "yaml", "id", "markdown", "definition"],
    examples: [
      {
        command: "incident get 7c9e6679-7425-40de-944b-e07fc1f90ae7",
        summary: "one incident and its timeline",
      },
      { command: "incident get $ID -o json", summary: "the service's own answer" },
      {
        command: "incident get $ID -o definition > checkout.yaml",
        summary: "as a file for create and apply",
      },
      { command: "incident get $ID -o markdown", summary: "for a chat or a post-mortem" },
      { command: "incident get $ID --watch", summary: "what customers see, live" },
      {
        command: "incident get $ID --wait-for resolved --wait-timeout 1h && ./deploy.sh",
        summary: "hold up a deploy until then",
      },
    ],
    notes:
      "With --watch and without a terminal, each change is a line; with -o json, a line of JSON. A network that\n" +
      "fails after the first look ends neither --watch nor --wait-for.",
    load: () => import("./get/run.ts"),
  },
  {
    name: "validate",
    summary: "check files, offline and without a key",
    operands: "[file...]",
    completions: "files",
    options: validateOptions,
    outputs: ["text", "json", "github", "sarif", "junit"],
    examples: [
      { command: "incident validate checkout.yaml", summary: "check one file" },
      {
        command: "incident validate incidents/ -R",
        summary: "check every definition in a folder and below it",
      },
      {
        command: "incident validate incidents/ -o github",
        summary: "as annotations of a GitHub Actions run",
      },
      { command: "incident validate incidents/ --fix --assign-ids", summary: "mend what can be mended" },
    ],
    load: () => import("./validate/run.ts"),
  },
  {
    name: "explain",
    summary: "what a code of a diagnostic means",
    operands: "[code]",
    completions: "codes",
    options: {},
    outputs: ["table", "json"],
    examples: [
      { command: "incident explain unknown-severity", summary: "one code, with a wrong and a right example" },
      { command: "incident explain", summary: "every code" },
    ],
    load: () => import("./explain/run.ts"),
  },
  {
    name: "new",
    summary: "write a definition to start from, with a fresh id",
    operands: "[file]",
    completions: "files",
    options: {},
    outputs: [],
    examples: [
      {
        command: "incident new checkout.yaml",
        summary: "a new file; one that is there is never overwritten",
      },
      { command: "incident new", summary: "to stdout" },
    ],
    load: () => import("./new/run.ts"),
  },
  {
    name: "schema",
    summary: "the JSON Schema of a definition, for editors",
    options: {},
    outputs: ["json"],
    examples: [
      { command: "incident schema > incident.schema.json", summary: "for the line that incident new writes" },
    ],
    notes:
      "It says all that JSON Schema can say. Not in it: the calendar, invisible text, what the catalog holds, and\n" +
      "${variables}, which stand for their value only when incident reads the file.",
    load: () => import("./schema/run.ts"),
  },
  {
    name: "services list",
    summary: "list the services that definitions can use by name",
    options: {},
    outputs: ["table", "json", "yaml", "id"],
    examples: [{ command: "incident services list", summary: "the catalog of this project" }],
    load: async () => ({ run: (await import("./services/run.ts")).list }),
  },
  {
    name: "services import",
    summary: "add the services of an incident to the catalog",
    operands: "<incident-id...>",
    completions: "incidents",
    options: {},
    outputs: ["table", "json", "yaml"],
    examples: [
      {
        command: "incident services import 7c9e6679-7425-40de-944b-e07fc1f90ae7",
        summary: "the API has no list of services, but an incident carries its own",
      },
    ],
    notes: "The catalog is services: in .incident.yaml. An entry that is there is only changed after a yes.",
    load: async () => ({ run: (await import("./services/run.ts")).importFrom }),
  },
  {
    name: "apply",
    summary: "make sure that every definition of a folder exists, once",
    options: applyOptions,
    outputs: ["table", "json", "yaml", "id"],
    examples: [
      { command: "incident apply -f incidents/ --dry-run", summary: "what would be declared" },
      { command: "incident apply -f incidents/", summary: "declare what is missing" },
      {
        command: "incident apply -f incidents/ -R --fail-on-drift",
        summary: "and fail where something differs",
      },
    ],
    notes:
      "Every definition needs an id: incident validate --fix --assign-ids gives one to those that have none.",
    load: () => import("./apply/run.ts"),
  },
  {
    name: "journal list",
    summary: "list the creates that were sent from here",
    options: {},
    outputs: ["table", "json", "yaml", "id"],
    examples: [{ command: "incident journal list", summary: "every create, oldest first" }],
    load: async () => ({ run: (await import("./journal/run.ts")).list }),
  },
  {
    name: "journal show",
    summary: "show everything that happened to a create",
    operands: "<id>",
    completions: "incidents",
    options: {},
    outputs: ["table", "json", "yaml"],
    examples: [
      {
        command: "incident journal show 7c9e6679-7425-40de-944b-e07fc1f90ae7",
        summary: "its attempts and their endings",
      },
    ],
    load: async () => ({ run: (await import("./journal/run.ts")).show }),
  },
  {
    name: "journal settle",
    summary: "say what came of a create whose outcome is not known",
    operands: "<id>",
    completions: "incidents",
    options: settleOptions,
    outputs: ["table", "json", "yaml"],
    examples: [
      { command: "incident journal settle $ID", summary: "look for it once more" },
      { command: "incident journal settle $ID --created", summary: "somebody has seen it" },
      { command: "incident journal settle $ID --not-created", summary: "it is certain that it is not there" },
    ],
    notes: "Without a flag it looks for the incident and settles it if it is there.",
    load: async () => ({ run: (await import("./journal/run.ts")).settle }),
  },
  {
    name: "preview",
    summary: "draw the status page that customers would see, without declaring anything",
    options: previewOptions,
    outputs: [],
    examples: [
      { command: "incident preview -f checkout.yaml > page.html", summary: "as a file" },
      { command: "incident preview -f checkout.yaml --open", summary: "in your browser" },
    ],
    load: () => import("./preview/run.ts"),
  },
  {
    name: "login",
    summary: "try a key and store it as a profile",
    options: loginOptions,
    outputs: ["table", "json"],
    examples: [
      { command: "incident login", summary: "asks for base URL, account and key" },
      { command: "incident login --profile staging", summary: "another profile beside it" },
      {
        command: "pass show incident | incident login --api-key-stdin --account $ACCOUNT",
        summary: "without a terminal; the base URL from INCIDENT_CLI_BASE_URL",
      },
    ],
    notes: "The file is readable by you alone. Nothing is stored unless the service knows the key.",
    load: () => import("./login/run.ts"),
  },
  {
    name: "logout",
    summary: "remove a profile's stored key",
    options: {},
    outputs: ["table", "json"],
    examples: [{ command: "incident logout --profile staging", summary: "forget the key; keep the rest" }],
    load: () => import("./logout/run.ts"),
  },
  {
    name: "config show",
    summary: "every setting, where it came from and what it overrode",
    options: {},
    outputs: ["table", "json", "yaml"],
    examples: [
      { command: "incident config show", summary: "what a command would use here" },
      { command: "incident config show --profile staging", summary: "and with this profile" },
    ],
    notes: "A key is shown by its last four characters, and its command is not run.",
    load: async () => ({ run: (await import("./config/run.ts")).show }),
  },
  {
    name: "config path",
    summary: "the files that settings are read from",
    options: {},
    outputs: ["table", "json"],
    examples: [{ command: "incident config path", summary: "your file, then the project's" }],
    load: async () => ({ run: (await import("./config/run.ts")).path }),
  },
  {
    name: "doctor",
    summary: "check settings, connection, key and the service's contract",
    options: {},
    outputs: ["table", "json"],
    examples: [
      { command: "incident doctor", summary: "one line a check, with what mends it" },
      { command: "incident doctor -o json", summary: "for a script; exits 0 only if nothing is wrong" },
    ],
    load: () => import("./doctor/run.ts"),
  },
  {
    name: "sandbox",
    summary: "run the service on this machine, to rehearse",
    operands: "[command...]",
    completions: "files",
    options: sandboxOptions,
    outputs: [],
    examples: [
      { command: "incident sandbox", summary: "serve until Ctrl-C, and say how to use it" },
      {
        command: "incident sandbox -- ./runbook.sh",
        summary: "run a command against it; exits with its code",
      },
      {
        command: "incident sandbox --scenario drill.yaml -- ./runbook.sh",
        summary: "a drill, with its faults and what is expected",
      },
    ],
    notes: sandboxNotes,
    load: () => import("./sandbox/run.ts"),
  },
  {
    name: "completion",
    summary: "the completion of your shell",
    operands: "<shell>",
    completions: shells,
    options: {},
    outputs: ["text"],
    examples: [
      { command: 'eval "$(incident completion bash)"', summary: "in ~/.bashrc" },
      { command: "incident completion zsh > ~/.zfunc/_incident", summary: "a folder of your fpath" },
      {
        command: "incident completion fish > ~/.config/fish/completions/incident.fish",
        summary: "read by fish itself",
      },
    ],
    notes:
      "It completes commands, flags, their values, profiles, services of the catalog and ids of the journal.",
    load: () => import("./completion/run.ts"),
  },
];
