// What is known of the mutants, as the text that is committed.
import { engineOf } from "./baseline.ts";
import { equivalents } from "./equivalents.ts";
import type { Mutant } from "./instrument.ts";
import type { FaultVerdict } from "./run-faults.ts";
import type { Verdict } from "./run-mutants.ts";
import { coreFiles } from "./selection.ts";

type End = Verdict["end"] | "equivalent" | "not judged";

const ends = [
  "killed",
  "equivalent",
  "survived",
  "not reached",
  "not judged",
] as const satisfies readonly End[];

export function renderResults(
  mutants: readonly Mutant[],
  refused: number,
  verdicts: ReadonlyMap<string, Verdict>,
  faults: readonly FaultVerdict[],
): string {
  const endOf = ({ name }: Mutant): End => {
    const end = verdicts.get(name)?.end ?? "not judged";
    return end !== "killed" && equivalents.has(name) ? "equivalent" : end;
  };
  const count = (list: readonly Mutant[], end: End) => list.filter((mutant) => endOf(mutant) === end).length;
  const isInSimulation = ({ name }: Mutant) => verdicts.get(name)?.isInSimulation === true;
  const share = (part: number, of: number) => `${part} of ${of} (${percent(part, of)})`;
  const judged = mutants.filter((mutant) => endOf(mutant) !== "not judged");
  const core = mutants.filter((mutant) => coreFiles.has(mutant.file) && endOf(mutant) !== "equivalent");
  const files = [...new Set(mutants.map(({ file }) => file))];
  const others = judged.filter((mutant) => endOf(mutant) !== "killed");
  const scoreOf = (name: string, list: readonly Mutant[]) => {
    const own = list.filter((mutant) => !["not judged", "equivalent"].includes(endOf(mutant)));
    const isSample = list.some((mutant) => endOf(mutant) === "not judged");
    const interval = isSample
      ? `; ${intervalOf(count(own, "killed"), own.length)} with a confidence of 95 %`
      : "";
    return `score of ${name}: ${share(count(own, "killed"), own.length)}${interval}`;
  };
  const isOfEngine = ({ file }: Mutant) => engineOf(file) !== undefined;
  return [
    "Written by `npm run mutants`: machine-made mutants of the delivery code, and what notices them.",
    "",
    `mutants: ${mutants.length}; ${refused} more are refused by the compiler, and not counted`,
    `judged: ${share(judged.length, mutants.length)}${judged.length < mutants.length ? "; a random sample" : ""}`,
    `equivalent or harmless, for the reason below, and not in the score: ${count(judged, "equivalent")}`,
    scoreOf(
      "the delivery and the journal",
      mutants.filter((mutant) => !isOfEngine(mutant)),
    ),
    scoreOf("the stores of shared journals", mutants.filter(isOfEngine)),
    `pure core, killed in the simulation: ${share(core.filter(isInSimulation).length, core.length)} of those that are not equivalent`,
    `faults of the protocol, noticed: ${share(faults.filter(({ by }) => by !== undefined).length, faults.length)}`,
    "",
    `| file | mutants | ${ends.join(" | ")} | |`,
    `|---|--:|${ends.map(() => "--:|").join("")}---|`,
    ...files.map((file) => {
      const own = mutants.filter((mutant) => mutant.file === file);
      const note = coreFiles.has(file) ? `core, ${own.filter(isInSimulation).length} in the simulation` : "";
      return `| ${file} | ${own.length} | ${ends.map((end) => count(own, end)).join(" | ")} | ${note} |`;
    }),
    "",
    ...others.flatMap((mutant) => [
      `${endOf(mutant)}: ${mutant.name}`,
      ...[equivalents.get(mutant.name) ?? []].flat().map((reason) => `    ${reason}`),
    ]),
    "",
    ...faults.flatMap(({ by, name }) => [`fault: ${name}`, `    ${by ?? "not noticed"}`]),
    "",
  ].join("\n");
}

/** Wilson's interval of a share. */
function intervalOf(part: number, of: number): string {
  if (of === 0) return "nothing is known";
  const z = 1.96;
  const center = (part + (z * z) / 2) / (of + z * z);
  const half = (z * Math.sqrt((part * (of - part)) / of + (z * z) / 4)) / (of + z * z);
  return `${(100 * (center - half)).toFixed(1)} to ${(100 * (center + half)).toFixed(1)} %`;
}

function percent(count: number, of: number): string {
  return of === 0 ? "-" : `${((100 * count) / of).toFixed(1)} %`;
}
