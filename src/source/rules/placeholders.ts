// The placeholders of incident new that a person has left in a definition.
import { errorAt, type Locate, type Path } from "../../diagnostic.ts";
import { placeholder } from "../../incident/values.ts";
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
    const hint =
      corrections.get(path[0] === "services" ? `service ${field}` : String(field)) ?? otherCorrection;
    return errorAt("placeholder", { message, hint }, locate(path, "value", placeholder));
  });
  return { diagnostics, paths };
}

const otherCorrection = "replace it with the value that you mean";

const corrections: ReadonlyMap<string, string> = new Map([
  ["name", "replace it with the headline that customers read"],
  ["description", "replace it with the text that customers read"],
  ["service name", "replace it with the name of the service, as customers know it"],
  [
    "service id",
    "replace it with the id of the service, a GUID; incident services import reads it from the service, or with an ID from an incident",
  ],
]);
