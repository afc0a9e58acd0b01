// The scenario of a rehearsal: the flags of `incident sandbox`, or a scenario file with the same settings in YAML, as
// plain data for the sandbox.
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { FlagsOf } from "../../kit/define-command.ts";
import { fieldOf } from "../../own-value.ts";
import { type Fault, faultKinds, parseFault } from "../../sandbox/faults.ts";
import { habitNames } from "../../sandbox/habits.ts";
import { parseRateLimit } from "../../sandbox/rate-limit.ts";
import { parseScriptStep } from "../../sandbox/script.ts";
import { checkValue } from "../../source/check.ts";
import { diagnosticAt, parseSource, type SourceDocument } from "../../source/documents.ts";
import { readSourceOrStdin, type SourceDeps } from "../../source/read-source.ts";
import { advise, argv } from "../../text/advice.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import { invalidFailure } from "../shared/invalid-failure.ts";
import { type Expectations, parseExpectation } from "./expectations.ts";
import { type ScenarioFile, scenarioRules } from "./scenario-rules.ts";
import type { spec } from "./spec.ts";

/**
 * Merges the flags with the scenario file that they name. The faults of the file follow those of the flags; any other
 * flag overrides the file. Throws a `Failure` "usage" for a flag, "invalid" for the file.
 */
export async function readScenario(context: SourceDeps, flags: FlagsOf<typeof spec>) {
  const ownFaults = (flags.fault ?? []).map((text) => readFlag("--fault", parseOrSuggest(text)));
  const ownExpectations = (flags.expect ?? []).map((text) => readFlag("--expect", parseExpectation(text)));
  const script = (flags.script ?? []).map((text) => readFlag("--script", parseScriptStep(text)));
  const ownLimit =
    flags.rateLimit === undefined ? undefined : readFlag("--rate-limit", parseRateLimit(flags.rateLimit));
  const file = flags.scenario === undefined ? undefined : await readFile(context, flags.scenario);
  const { faults = [], settings = {} } = file ?? {};
  const serviceLike = (flags.serviceLike as ScenarioFile["serviceLike"]) ?? settings.serviceLike;
  return {
    faults: [...ownFaults, ...faults],
    script,
    /** For faults with a probability. */
    seed: flags.seed ?? settings.seed ?? 1,
    clientIds: (flags.clientIds as ScenarioFile["clientIds"]) ?? settings.clientIds,
    // The one kind of --service-like has every habit.
    habits: serviceLike && habitNames,
    rateLimit: ownLimit ?? settings.rateLimit,
    expectations: { ...settings.expect, ...Object.assign({}, ...ownExpectations) } as Expectations,
  };
}

/** Names the nearest kind in the problem of an unknown one. */
function parseOrSuggest(text: string): Fault | { readonly problem: string } {
  const fault = parseFault(text);
  if (!("problem" in fault) || fault.unknown === undefined) return fault;
  return { problem: withSuggestion(fault.problem, nearest(fault.unknown, faultKinds)) };
}

function readFlag<T extends object>(flag: string, parsed: T | { readonly problem: string }): T {
  if (!("problem" in parsed)) return parsed;
  throw new Failure("usage", `${flag}: ${parsed.problem}`, {
    hint: advise`see ${argv`incident help drills`}`,
  });
}

/** The settings of a scenario file and its faults. Throws a `Failure` with all of its problems, in their order. */
async function readFile(context: SourceDeps, name: string) {
  const source = await readSourceOrStdin(context, name);
  const { documents, diagnostics } = parseSource(source);
  if (diagnostics.length > 0) throw invalidScenario(diagnostics);
  const [document, another] = documents;
  if (document === undefined)
    throw invalidScenario([diagnosticAt("no-definition", noScenario, "", source.file, 0)]);
  if (another !== undefined)
    throw invalidScenario([
      { code: "wrong-type", level: "error", ...severalDocuments, location: another.locate([]) },
    ]);
  const checked = checkValue(scenarioRules, document.value, document.locate);
  const { faults, problems } = readFaults(document);
  if (checked.value === undefined || problems.length > 0)
    throw invalidScenario([...checked.diagnostics, ...problems]);
  return { settings: checked.value, faults };
}

/** Parses each fault that is text, even where other parts of the file are invalid. */
function readFaults({ value, locate }: SourceDocument) {
  const faults: Fault[] = [];
  const problems: Diagnostic[] = [];
  const entries = fieldOf(value, "faults");
  for (const [index, text] of (Array.isArray(entries) ? entries : []).entries()) {
    if (typeof text !== "string") continue;
    const fault = parseOrSuggest(text);
    if (!("problem" in fault)) faults.push(fault);
    else {
      const hint = "write it as in create#1:503 or get:slow=2s; incident help drills lists the kinds";
      const location = locate(["faults", index]);
      problems.push({ code: "not-a-fault", level: "error", message: fault.problem, hint, location });
    }
  }
  return { faults, problems };
}
const noScenario = { message: "this file contains no scenario", hint: "write faults, expect, or both" };
const severalDocuments = {
  message: "a scenario is one document",
  hint: "keep one: remove the lines with ---",
};

function invalidScenario(diagnostics: readonly Diagnostic[]): Failure {
  const inOrder = [...diagnostics].sort((a, b) => a.location.start.line - b.location.start.line);
  return invalidFailure(inOrder, "correct the problems above; nothing was started");
}
