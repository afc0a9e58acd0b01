// The ids of incidents on a command line: each is a GUID, or an address with one. An incident is read by its id at the service, or
// by the one that was sent from here, which the service may have replaced.
import type { Client } from "../../api/client.ts";
import { Failure } from "../../failure.ts";
import { type Incident, isSameId } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/command.ts";
import { guidPattern } from "../../rules/forms.ts";

/** Throws a `Failure` "usage" for a text without an id, whose hint ends with `also`. */
export function readIds(texts: readonly string[], also = ""): readonly string[] {
  return texts.map((text) => {
    const [id, ...others] = text.match(new RegExp(guidPattern.source.slice(1, -1), "gi")) ?? [];
    if (id !== undefined && others.length === 0) return id;
    throw new Failure("usage", `"${text}" cannot be an incident's id`, {
      hint: `give the whole id alone, a GUID: incident list --open and incident journal list show ids${also}`,
    });
  });
}

/** Reads an incident by its own id, else by the one that the journal links to it. Throws a `Failure`. */
export async function readIncident(context: RunContext, client: Client, id: string): Promise<Incident> {
  try {
    return await client.getIncident(id);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "missing") throw error;
    const { readOwnId } = await import("./journal.ts");
    const own = await readOwnId(context, id);
    if (isSameId(own, id)) throw error;
    return client.getIncident(own);
  }
}
