// The placeholders of incident new that a person has left in a definition.
import { errorAt, type Locate, type Path } from "../../diagnostic.ts";
import { definitionSchema } from "../../incident/schemas.ts";
import { placeholder } from "../../incident/values.ts";
import { factsOf, schemaAt } from "../../rules/facts.ts";
import { mapTexts } from "../variables/replace-variables.ts";

export function findPlaceholders(value: unknown, locate: Locate) {
  const paths: Path[] = [];
  mapTexts(value, (text, path) => {
    if (text.includes(placeholder)) paths.push(path);
    return text;
  });
  const diagnostics = paths.map((path) => {
    const field = path.findLast((step) => typeof step === "string") ?? "the document";
    const message = `${field} still has the placeholder ${placeholder}`;
    const { description = "The value.", note } = factsOf(schemaAt(definitionSchema(), path));
    const meaning = description.charAt(0).toLowerCase() + description.slice(1, -1);
    const hint = `replace it with ${meaning}${note ? `; ${note}` : ""}`;
    return errorAt("placeholder", { message, hint }, locate(path, "value", placeholder));
  });
  return { diagnostics, paths };
}
