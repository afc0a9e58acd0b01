// Fits the values of a template's variables into the fields of the definition.

import { shorten, type TemplateVariables } from "../../incident/template.ts";
import { maxNameLength } from "../../incident/values.ts";
import { codePointLength } from "../../text/lengths.ts";
import type { Variables } from "../variables/replace-variables.ts";

/** A name is one line, and values that may be cut keep it within its limit. */
export function createFit(variables: TemplateVariables): NonNullable<Variables["fit"]> {
  return (path, text, fill) => {
    if (path.length !== 1 || path[0] !== "name") return text;
    const cuttable = new Map<string, string>();
    const counts = new Map<string, number>();
    const line = fill((name, value) => {
      const joined = value.trim().replace(/\s+/g, " ");
      if (variables.get(name)?.truncate) cuttable.set(name, joined);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return joined;
    });
    const excess = codePointLength(line) - maxNameLength;
    if (excess <= 0 || cuttable.size === 0) return line;
    const shorter = shorten(cuttable, counts, excess);
    return fill((name, value) => shorter.get(name) ?? value.trim().replace(/\s+/g, " "));
  };
}
