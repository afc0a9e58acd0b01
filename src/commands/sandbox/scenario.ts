// The scenario of a rehearsal: the flags of `incident sandbox`, or a scenario file with the same settings in YAML, as
// plain data for the sandbox.
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import { type Fault, faultKinds, parseFault } from "../../sandbox/faults.ts";
import { type HabitName, likenesses } from "../../sandbox/habits.ts";
import { parseRateLimit, type RateLimit } from "../../sandbox/rate-limit.ts";
import { parseScriptStep, type ScriptStep } from "../../sandbox/script.ts";
import type { ServiceOptions } from "../../sandbox/service.ts";
import { checkValue } from "../../source/check.ts";
import { diagnosticAt, parseSource, type SourceDocument } from "../../source/documents.ts";
import { readSources } from "../../source/files.ts";
import type { SourceDeps } from "../../source/read-source.ts";
import { advise, argv } from "../../text/advice.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import type { FlagsOf } from "../define-command.ts";
import { invalidFailure } from "../shared/invalid-failure.ts";
import { type Expectations, parseExpectation } from "./expectations.ts";
import { type ScenarioFile, scenarioRules } from "./scenario-rules.ts";
import type { spec } from "./spec.ts";

export interface Scenario {
  readonly faults: readonly Fault[];
  /** For faults with a probability. */
  readonly seed: number;
  readonly clientIds?: NonNullable<ServiceOptions["clientIds"]>;
  readonly habits?: readonly HabitName[];
  readonly rateLimit?: RateLimit;
  readonly expectations: Expectations;
  readonly script: readonly ScriptStep[];
}

/**
 * Merges the flags with the scenario file that they name. The faults of the file follow those of the flags; any other
 * flag overrides the file. Throws a `Failure` "usage" for a flag, "invalid" for the file.
 */
export async function readScenario(context: SourceDeps, flags: FlagsOf<typeof spec>): Promise<Scenario> {
  const ownFaults = (flags.fault ?? []).map((text) => readFlag("--fault", parseOrSuggest(text)));
  const ownExpectations = (flags.expect ?? []).map((text) => readFlag("--expect", parseExpectation(text)));
  const script = (flags.script ?? []).map((text) => readFlag("--script", parseScriptStep(text)));
  const ownLimit =
    flags.rateLimit === undefined ? undefined : readFlag("--rate-limit", parseRateLimit(flags.rateLimit));
  const file = flags.scenario === undefined ? undefined : await readFile(context, flags.scenario);
  const clientIds = (flags.clientIds as ScenarioFile["clientIds"]) ?? file?.settings.clientIds;
  const serviceLike = (flags.serviceLike as ScenarioFile["serviceLike"]) ?? file?.settings.serviceLike;
  const rateLimit = ownLimit ?? file?.settings.rateLimit;
  return {
    faults: [...ownFaults, ...(file?.faults ?? [])],
    script,
    seed: flags.seed ?? file?.settings.seed ?? 1,
    ...(clientIds && { clientIds }),
    ...(serviceLike && { habits: likenesses[serviceLike] }),
    ...(rateLimit && { rateLimit }),
    expectations: { ...file?.settings.expect, ...Object.assign({}, ...ownExpectations) },
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

async function readFile(
  context: SourceDeps,
  name: string,
): Promise<{ readonly settings: ScenarioFile; readonly faults: readonly Fault[] }> {
  const [source] = await readSources(context, [name], { recurse: false });
  if (source === undefined) return { settings: {}, faults: [] };
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
  const { faults, diagnostics: faultDiagnostics } = parseFaults(document);
  if (checked.value === undefined || faultDiagnostics.length > 0)
    throw invalidScenario([...checked.diagnostics, ...faultDiagnostics]);
  return { settings: checked.value, faults };
}

/** Parses each fault that is text, even where other parts of the file are invalid. */
function parseFaults({ value, locate }: SourceDocument) {
  const faults: Fault[] = [];
  const diagnostics: Diagnostic[] = [];
  const entries = (value as { readonly faults?: unknown } | null)?.faults;
  for (const [index, text] of (Array.isArray(entries) ? entries : []).entries()) {
    if (typeof text !== "string") continue;
    const fault = parseOrSuggest(text);
    if (!("problem" in fault)) faults.push(fault);
    else {
      const hint = "write it as in create#1:503 or get:slow=2s; incident help drills lists the kinds";
      const location = locate(["faults", index]);
      diagnostics.push({ code: "not-a-fault", level: "error", message: fault.problem, hint, location });
    }
  }
  return { faults, diagnostics };
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
