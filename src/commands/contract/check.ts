// `incident contract check`: compares the contract with the service's document as it is now.
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../../document/contract.ts";
import type { LiveContract } from "../../document/contract-of.ts";
import { operationNames, operationNouns, reasonFor } from "../../document/operations.ts";
import { Failure } from "../../failure.ts";
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Paint } from "../../view/terminal/style.ts";
import { renderTable } from "../../view/terminal/table.ts";
import { fromFlag, missingRules, readLiveContract, refuseNoProject, tellAll } from "./read-live.ts";

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

interface ContractDifference {
  /** `stricter`: a new rule; `looser`: a rule that is gone; `other`: a difference that concerns no definition. */
  readonly effect: "stricter" | "looser" | "other";
  readonly message: string;
}

function compareContracts(contract: Contract, live: LiveContract): readonly ContractDifference[] {
  const differences: readonly ContractDifference[] = [
    ...missingRules(live, contract).map((message) => ({ effect: "stricter", message }) as const),
    ...missingRules(contract, live).map(
      (rule) => ({ effect: "looser", message: `no longer: ${rule}` }) as const,
    ),
    ...operationDifferences(contract, live),
  ];
  if (differences.length > 0 || isDeepStrictEqual(contract.create, live.create)) return differences;
  return [{ effect: "other", message: "the document describes a create in another way" }];
}

/** A contract without operations says nothing about them. */
function operationDifferences(
  { operations: before }: Contract,
  { operations: after }: LiveContract,
): readonly ContractDifference[] {
  if (before === undefined) return [];
  const named = operationNames.flatMap((name): readonly ContractDifference[] => {
    const what = `an operation for ${operationNouns[name]}`;
    const [old, current] = [before[name], after[name]];
    if (isDeepStrictEqual(old, current)) return [];
    if (current === undefined)
      return [
        { effect: "other", message: `the service no longer describes ${what}: ${reasonFor(after, name)}` },
      ];
    const message = `the service describes ${old === undefined ? what : `${what} in another way`}`;
    return [{ effect: "other", message }];
  });
  if (before.accountHeader === after.accountHeader) return named;
  const message = `the account header is ${after.accountHeader ?? "not named"}, and was ${before.accountHeader ?? "not named"}`;
  return [...named, { effect: "other", message }];
}
