// What a drill is made of: the flags of `incident sandbox`, and a scenario file that says the same in YAML. The
// sandbox knows neither; it gets plain data.
import * as z from "zod/mini";
import type { Diagnostic, DiagnosticCode } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import { withMeta } from "../../incident/with-meta.ts";
import { type Fault, parseFault } from "../../sandbox/faults.ts";
import { parseRateLimit, type RateLimit } from "../../sandbox/rate-limit.ts";
import type { ServiceOptions } from "../../sandbox/service.ts";
import { checkValue } from "../../source/check.ts";
import { decodeText, diagnosticAt } from "../../source/decode.ts";
import { parseDocuments, type SourceDocument } from "../../source/documents.ts";
import { readSources, type SourceDeps } from "../../source/files.ts";
import type { Flags } from "../define-command.ts";
import type { sandboxOptions } from "../options.ts";
import { invalidFailure } from "../shared/read-definitions.ts";
import { type Expectations, parseExpectation } from "./expectations.ts";

export interface Scenario {
  readonly faults: readonly Fault[];
  /** For faults that strike by chance. */
  readonly seed: number;
  readonly clientIds?: NonNullable<ServiceOptions["clientIds"]>;
  readonly rateLimit?: RateLimit;
  readonly expectations: Expectations;
}

/** What a breach of a rule is called, as source/check.ts reads it. */
function breach(code: DiagnosticCode): DiagnosticCode {
  return code;
}

const wholeNumber = z.int(breach("not-a-whole-number"));
const count = z.optional(wholeNumber.check(z.minimum(0, breach("not-a-whole-number"))));
const atLeastOne = wholeNumber.check(z.minimum(1, breach("not-a-whole-number")));

const scenarioSchema = z.strictObject({
  faults: z.optional(z.array(withMeta(z.string(), { examples: ["create#1:drop-after-commit"] }))),
  seed: count,
  clientIds: z.optional(z.enum(["honour", "ignore", "reject"], breach("unknown-value"))),
  rateLimit: z.optional(z.strictObject({ requests: atLeastOne, seconds: atLeastOne })),
  expect: z.optional(
    z.strictObject({
      requests: count,
      incidents: count,
      duplicates: count,
      "429s": count,
      exit: count,
    }),
  ),
});

type Written = z.infer<typeof scenarioSchema>;

/**
 * The flags over the scenario file that they name: its faults come after theirs, and anything else of it holds
 * where no flag says otherwise. Throws a `Failure` "usage" for a flag, "invalid" for the file.
 */
export async function readScenario(
  context: SourceDeps,
  flags: Flags<typeof sandboxOptions>,
): Promise<Scenario> {
  const ownFaults = (flags.fault ?? []).map((text) => readFlag("--fault", parseFault(text)));
  const ownExpectations = (flags.expect ?? []).map((text) => readFlag("--expect", parseExpectation(text)));
  const ownLimit =
    flags.rateLimit === undefined ? undefined : readFlag("--rate-limit", parseRateLimit(flags.rateLimit));
  const file = flags.scenario === undefined ? undefined : await readFile(context, flags.scenario);
  const clientIds = (flags.clientIds as Written["clientIds"]) ?? file?.written.clientIds;
  const rateLimit = ownLimit ?? file?.written.rateLimit;
  return {
    faults: [...ownFaults, ...(file?.faults ?? [])],
    seed: flags.seed ?? file?.written.seed ?? 1,
    ...(clientIds && { clientIds }),
    ...(rateLimit && { rateLimit }),
    expectations: { ...file?.written.expect, ...Object.assign({}, ...ownExpectations) },
  };
}

function readFlag<T extends object>(flag: string, parsed: T | { readonly problem: string }): T {
  if (!("problem" in parsed)) return parsed;
  throw new Failure("usage", `${flag}: ${parsed.problem}`, { hint: "see incident sandbox --help" });
}

async function readFile(
  context: SourceDeps,
  name: string,
): Promise<{ readonly written: Written; readonly faults: readonly Fault[] }> {
  const [source] = await readSources(context, [name], { recurse: false });
  if (source === undefined) return { written: {}, faults: [] };
  const decoded = decodeText(source);
  if ("diagnostic" in decoded) throw unfit([decoded.diagnostic]);
  const { documents, diagnostics } = parseDocuments(decoded.text, source.file);
  if (diagnostics.length > 0) throw unfit(diagnostics);
  const [document, another] = documents;
  if (document === undefined) {
    throw unfit([diagnosticAt("no-definition", nothing, decoded.text, source.file, 0)]);
  }
  if (another !== undefined) {
    throw unfit([{ code: "wrong-type", level: "error", ...several, location: another.locate([]) }]);
  }
  const checked = checkValue(scenarioSchema, document.value, document.locate);
  const { faults, problems } = readFaults(document);
  if (checked.value === undefined || problems.length > 0) throw unfit([...checked.diagnostics, ...problems]);
  return { written: checked.value, faults };
}

/** Reads every fault that is a text, also where something else in the file is wrong. */
function readFaults({ value, locate }: SourceDocument) {
  const faults: Fault[] = [];
  const problems: Diagnostic[] = [];
  const listed = (value as { readonly faults?: unknown } | null)?.faults;
  for (const [index, text] of (Array.isArray(listed) ? listed : []).entries()) {
    if (typeof text !== "string") continue;
    const fault = parseFault(text);
    if (!("problem" in fault)) faults.push(fault);
    else {
      const hint = "write it as in create#1:503 or get:slow=2s; incident sandbox --help lists the kinds";
      const location = locate(["faults", index]);
      problems.push({ code: "not-a-fault", level: "error", message: fault.problem, hint, location });
    }
  }
  return { faults, problems };
}

const nothing = { message: "this file holds no scenario", hint: "write faults, expect, or both" };
const several = { message: "a scenario is one document", hint: "keep one: remove the lines with ---" };

function unfit(diagnostics: readonly Diagnostic[]): Failure {
  const inOrder = [...diagnostics].sort((a, b) => a.location.start.line - b.location.start.line);
  return invalidFailure(inOrder, "correct what is named above; nothing was started");
}
