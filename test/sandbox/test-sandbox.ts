// A sandbox for tests, with faults in the grammar of --fault.
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/app.ts";
import { createFaults, type Fault, parseFault } from "../../src/sandbox/faults.ts";

export interface TestSandboxOptions extends Omit<SandboxOptions, "faults"> {
  readonly faults?: readonly string[];
}

export function createTestSandbox({ faults = [], ...options }: TestSandboxOptions): Sandbox {
  return createSandbox({ ...options, faults: faultsOf(faults) });
}

export function fault(text: string): Fault {
  const parsed = parseFault(text);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

export const faultsOf = (texts: readonly string[]) => createFaults(texts.map(fault));
