// `incident templates list`: the project's templates.
import { isError } from "../diagnostic.ts";
import type { CommandSpec, Run } from "../kit/command.ts";
import { pageReport, tablePage } from "../kit/report.ts";
import { fieldOf } from "../untrusted-data.ts";
import { listTemplates, readTemplateFile, shippedTemplates } from "./shared/definitions.ts";

export const spec = {
  result: "page",
  examples: {
    "incident templates list": "the names, and the headline of each",
  },
  notes:
    "A template is a file in incident-templates/, or in the folder that templates: of .incident.yaml names. It has two\n" +
    "documents: its variables, then a definition with them. incident validate checks templates as it checks definitions.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context) => {
  const templates = await listTemplates(context);
  if (templates.size === 0) {
    const folder = await context.workspace.templateFolder();
    context.info(`there is no template in ${folder}; ${shippedTemplates}`);
  }
  const read = async ([name, file]: readonly [string, string]) => {
    const { template, diagnostics } = await readTemplateFile(context, file);
    const valid = diagnostics.some(isError) ? undefined : template;
    // Its variables are not replaced.
    const headline = fieldOf(valid?.document.value, "name");
    return {
      name,
      file,
      headline: typeof headline === "string" ? headline : undefined,
      variables: [...(valid?.variables.keys() ?? [])],
    };
  };
  const listed = await Promise.all(Array.from(templates, read));
  const rows = listed.map(({ name, headline = "(not valid: see incident validate)", variables }) => {
    return [name, headline, variables.join(", ")];
  });
  return pageReport(listed, tablePage(["NAME", "HEADLINE", "VARIABLES"], rows));
};
