// The service of one run of the drill: a sandbox with a fault, and what became of the creates that it got.
import { createSandbox } from "../../../src/sandbox/app.ts";
import { serveSandbox } from "../../../src/sandbox/server.ts";
import { access } from "../../harness/builders.ts";
import { machineClock } from "../../harness/incident.ts";
import { faultsOf } from "../../sandbox/test-sandbox.ts";

/** What a service does with the id of a create. */
export const kinds = {
  "honours ids, refuses a second": { clientIds: "honour", onDuplicateId: "conflict" },
  "honours ids, replaces the first": { clientIds: "honour", onDuplicateId: "upsert" },
  "honours ids, keeps both": { clientIds: "honour", onDuplicateId: "create-again" },
  "ignores ids": { clientIds: "ignore", onDuplicateId: "conflict" },
  "refuses ids": { clientIds: "reject", onDuplicateId: "conflict" },
} as const;
export type Kind = keyof typeof kinds;

export const faults = [
  "create#1:drop-before-commit",
  "create#1:drop-after-commit",
  "create#1:error-after-commit",
  "create#1:502",
  "create#1:503",
  "create#1:slow-commit=150ms",
  "create#1:no-answer",
  "create#1:truncated",
  "create#1:html",
  "create#1-2:429=0s",
  "create#1:slow=100ms",
  "get#1-2:503",
  "get#1:drop-before-commit",
] as const;

export interface ServiceOptions {
  readonly kind: Kind;
  /** Whether it describes a list, in which a machine finds what another one has declared. */
  readonly hasList: boolean;
  /** Milliseconds of each create that no fault meets. */
  readonly latency: number;
  readonly fault: string | undefined;
}

export async function openService({ fault, hasList, kind, latency }: ServiceOptions) {
  const specs = [...(fault === undefined ? [] : [fault]), `create:slow=${latency}ms`];
  const faults = faultsOf(specs);
  let announce = () => {};
  const created = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const sandbox = createSandbox({
    ...access,
    ...kinds[kind],
    onlySpec: !hasList,
    clock: machineClock,
    rateLimit: { requests: 1_000_000, seconds: 1 },
    random: { guid: () => crypto.randomUUID() },
    faults: {
      next(operation) {
        const found = faults.next(operation);
        if (operation === "create" && !/^\d/.test(found?.kind ?? "")) announce();
        return found;
      },
    },
  });
  const { close, url } = await serveSandbox(sandbox);
  return {
    url,
    /** Resolves when the first create arrives that may be carried out. */
    created,
    /** The ids of the incidents with this name. */
    made: (name: string) =>
      sandbox
        .incidents()
        .filter((incident) => incident.name === name)
        .map(({ id }) => id),
    close,
  };
}
