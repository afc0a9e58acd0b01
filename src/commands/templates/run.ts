// `incident templates`: the project's templates, and the variables of one.
import { Failure } from "../../failure.ts";
import { isRequired } from "../../incident/template.ts";
import type { TemplateVariable } from "../../incident/template-rules.ts";
import type { Run, RunContext } from "../../kit/define-command.ts";
import { safe, safeLines } from "../../platform/terminal/safe-text.ts";
import type { Template } from "../../source/templates/read-template.ts";
import { prepareLoading } from "../shared/load-options.ts";
import { listTemplates, openTemplate } from "../shared/templates.ts";
import type { listSpec, showSpec } from "./spec.ts";

interface ListedTemplate {
  readonly name: string;
  readonly file: string;
  /** The headline with its variables; undefined for a file that is not a valid template. */
  readonly headline: string | undefined;
  readonly variables: readonly string[];
}

export const list: Run<typeof listSpec> = async (context) => {
  const templates = await listTemplates(context);
  if (templates.size === 0) {
    const folder = await context.workspace.templateFolder();
    context.info(`there is no template in ${folder}; see incident templates list --help`);
  }
  const listed: ListedTemplate[] = [];
  for (const [name, file] of templates) listed.push(await describe(context, name, file));
  return {
    data: listed,
    page: async (style) => {
      const { renderTable } = await import("../../view/terminal/table.ts");
      const rows = listed.map(({ name, headline, variables }) => [
        style.line(name),
        style.line(headline ?? "(not valid: see incident validate)"),
        style.line(variables.join(", ")),
      ]);
      return renderTable(style, ["NAME", "HEADLINE", "VARIABLES"], rows);
    },
  };
};

async function describe(context: RunContext, name: string, file: string): Promise<ListedTemplate> {
  const { readTemplate } = await import("../../source/templates/read-template.ts");
  const { readSource } = await import("../../source/read-source.ts");
  const { template, diagnostics } = await readTemplate(readSource(context, file), context.workspace.spend);
  const valid = diagnostics.length === 0 ? template : undefined;
  return {
    name,
    file,
    headline: valid && headlineOf(valid),
    variables: [...(valid?.variables.keys() ?? [])],
  };
}

function headlineOf({ document: { value } }: Template): string | undefined {
  const name = (value as { readonly name?: unknown } | null)?.name;
  return typeof name === "string" ? name : undefined;
}

export const show: Run<typeof showSpec> = async (context, { operands: [name = ""], flags }) => {
  const template = await openTemplate(context, name);
  const { loadOptions, ...opened } = await prepareLoading(context, flags);
  const { previewTemplate } = await import("../../source/templates/fill-template.ts");
  const { definition, diagnostics } = previewTemplate(template, loadOptions);
  const all = [...opened.diagnostics(), ...diagnostics];
  if (definition === undefined || all.length > 0) {
    throw new Failure("invalid", `the template ${name} makes no valid definition`, {
      hint: `correct the problems above; incident validate ${template.file} finds all of them`,
      diagnostics: all,
    });
  }
  const variables = [...template.variables].map(([variable, declaration]) => ({
    name: variable,
    ...declaration,
    required: isRequired(declaration),
  }));
  const { dedupKey, file, startedAt } = template;
  const when = Object.fromEntries(template.when);
  return {
    data: {
      name,
      file,
      ...(template.when.size > 0 && { when }),
      ...(dedupKey !== undefined && { dedupKey }),
      ...(startedAt !== undefined && { startedAt }),
      ...(template.resolve !== undefined && {
        resolve: { when: Object.fromEntries(template.resolve.when), ...template.resolve.update },
      }),
      variables,
      definition: definition.definition,
    },
    page: async (style) => {
      const { renderTable } = await import("../../view/terminal/table.ts");
      const { renderPreview } = await import("../../view/incident.ts");
      const rows = variables.map((variable) => [
        style.line(variable.name),
        variable.required ? safe`required` : style.line(describeDefault(variable)),
        style.line(describeRule(variable)),
      ]);
      const table =
        rows.length === 0 ? safe`` : safe`${renderTable(style, ["VARIABLE", "VALUE", "RULE"], rows)}\n`;
      const rule = [
        ...[...template.when].map(
          ([each, values]) => `declared when ${each} is ${values.map((value) => `"${value}"`).join(" or ")}`,
        ),
        ...[...(template.resolve?.when ?? [])].map(
          ([each, values]) => `over when ${each} is ${values.map((value) => `"${value}"`).join(" or ")}`,
        ),
        ...(dedupKey === undefined ? [] : [`one open incident for each ${dedupKey}`]),
        ...(startedAt === undefined ? [] : [`nothing for the ${startedAt} of an incident that is over`]),
      ];
      const head = rule.length === 0 ? safe`` : safe`${safeLines(rule.map((line) => style.line(line)))}\n`;
      return safe`${head}${table}${renderPreview(style, definition.definition)}`;
    },
  };
};

function describeDefault({ default: fallback, otherwise }: TemplateVariable): string {
  return otherwise === undefined
    ? `default: ${fallback ?? "(empty)"}`
    : `otherwise: ${otherwise || "(empty)"}`;
}

function describeRule({
  description,
  enum: allowed,
  pattern,
  maxLength,
  truncate,
  values,
}: TemplateVariable): string {
  const length = maxLength === undefined ? undefined : `at most ${maxLength} characters`;
  const rules = [
    description,
    allowed && `one of ${allowed.join(", ")}`,
    values &&
      Object.entries(values)
        .map(([value, text]) => `${value} gives ${text}`)
        .join(", "),
    pattern && `matches ${pattern}`,
    length && truncate ? `${length}, cut where longer` : length,
  ];
  return rules.filter((rule) => rule !== undefined).join("; ");
}
