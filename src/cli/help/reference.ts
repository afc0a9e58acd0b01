// `incident help --json [COMMAND]`: the command line as data, from the same specs as the help, for documentation and wrappers.

import { exitCodes, Failure, type FailureKind } from "../../failure.ts";
import { modesOf } from "../../kit/choose-format.ts";
import type { CommandSpec } from "../../kit/define-command.ts";
import { type FlagSpec, type FlagSpecs, namesIn } from "../../kit/flags.ts";
import { globalFlags } from "../../kit/global-flags.ts";
import { advise, argv } from "../../text/advice.ts";
import { version } from "../../version.ts";
import { specs } from "../registry.ts";
import { nextSteps } from "./topics.ts";

/** Version of this document's form. */
const formatVersion = 1;

const types = {
  switch: "boolean",
  text: "string",
  list: "string",
  duration: "duration",
  count: "integer",
} as const satisfies Record<FlagSpec["kind"], string>;

const service =
  "apply|contract check|contract pull|create|doctor|gate|get|journal settle|list|login|resolve|services import|update";
const journal = "journal copy|journal export|journal import|journal init|journal list|journal show|open";

/** The commands that can end with a kind of failure. A kind that is left out can end each command. */
const commandsByKind: Readonly<Partial<Record<FailureKind, string>>> = {
  invalid:
    "apply|create|gate|journal import|new|preview|resolve|sandbox|services import|services list|templates list|templates show|update|validate",
  credentials: `${service}|${journal}|config show`,
  missing: "apply|create|get|journal settle|journal show|open|resolve|services import|update",
  rejected: `${service}|journal copy|journal import`,
  unavailable: `${service}|${journal}`,
  uncertain: "apply|create|doctor|journal copy|journal list|journal settle|journal show|resolve|update",
  partial: "apply|create|resolve|update",
  drift: "apply|contract check|sandbox|update",
  blocked: "gate",
  confirmation: "apply|create|resolve|update",
};

/** The kinds after which the same command may succeed, and cannot declare twice. */
const retryable: ReadonlySet<FailureKind> = new Set(["unavailable", "timeout"]);

const kinds = Object.keys(exitCodes) as FailureKind[];

/** How a command can fail, with the exit codes. */
export function failuresOf(command: string) {
  return kinds
    .filter((kind) => commandsByKind[kind]?.split("|").includes(command) ?? true)
    .map((kind) => ({
      kind,
      exitCode: exitCodes[kind],
      retryable: retryable.has(kind),
      next: nextSteps[kind],
    }));
}

async function describeCommand(spec: CommandSpec) {
  const { name, summary, operands, flags, notes } = spec;
  const outputsWith = Object.fromEntries(modesOf(spec).map(({ flag, outputs }) => [flag, outputs]));
  const examples = Object.entries(spec.examples).map(([command, summary]) => ({ command, summary }));
  return {
    ...{
      name,
      summary,
      operands: operands ?? null,
      flags: flagsOf(flags),
      outputs: spec.outputs,
      outputsWith,
    },
    examples,
    notes: (typeof notes === "function" ? await notes() : notes) ?? null,
    failures: failuresOf(name),
  };
}

/** The whole command line, or one command of it. Throws a `Failure` "usage" for an unknown one. */
export async function renderReference(name: string): Promise<string> {
  if (name !== "") {
    const spec = specs.find((candidate) => candidate.name === name);
    if (spec === undefined)
      throw new Failure("usage", `there is no command "${name}"`, {
        hint: advise`${argv`incident help commands`} lists them`,
      });
    return json({ formatVersion, version, ...(await describeCommand(spec)) });
  }
  return json({
    formatVersion,
    name: "incident",
    version,
    globalFlags: flagsOf(globalFlags),
    commands: await Promise.all(specs.map(describeCommand)),
    exitCodes: [
      { code: 0, kind: null, next: "done" },
      ...kinds.map((kind) => ({ code: exitCodes[kind], kind, next: nextSteps[kind] })),
    ],
  });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function flagsOf(flags: FlagSpecs) {
  return Object.values(flags).map(({ usage, kind, summary, choices }) => {
    const names = namesIn(usage);
    return {
      name: names.at(-1),
      short: names.length > 1 ? names[0] : null,
      type: types[kind],
      value: /<(.+)>$/.exec(usage)?.[1] ?? null,
      repeatable: kind === "list",
      default: /\(default: ([^)]+)\)/.exec(summary)?.[1] ?? null,
      choices: choices ?? null,
      summary,
    };
  });
}
