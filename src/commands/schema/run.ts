// `incident schema`: the JSON Schema of a file that a person writes, from the schema that checks it, or of an output.

import type { Run } from "../../kit/define-command.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { escapeJson } from "../../view/terminal/escape.ts";
import { type spec, writtenFiles } from "./spec.ts";

export const run: Run<typeof spec> = async (context, { flags, format }) => {
  if (format === "json") {
    const { contractSchema, fileSchemas } = await import("./file-schemas.ts");
    const asked = flags.for ?? (flags.template ? "template" : "definition");
    const kind = writtenFiles.find((name) => name === asked) ?? "definition";
    if (kind !== "definition") return { data: fileSchemas[kind](), schema: () => safe`` };
    const contract = await context.workspace.contract();
    const body = contract?.create.body;
    if (body === undefined) return { data: fileSchemas.definition(), schema: () => safe`` };
    return { data: { ...fileSchemas.definition(), allOf: [contractSchema(body)] }, schema: () => safe`` };
  }
  const { outputSchema } = await import("./output-schemas.ts");
  const schema = safe`${escapeJson(JSON.stringify(outputSchema(format), undefined, 2))}\n`;
  return { data: {}, schema: () => schema };
};
