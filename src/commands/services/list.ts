// `incident services list`: the project's catalog, which names services for definitions.
import type { CommandSpec, Run } from "../../kit/command.ts";
import { listReport, tablePage } from "../../kit/report.ts";
import { importAdvice, leftOutAdvice } from "../../source/resolve-services.ts";
import { checkedCatalog } from "../shared/services.ts";

export const spec = {
  result: "list",
  examples: { "incident services list": "the catalog of this project" },
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context) => {
  const { file, isLeftOut, services } = checkedCatalog(await context.workspace.project());
  const entries = Object.fromEntries(services);
  const empty = isLeftOut ? leftOutAdvice : `the catalog in ${file} is empty; ${importAdvice}`;
  if (services.size === 0) context.info(empty);
  const rows = [...services].map(([name, service]) => [name, service.name, service.id]);
  return listReport(entries, [...services.values()], tablePage(["NAME", "SERVICE", "ID"], rows));
};
