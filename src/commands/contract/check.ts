// `incident contract check`: compares the contract with the service's document as it is now.
import type { Contract } from "../../document/contract.ts";
import { type LiveContract, linesOf } from "../../document/contract-of.ts";
import { Failure } from "../../failure.ts";
import type { CommandSpec, Run } from "../../kit/command.ts";
import { pageReport, tablePage } from "../../kit/report.ts";
import { fromFlag, readLiveContract, tellAll } from "./read-live.ts";

export const spec = {
  flags: fromFlag,
  result: "page",
  examples: {
    "incident contract check": "once a day, in a pipeline",
    "incident contract check --from openapi.yaml": "with a document that you have",
  },
  notes:
    "It exits with 0 where nothing changed, and with 11 where the document says something else: the rules and the " +
    "operations that are new or gone. It writes nothing.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { flags }) => {
  const file = context.workspace.contractFile();
  const contract = await context.workspace.contract();
  if (contract === undefined)
    throw new Failure("usage", `there is no ${file.name}`, {
      hint: "write it with incident contract pull",
    });
  const { live, source } = await readLiveContract(context, flags.from);
  const differences = differencesOf(contract, live);
  const operations = tellAll(context, live);
  const unchanged = differences.length === 0;
  if (unchanged) context.info(`${source.from} matches ${file.name}`);
  const rows = differences.map(({ is, text }) => [is, text]);
  const hint = "update the file with incident contract pull, and review the difference before you commit it";
  return {
    ...pageReport(
      { unchanged, source, differences, operations },
      tablePage(["NOW", "IN THE DOCUMENT"], rows),
    ),
    failure: unchanged
      ? undefined
      : new Failure("drift", `the service's document differs from ${file.name}`, { hint }),
  };
};

function differencesOf(saved: Contract, live: LiveContract) {
  const linesIn = ({ create, operations }: Contract | LiveContract) => linesOf({ create, operations });
  const [now, then] = [new Set(linesIn(live)), new Set(linesIn(saved))];
  return [
    ...[...now].filter((line) => !then.has(line)).map((text) => ({ is: "new", text }) as const),
    ...[...then].filter((line) => !now.has(line)).map((text) => ({ is: "gone", text }) as const),
  ];
}
