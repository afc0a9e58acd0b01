// The line separators of Unicode in a name are line breaks, as LF is.
import { expect, it } from "vitest";
import { definitionYaml } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

it.each(["\\n", "\\u2028", "\\u2029"])("a name with %s has a line break", async (separator) => {
  const files = { "a.yaml": definitionYaml({ name: `"Checkout${separator}fails"` }) };
  const { exitCode, stderr } = await incident("validate a.yaml", { files });
  expect(exitCode, stderr).toBe(3);
  expect(stderr).toContain("name has a line break");
});
