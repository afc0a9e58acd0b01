// Internals in the texts that customers read: in the values of variables, and as the policy says in all of them.
import type { Diagnostic, Locate } from "../../diagnostic.ts";
import type { Definition } from "../../incident/definition.ts";
import { describeLeak, findLeaks } from "../../incident/leaks.ts";
import type { LeakMode } from "../../incident/policy.ts";
import type { Filled } from "../variables/replace-variables.ts";
import { publicTexts } from "./warnings.ts";

/** `mode`: undefined checks only the values of variables. */
export function leakDiagnostics(
  definition: Definition,
  filled: readonly Filled[],
  locate: Locate,
  mode: LeakMode | undefined,
): readonly Diagnostic[] {
  const told = new Set<string>();
  const level = mode === "forbid" ? "error" : "warning";
  const fromValues = filled.flatMap(({ match, name, path, value }) =>
    findLeaks(value).map((leak): Diagnostic => {
      told.add(leak.text);
      const message = `the value of ${name} has ${describeLeak(leak)}, and customers would read it`;
      const hint = "use another variable here, or map it with values";
      return { code: "leak", level, message, hint, location: locate(path, "value", match) };
    }),
  );
  const texts = mode === undefined ? [] : publicTexts(definition);
  const own = texts.flatMap(({ path, text }) =>
    findLeaks(text).flatMap((leak): Diagnostic[] => {
      if (told.has(leak.text)) return [];
      const message = `${path.at(-1)} has ${describeLeak(leak)}, and customers would read it`;
      const location = locate(path, "value", leak.text);
      return [{ code: "leak", level, message, hint: "remove it", location }];
    }),
  );
  return [...fromValues, ...own];
}
