// The changes of a command line: its update, and the fields that it edits.
import type { EditedFields } from "../../delivery/changes/edit.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Fields } from "../../untrusted-data.ts";
import { createOverride } from "../shared/fields.ts";
import type { UpdateFlags } from "./spec.ts";

export interface TypedChanges {
  /** The fields of the update, before it is checked; undefined where only fields of the incident are edited. */
  readonly entry: Fields | undefined;
  readonly fields: EditedFields;
}

/** Throws a `Failure` "usage" for a value that is none. */
export async function readChanges(context: RunContext, flags: UpdateFlags): Promise<TypedChanges> {
  const { message, name, noNotify, notify, service, severity, status } = flags;
  const { read } = await context.workspace.catalog();
  const given = { message, name, noNotify, notify, service, severity, status };
  const override = await createOverride(context, given, read);
  const document = (override?.({ incidentUpdates: [{}] }) ?? { incidentUpdates: [{}] }) as EditedFields & {
    readonly incidentUpdates: readonly [Fields];
  };
  const { incidentUpdates, ...fields } = document;
  const [entry] = incidentUpdates;
  const isEdit = Object.keys(entry).length === 0 && Object.keys(fields).length > 0;
  return { entry: isEdit ? undefined : entry, fields };
}
