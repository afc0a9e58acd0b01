// The check of the ids of several definitions: no two may have the same, and `apply` needs one in each. Warns of two
// definitions without an id that are the same.
import type { Diagnostic } from "../../diagnostic.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";

/** Returns a function that takes one definition after another, and returns the problem with the id of each, if any. */
export function createIdCheck(requireIds = false): (located: LocatedDefinition) => Diagnostic | undefined {
  const seen = new Map<string, LocatedDefinition>();
  return (located) => {
    const id = located.definition.id?.toLowerCase();
    if (id === undefined && requireIds) return missingId(located);
    const identity = id ?? JSON.stringify(located.definition);
    const first = seen.get(identity);
    if (first !== undefined) return (id === undefined ? repeated : duplicateId)(located, first);
    seen.set(identity, located);
    return undefined;
  };
}

function missingId({ file, locate }: LocatedDefinition): Diagnostic {
  return {
    code: "missing-id",
    level: "error",
    message: "the definition has no id, so a rerun could not recognize the incident",
    hint:
      file === "<stdin>"
        ? "write id: in it, or declare it with incident create -f - --key TEXT: every run with the same text declares the same incident"
        : `give it one with incident validate --fix --assign-ids ${file}`,
    location: locate([]),
  };
}

function repeated({ locate }: LocatedDefinition, first: LocatedDefinition): Diagnostic {
  const { file, start } = first.locate([]);
  return {
    code: "repeated-definition",
    level: "warning",
    message: `this definition has the same content as ${file}:${start.line}:${start.column}, so create declares two incidents`,
    hint: "remove one of the two, or give each an id if both are meant",
    location: locate([]),
  };
}

function duplicateId({ locate }: LocatedDefinition, first: LocatedDefinition): Diagnostic {
  const { file, start } = first.locate(["id"]);
  return {
    code: "duplicate-id",
    level: "error",
    message: `this id is taken already, at ${file}:${start.line}:${start.column}`,
    hint: "remove the id from one of the two, then run incident validate --fix --assign-ids",
    location: locate(["id"]),
  };
}
