// Flags that several commands have in common.
import type { FlagSpecs } from "../define-command.ts";

/** The statuses of an incident, as a flag's value. */
export const statusValues = ["investigating", "identified", "monitoring", "resolved"] as const;

/** The values of the variables in definitions. */
export const variableFlags = {
  var: {
    usage: "--var <name=value>",
    kind: "list",
    summary: `the value of \${name} (repeatable)`,
    completions: "variables",
  },
  vars: {
    usage: "--vars <file>",
    kind: "list",
    summary: "read variables from a YAML or JSON file, or - for stdin; a.0.b names a nested value",
    completions: "files",
  },
} as const satisfies FlagSpecs;

/** The consent of a person to what a preview showed. */
export const confirmFlags = {
  confirm: {
    usage: "--confirm <digest>",
    kind: "text",
    summary: "send only what a preview with this digest showed; for anything else, exit 13 and send nothing",
  },
} as const satisfies FlagSpecs;

/** The way around a contract that refuses wrongly. */
export const contractFlags = {
  ignoreContract: {
    usage: "--ignore-contract",
    kind: "switch",
    summary: "do not check against incident.contract.json, where it is wrong in an emergency",
  },
} as const satisfies FlagSpecs;

/** The way around the policy of the project. */
export const policyFlags = {
  overridePolicy: {
    usage: "--override-policy <reason>",
    kind: "text",
    summary: "go on against the policy of .incident.yaml, in an emergency; the journal keeps the reason",
  },
} as const satisfies FlagSpecs;

/** Where definitions are read from, and with which variables. */
export const definitionFlags = {
  file: {
    usage: "-f, --file <path>",
    kind: "list",
    summary: "a YAML file, a folder, or - for stdin (repeatable)",
    completions: "files",
  },
  recursive: {
    usage: "-R, --recursive",
    kind: "switch",
    summary: "include sub-folders",
  },
  ...variableFlags,
} as const satisfies FlagSpecs;
