// `incident schema`: the JSON Schema of a file that a person writes, from the schema that checks it.

import type { Run } from "../../kit/define-command.ts";
import { type spec, writtenFiles } from "./spec.ts";

export const run: Run<typeof spec> = async (context, { flags }) => {
  const { contractSchema, fileSchemas } = await import("./file-schemas.ts");
  const asked = flags.for ?? (flags.template ? "template" : "definition");
  const kind = writtenFiles.find((name) => name === asked) ?? "definition";
  if (kind !== "definition") return { data: fileSchemas[kind]() };
  const contract = await context.workspace.contract();
  const body = contract?.create.body;
  if (body === undefined) return { data: fileSchemas.definition() };
  return { data: { ...fileSchemas.definition(), allOf: [contractSchema(body)] } };
};
