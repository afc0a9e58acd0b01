// `incident contract check`: compares the contract with the service's document as it is now.
import { Failure } from "../../failure.ts";
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Paint } from "../../view/terminal/style.ts";
import { renderTable } from "../../view/terminal/table.ts";
import { type ContractDifference, compareContracts } from "./compare.ts";
import { fromFlag, readLiveContract, refuseNoProject, tellAll } from "./read-live.ts";

const formatVersion = 1;

export const spec = defineCommand({
  name: "contract check",
  flags: fromFlag,
  result: "page",
  examples: {
    "incident contract check": "once a day, in a pipeline",
    "incident contract check --from openapi.yaml": "with a document that you have",
  },
  notes:
    "It exits with 0 where nothing changed, and with 11 where the document says something else: the rules and the " +
    "operations that are new or gone. It writes nothing.",
});

export const run: Run<typeof spec> = async (context, { flags, global }) => {
  refuseNoProject(global);
  const file = context.workspace.contractFile();
  const contract = await context.workspace.contract();
  if (contract === undefined)
    throw new Failure("usage", `there is no ${file.name}`, {
      hint: advise`write it with ${argv`incident contract pull`}`,
    });
  const { live, source } = await readLiveContract(context, global, flags.from);
  const differences = compareContracts(contract, live);
  const operations = tellAll(context, live);
  const unchanged = differences.length === 0;
  if (unchanged) context.info(`${source.from} matches ${file.name}`);
  return {
    is: "page",
    data: { formatVersion, unchanged, source, differences, operations },
    page: (style) => {
      const { color } = style;
      const colorOf = {
        stricter: color.yellow,
        looser: color.green,
        other: color.dim,
      } as const satisfies Record<ContractDifference["effect"], Paint>;
      const rows = differences.map(({ effect, message }) => [colorOf[effect](effect), style.line(message)]);
      return renderTable(style, ["EFFECT", "DIFFERENCE"], rows);
    },
    ...(!unchanged && {
      failure: new Failure("drift", `the service's document differs from ${file.name}`, {
        hint: advise`update the file with ${argv`incident contract pull`}, and review the difference before you commit it`,
      }),
    }),
  };
};
