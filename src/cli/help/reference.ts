// `incident help --json`: the whole command line as data, from the same specs as the help, for documentation and wrappers.
import { type FlagSpec, type FlagSpecs, globalFlags } from "../../commands/define-command.ts";
import { exitCodes, type FailureKind } from "../../failure.ts";
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

export async function renderReference(): Promise<string> {
  const commands = await Promise.all(
    specs.map(async ({ name, summary, operands, flags, outputs, examples, notes }) => ({
      name,
      summary,
      operands: operands ?? null,
      flags: flagsOf(flags),
      outputs,
      examples,
      notes: (typeof notes === "function" ? await notes() : notes) ?? null,
    })),
  );
  const kinds = Object.keys(exitCodes) as FailureKind[];
  const reference = {
    formatVersion,
    name: "incident",
    version,
    globalFlags: flagsOf(globalFlags),
    commands,
    exitCodes: [
      { code: 0, kind: null, next: "done" },
      ...kinds.map((kind) => ({ code: exitCodes[kind], kind, next: nextSteps[kind] })),
    ],
  };
  return `${JSON.stringify(reference, undefined, 2)}\n`;
}

function flagsOf(flags: FlagSpecs) {
  return Object.values(flags).map(({ usage, kind, summary, choices }) => {
    const names = usage.split(/[ ,]+/).filter((part) => part.startsWith("-"));
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
