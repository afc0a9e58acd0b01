// The committed result of a complete run, as text.
import { equivalents } from "./equivalents.ts";
import type { Mutant } from "./instrument.ts";
import type { FaultVerdict } from "./run-faults.ts";
import type { Verdict } from "./run-mutants.ts";
import { coreFiles } from "./selection.ts";

export function renderResults(
  mutants: readonly Mutant[],
  verdicts: ReadonlyMap<string, Verdict>,
  faults: readonly FaultVerdict[],
): string {
  const endOf = ({ name }: Mutant) => verdicts.get(name)?.end ?? "not reached";
  const isKilled = (mutant: Mutant) => endOf(mutant) === "killed";
  const isInSimulation = ({ name }: Mutant) => verdicts.get(name)?.isInSimulation === true;
  const share = (count: number, of: number) => `${count} of ${of} (${percent(count, of)})`;
  const killed = mutants.filter(isKilled);
  const core = mutants.filter(({ file }) => coreFiles.has(file));
  const files = [...new Set(mutants.map(({ file }) => file))];
  const survivors = mutants.filter((mutant) => !isKilled(mutant));
  const explained = survivors.filter(({ name }) => equivalents.has(name));
  return [
    "Written by `npm run mutants`: machine-made mutants of the delivery code, and what notices them.",
    "",
    `killed: ${share(killed.length, mutants.length)}`,
    `pure core, killed in the simulation: ${share(core.filter(isInSimulation).length, core.length)}`,
    `faults of the protocol, noticed: ${share(faults.filter(({ by }) => by !== undefined).length, faults.length)}`,
    `survivors: ${survivors.length}, of which ${explained.length} are equivalent or harmless for the reason that is given`,
    "",
    "| file | mutants | killed | |",
    "|---|---|---|---|",
    ...files.map((file) => {
      const own = mutants.filter((mutant) => mutant.file === file);
      const count = own.filter(isKilled).length;
      const note = coreFiles.has(file) ? `core, ${own.filter(isInSimulation).length} in the simulation` : "";
      return `| ${file} | ${own.length} | ${count} (${percent(count, own.length)}) | ${note} |`;
    }),
    "",
    ...survivors.flatMap((mutant) => [
      `${endOf(mutant)}: ${mutant.name}`,
      `    ${equivalents.get(mutant.name) ?? "no reason yet"}`,
    ]),
    "",
    ...faults.flatMap(({ by, name }) => [`fault: ${name}`, `    ${by ?? "not noticed"}`]),
    "",
  ].join("\n");
}

function percent(count: number, of: number): string {
  return of === 0 ? "-" : `${((100 * count) / of).toFixed(1)} %`;
}
