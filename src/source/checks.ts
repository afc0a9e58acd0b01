// The checks of a definition as one list, in their order. Every command that takes definitions runs all of them.
import { type Diagnostic, errorAt, type Locate, type Path } from "../diagnostic.ts";
import type { CheckBody } from "../document/check-body.ts";
import { findOversizeSent } from "../incident/body-size.ts";
import type { Definition } from "../incident/definition.ts";
import type { LeakMode } from "../incident/policy-rules.ts";
import type { Checked } from "./check.ts";
import { contractDiagnostics } from "./rules/contract-diagnostics.ts";
import { leakDiagnostics } from "./rules/leaks.ts";
import { controlWarnings, findWarnings } from "./rules/warnings.ts";
import { bodyTooLarge, type Filled } from "./variables/replace-variables.ts";

/** The rules beside the schema. A rule that is left out is not checked. */
export interface CheckOptions {
  /** Milliseconds since the epoch, for the warning about a date in the future. */
  readonly now?: number;
  readonly policy?:
    | {
        /** The violations of a valid definition. */
        readonly check: (definition: Definition, locate: Locate) => readonly Diagnostic[];
        readonly leaks: LeakMode | undefined;
      }
    | undefined;
  readonly contract?: CheckBody | undefined;
}

/** A value as a check sees it. */
export interface Subject {
  /** With the values of variables, the fields of flags, and the services of the catalog. */
  readonly value: unknown;
  readonly locate: Locate;
  /** The parts of texts that came from variables. */
  readonly filled: readonly Filled[];
  /** The diagnostics of the variables, the catalog and the placeholders. */
  readonly unreadable: readonly Diagnostic[];
  readonly schema: Pick<Checked<Definition>, "diagnostics" | "value">;
  /** The paths that have a diagnostic: one mistake gets one. */
  readonly reported: readonly Path[];
  /** Whether the text of the diagnostic is known: it has no variable without a value, and no placeholder. */
  readonly isFinished: (diagnostic: Diagnostic) => boolean;
  /** Whether a "#" may cut a text short. */
  readonly mayBeCut: boolean;
}

/** On a value, on a definition whose texts can still have variables, or on a finished definition. */
type Check =
  | { readonly on: "value"; find(subject: Subject, options: CheckOptions): readonly Diagnostic[] }
  | {
      readonly on: "definition" | "finished";
      find(definition: Definition, subject: Subject, options: CheckOptions): readonly Diagnostic[];
    };

const checks = {
  reading: { on: "value", find: ({ unreadable }) => unreadable },
  schema: { on: "value", find: ({ schema }) => schema.diagnostics },
  contract: {
    on: "value",
    find: ({ locate, reported, value }, { contract }) =>
      contractDiagnostics(contract, value, locate, reported),
  },
  size: {
    on: "value",
    find: ({ locate, schema }) => {
      const path = schema.value && findOversizeSent(schema.value);
      return path === undefined ? [] : [errorAt("body-too-large", bodyTooLarge, locate(path))];
    },
  },
  policy: {
    on: "definition",
    find: (definition, { isFinished, locate }, { policy }) =>
      policy?.check(definition, locate).filter(isFinished) ?? [],
  },
  leaks: {
    on: "finished",
    find: (definition, { filled, locate }, { policy }) =>
      leakDiagnostics(definition, filled, locate, policy?.leaks),
  },
  controls: { on: "finished", find: (_, { filled, locate }) => controlWarnings(filled, locate) },
  warnings: {
    on: "finished",
    find: (definition, { locate, mayBeCut }, { now }) => findWarnings(definition, locate, mayBeCut, now),
  },
} satisfies Record<string, Check>;

const list: readonly Check[] = Object.values(checks);

/** `isFinished` is false for a definition with texts that are not known yet. */
export function runChecks(subject: Subject, options: CheckOptions, isFinished: boolean) {
  const found = list.flatMap((check) => (check.on === "value" ? check.find(subject, options) : []));
  const definition = found.length === 0 ? subject.schema.value : undefined;
  const stages = isFinished ? ["definition", "finished"] : ["definition"];
  if (definition !== undefined)
    for (const check of list)
      if (check.on !== "value" && stages.includes(check.on))
        found.push(...check.find(definition, subject, options));
  return { definition, found };
}
