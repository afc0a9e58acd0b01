// The schema of a definition as generated code: it costs two milliseconds to make, and is several times faster from
// then on, which pays from some hundred definitions.
import { compile } from "zod/mini";
import { definitionSchema } from "./definition.ts";

export const compiledDefinitionSchema = compile(definitionSchema);
