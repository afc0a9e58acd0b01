// The check of the ids of several definitions: no two may have the same, and `apply` needs one in each. Warns of two
// definitions without an id that are the same.
import type { Diagnostic } from "../../diagnostic.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";

/** Locates a definition for the diagnostic of a later one. */
type Origin = Pick<LocatedDefinition, "locate">;

/**
 * Returns a function that takes one definition after another, and returns the problem with the id of each, if any.
 * `originOf` selects the part of a definition to keep: all of it, with the text of its file, unless it says otherwise.
 */
export function createIdCheck(
  requireIds = false,
  originOf: (located: LocatedDefinition) => Origin = (located) => located,
): (located: LocatedDefinition) => Diagnostic | undefined {
  const seen = new Map<string, Origin>();
  return (located) => {
    const id = ownText(located.definition.id?.toLowerCase());
    if (id === undefined && requireIds) return missingId(located);
    const identity = id ?? JSON.stringify(located.definition);
    const first = seen.get(identity);
    if (first !== undefined) return (id === undefined ? repeated : duplicateId)(located, first);
    seen.set(identity, originOf(located));
    return undefined;
  };
}

/** A copy: V8 keeps a part of a text as a reference, and with it all of the file in memory. */
function ownText(ascii: string | undefined): string | undefined {
  return ascii && Buffer.from(ascii, "latin1").toString("latin1");
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

function repeated({ locate }: LocatedDefinition, first: Origin): Diagnostic {
  const { file, start } = first.locate([]);
  return {
    code: "repeated-definition",
    level: "warning",
    message: `this definition has the same content as ${file}:${start.line}:${start.column}, so create declares two incidents`,
    hint: "remove one of the two, or give each an id if both are meant",
    location: locate([]),
  };
}

function duplicateId({ locate }: LocatedDefinition, first: Origin): Diagnostic {
  const { file, start } = first.locate(["id"]);
  return {
    code: "duplicate-id",
    level: "error",
    message: `this id is taken already, at ${file}:${start.line}:${start.column}`,
    hint: "remove the id from one of the two, then run incident validate --fix --assign-ids",
    location: locate(["id"]),
  };
}
