// The size of a definition as JSON. Stops at the limit: aliases can repeat a text so often that no string can hold it.
import type { Path } from "../diagnostic.ts";
import { maxBodySize } from "./values.ts";

/** The path of the value with which the JSON of `root` exceeds the limit of a body. */
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
