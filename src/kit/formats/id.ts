// -o id: a line for each id, which a script takes as it is.
import { Failure } from "../../failure.ts";
import { disarmLog, escapeLine, type SafeText, safeLines } from "../../platform/terminal/safe-text.ts";
import { cutText } from "../../text/lengths.ts";
import type { Results } from "../report.ts";

/** Throws a `Failure` for an id that is no visible word. */
function write(entries: readonly { readonly id: string; readonly name?: string | undefined }[]): SafeText {
  const odd = entries.filter(({ id }) => !/^\S+$/.test(id) || disarmLog(escapeLine(id)) !== id);
  if (odd.length === 0) return safeLines(entries.map(({ id }) => escapeLine(id)));
  const shown = odd.map(({ id, name = "" }) => `"${cutText(id, 200)}" ${name}`.trimEnd()).join(", ");
  throw new Failure("rejected", `the service gave an id that is not one visible word: ${shown}`, {
    hint: "the incident exists; read it with -o json, and report the id to the service",
  });
}

export const draw = {
  incidents: ({ facts }: Results["incidents"]) => write(facts),
  // A create that was refused, or not tried, has no incident.
  plan: ({ facts }: Results["plan"]) =>
    write(
      facts.results.flatMap(({ action, id, name, posted, result = "", serviceId = id }) =>
        action === "create" && posted === undefined && ["failed", "not-tried"].includes(result)
          ? []
          : [{ id: serviceId, name }],
      ),
    ),
  list: ({ ids }: Results["list"]) => write(ids.map((id) => ({ id }))),
};
