import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { faults, withFault } from "./faults.ts";

const root = new URL("../..", import.meta.url).pathname;

it.each(faults.map((fault) => [fault.name, fault] as const))("fits the source: %s", (_, fault) => {
  const text = readFileSync(join(root, fault.file), "utf8");
  expect(withFault(fault, text)).not.toBe(text);
});
