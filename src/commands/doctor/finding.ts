// A check of `incident doctor`, and the lines that it finds.
import type { LiveContract } from "../../document/contract-of.ts";
import type { Failure, FailureKind } from "../../failure.ts";
import type { Answered } from "../../http/transport.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Hint } from "../../text/advice.ts";
import type { ServiceSettings, ServiceTarget } from "../../workspace/resolve.ts";
import type { Setting } from "../../workspace/setting.ts";

export interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "wrong" | "skipped";
  readonly message: string;
  readonly hint?: Hint;
  /** For `wrong`: the kind of failure that another command would end with. */
  readonly kind?: FailureKind;
}

/** The results of earlier checks, which later ones need. */
export interface Facts {
  readonly global: GlobalFlags;
  target?: ServiceTarget;
  apiKey?: Setting<string>;
  /** With an empty key where the key cannot be read, so that the connection is checked anyway. */
  service?: ServiceSettings;
  answer?: Answered;
  /** The rules and the operations of openapi.json. */
  live?: LiveContract;
}

export interface Check {
  readonly name: string;
  /** Not reached where the service or its answer is missing, and without a line where another fact is. */
  readonly needs?: readonly (keyof Facts)[];
  /** A `Failure` that it throws is its line. */
  readonly find: (
    context: RunContext,
    facts: Facts,
  ) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;
}

/** The finding that a failure is. The first diagnostic tells the place and the correction. */
export function failed(check: string, { details, kind, message }: Failure): Finding {
  const [first] = details.diagnostics ?? [];
  const at = first === undefined ? "" : ` (line ${first.location.start.line}: ${first.message})`;
  return wrong(check, kind, message + at, first?.hint ?? details.hint);
}

export function wrong(check: string, kind: FailureKind, message: string, hint: Hint): Finding {
  return { check, status: "wrong", kind, message, hint };
}

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message };
}

export function skipped(check: string, message: string): Finding {
  return { check, status: "skipped", message };
}

export function note(check: string, message: string, hint: Hint): Finding {
  return { check, status: "note", message, hint };
}
