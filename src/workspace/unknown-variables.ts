// Says of a variable that looks like the tool's that it has no effect, and which one was probably meant.
import { nearest, withSuggestion } from "../text/suggest.ts";
import { environmentVariables } from "./environment-variables.ts";

export function describeUnknownVariable(name: string): string {
  const meant = nearest(name, Object.values(environmentVariables));
  return withSuggestion(`incident knows no variable ${name}, so it has no effect`, meant);
}
