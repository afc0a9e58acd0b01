// The options of each command, as data. What a command's run gets follows from its table.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is what people write in definitions.
import type { Option } from "./define-command.ts";

const statusWords = ["investigating", "identified", "monitoring", "resolved"];

/** What definitions are read with. */
const variableOptions = {
  var: { flags: "--var <name=value>", kind: "list", summary: "what stands for ${name} (repeatable)" },
  vars: {
    flags: "--vars <file>",
    kind: "list",
    summary: "variables from a YAML file of names and texts",
    completions: "files",
  },
} as const satisfies Readonly<Record<string, Option>>;

export const createOptions = {
  file: {
    flags: "-f, --file <path>",
    kind: "list",
    summary: "a YAML file, a folder, or - for stdin (repeatable)",
    completions: "files",
  },
  recursive: {
    flags: "-R, --recursive",
    kind: "switch",
    summary: "look into the folders of a folder as well",
  },
  ...variableOptions,
  name: { flags: "--name <text>", kind: "text", summary: "the headline that customers see" },
  severity: {
    flags: "--severity <severity>",
    kind: "text",
    summary: "critical, major, medium or minor",
    completions: ["critical", "major", "medium", "minor"],
  },
  service: {
    flags: "--service <name>",
    kind: "list",
    summary: "an affected service of the catalog, by its name there (repeatable)",
    completions: "services",
  },
  message: { flags: "--message <text>", kind: "text", summary: "what customers read" },
  status: {
    flags: "--status <status>",
    kind: "text",
    summary: "investigating, identified, monitoring or resolved",
    completions: statusWords,
  },
  notify: { flags: "--notify", kind: "switch", summary: "tell subscribers" },
  noNotify: { flags: "--no-notify", kind: "switch", summary: "do not tell subscribers" },
  dryRun: {
    flags: "--dry-run",
    kind: "switch",
    summary: "show what would be sent, and send nothing; -o curl gives it as a command",
  },
  key: {
    flags: "--key <text>",
    kind: "text",
    summary: "name the incident: every run with the same text is the same incident",
  },
  new: {
    flags: "--new",
    kind: "switch",
    summary: "another incident, even while one with the same content is under way",
  },
  withoutLooking: {
    flags: "--without-looking",
    kind: "switch",
    summary: "send although the service cannot be read, so that another machine may have declared it",
  },
  noJournal: {
    flags: "--no-journal",
    kind: "switch",
    summary: "send without a memory; nothing then keeps a rerun from declaring it twice",
  },
} as const satisfies Readonly<Record<string, Option>>;

export const getOptions = {
  watch: { flags: "-w, --watch", kind: "switch", summary: "look again and again, until Ctrl-C" },
  waitFor: {
    flags: "--wait-for <status>",
    kind: "text",
    summary: "wait until it is there, or further on; exit 10 if that takes too long",
    completions: statusWords,
  },
  waitTimeout: {
    flags: "--wait-timeout <duration>",
    kind: "duration",
    summary: "wait this long (default: 30m)",
  },
  interval: {
    flags: "--interval <duration>",
    kind: "duration",
    summary: "look this often (default: 10s; at least 1s)",
  },
} as const satisfies Readonly<Record<string, Option>>;

export const validateOptions = {
  recursive: createOptions.recursive,
  ...variableOptions,
  fix: { flags: "--fix", kind: "switch", summary: "mend what has one right answer" },
  assignIds: {
    flags: "--assign-ids",
    kind: "switch",
    summary: "with --fix: give a fresh id to each definition that has none",
  },
} as const satisfies Readonly<Record<string, Option>>;

export const previewOptions = {
  file: createOptions.file,
  recursive: createOptions.recursive,
  ...variableOptions,
  out: {
    flags: "--out <file>",
    kind: "text",
    summary: "write the page here (default: to stdout)",
    completions: "files",
  },
  open: { flags: "--open", kind: "switch", summary: "open the page in a browser" },
} as const satisfies Readonly<Record<string, Option>>;

export const sandboxOptions = {
  port: { flags: "--port <number>", kind: "count", summary: "listen here (default: a free port)" },
  host: {
    flags: "--host <address>",
    kind: "text",
    summary: "listen on this address (default: 127.0.0.1, this machine alone)",
  },
  fault: {
    flags: "--fault <fault>",
    kind: "list",
    summary: "go wrong like this, such as create#1:drop-after-commit (repeatable)",
  },
  scenario: {
    flags: "--scenario <file>",
    kind: "text",
    summary: "faults and expectations from a YAML file",
    completions: "files",
  },
  seed: { flags: "--seed <number>", kind: "count", summary: "for faults that strike by chance (default: 1)" },
  clientIds: {
    flags: "--client-ids <what>",
    kind: "text",
    summary: "what becomes of an id in a create (default: honour)",
    choices: ["honour", "ignore", "reject"],
  },
  rateLimit: {
    flags: "--rate-limit <requests/seconds>",
    kind: "text",
    summary: "answer 429 beyond this (default: 600/60)",
  },
  data: {
    flags: "--data <file>",
    kind: "text",
    summary: "keep incidents in this file, for one sandbox after another",
    completions: "files",
  },
  expect: {
    flags: "--expect <name=number>",
    kind: "list",
    summary:
      "fail with exit 11 when it ends otherwise; of requests, incidents, duplicates, 429s, exit (repeatable)",
  },
} as const satisfies Readonly<Record<string, Option>>;

export const applyOptions = {
  file: {
    ...createOptions.file,
    summary: "a folder or a YAML file of definitions, each with an id (repeatable)",
  },
  recursive: createOptions.recursive,
  var: createOptions.var,
  vars: createOptions.vars,
  dryRun: { flags: "--dry-run", kind: "switch", summary: "print the plan and declare nothing" },
  maxCreates: {
    flags: "--max-creates <count>",
    kind: "count",
    summary: "declare more than this only with --yes (default: 10)",
  },
  recreate: {
    flags: "--recreate",
    kind: "switch",
    summary: "declare anew what was declared from here and is gone",
  },
  failOnDrift: {
    flags: "--fail-on-drift",
    kind: "switch",
    summary: "exit with 11 where what exists differs from its definition",
  },
  failFast: { flags: "--fail-fast", kind: "switch", summary: "begin nothing more after a failure" },
  concurrency: {
    flags: "--concurrency <count>",
    kind: "count",
    summary: "how many are read or declared at a time (default: 16)",
  },
  rateLimit: {
    flags: "--rate-limit <requests/seconds>",
    kind: "text",
    summary: "keep to this rate (default: 600/60, the service's own)",
  },
  noCiReport: {
    flags: "--no-ci-report",
    kind: "switch",
    summary: "in GitHub Actions and GitLab, write no summary, outputs or report",
  },
} as const satisfies Readonly<Record<string, Option>>;

export const settleOptions = {
  created: { flags: "--created", kind: "switch", summary: "it was declared: a rerun sends nothing" },
  serviceId: {
    flags: "--service-id <guid>",
    kind: "text",
    summary: "with --created: the id that the service gave it, if it is another",
  },
  notCreated: {
    flags: "--not-created",
    kind: "switch",
    summary: "it was not declared: a rerun sends it; should it appear after all, there are two",
  },
  resend: {
    flags: "--resend",
    kind: "switch",
    summary: "send it again now, under the same id; should the first have counted, there may be two",
  },
} as const satisfies Readonly<Record<string, Option>>;

export const loginOptions = {
  apiKeyStdin: {
    flags: "--api-key-stdin",
    kind: "switch",
    summary: "read the key from stdin instead of asking for it",
  },
} as const satisfies Readonly<Record<string, Option>>;
