// A sandbox for tests: faults in the grammar of --fault, of which some occur at random.
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/app.ts";
import { createFaults, type Fault, type Faults, parseFault } from "../../src/sandbox/faults.ts";
import { createDice } from "../delivery/dice.ts";

export interface TestSandboxOptions extends Omit<SandboxOptions, "faults"> {
  readonly faults?: readonly string[];
}

export function createTestSandbox({ faults = [], ...options }: TestSandboxOptions): Sandbox {
  return createSandbox({ ...options, faults: faultsOf(faults) });
}

export function fault(text: string): Fault {
  const parsed = parseFault(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

export const faultsOf = (texts: readonly string[]) => createFaults(texts.map(fault));

/** `create%10:503` strikes one create in ten. The same list, seed and order of requests strike the same requests. */
export function randomFaults(texts: readonly string[], seed: number): Faults {
  const dice = createDice(seed);
  const each = texts.map((text) => {
    const percent = Number(/%(\d+)/.exec(text)?.[1] ?? 100);
    return { percent, faults: faultsOf([text.replace(/%\d+/, "")]) };
  });
  return {
    next: (operation) =>
      each
        .map(({ faults, percent }) => ({
          found: faults.next(operation),
          isStruck: dice.roll() * 100 < percent,
        }))
        .find(({ found, isStruck }) => found !== undefined && isStruck)?.found,
  };
}
