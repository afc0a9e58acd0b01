// The values of a definition that other rooms need: enumerations, limits, and the placeholder of a sample.
import type { Path } from "../diagnostic.ts";

/** Spec 2.4, in the spec's order: the most severe first. */
export const severities = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] as const;
export type Severity = (typeof severities)[number];

/** Whether a value stands before another one in its enumeration. False where one of the two is not known. */
export function ranksBefore(order: readonly string[], one = "", other = ""): boolean {
  return order.includes(one) && order.indexOf(one) < order.indexOf(other);
}

export const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] as const;
export type Status = (typeof statuses)[number];

/** The value of an enumeration that equals the text in any letter case; undefined for another text. */
export function normalName<T extends string>(text: string | undefined, names: readonly T[]): T | undefined {
  const upper = text?.trim().toUpperCase();
  return names.find((name) => name === upper);
}

/** The maximum length of an incident's name, in code points (spec 8). */
export const maxNameLength = 255;

/** The largest body of a create, in bytes of JSON: 1 MiB. A journal's readers take entries of many times that. */
export const maxBodySize = 1024 * 1024;

/** The most characters of a template's variable that states no limit of its own. */
export const defaultMaxLength = 2000;

/** The text that `incident new` writes where the author must write something else. */
export const placeholder = "CHANGEME";

/** The path at which the JSON exceeds the limit of a body. Stops there: repeated aliases can exceed any string. */
export function findOversize(root: unknown): Path | undefined {
  let size = 0;
  const walk = (value: unknown, path: Path): Path | undefined => {
    if (typeof value !== "object" || value === null) {
      size += Buffer.byteLength(typeof value === "string" ? JSON.stringify(value) : String(value));
      return size > maxBodySize ? path : undefined;
    }
    size += 2;
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      size += Array.isArray(value) ? 1 : Buffer.byteLength(JSON.stringify(name)) + 2;
      const found = walk(field, [...path, Array.isArray(value) ? Number(name) : name]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(root, []);
}
