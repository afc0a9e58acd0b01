// `incident contract check`: compares the contract with the service's document as it is now.
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../../document/contract.ts";
import type { LiveContract } from "../../document/contract-of.ts";
import { operationNames, operationNouns } from "../../document/operations.ts";
import { missingRules } from "../../document/standing.ts";
import { Failure } from "../../failure.ts";
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Paint } from "../../view/terminal/style.ts";
import { renderTable } from "../../view/terminal/table.ts";
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
  const differences = differencesOf(contract, live);
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

function differencesOf(saved: Contract, live: LiveContract): readonly ContractDifference[] {
  const other = (message: string) => ({ effect: "other", message }) as const;
  const now = live.operations;
  // A contract without operations says nothing about them.
  const old = saved.operations ?? now;
  const changed = operationNames.filter((name) => !isDeepStrictEqual(old[name], now[name]));
  const differences: readonly ContractDifference[] = [
    ...missingRules(live.create.body, saved.create.body).map(
      ({ text }) => ({ effect: "stricter", message: text }) as const,
    ),
    ...missingRules(saved.create.body, live.create.body).map(
      ({ text }) => ({ effect: "looser", message: `no longer: ${text}` }) as const,
    ),
    ...changed.map((name) => {
      const operation = `an operation for ${operationNouns[name]}`;
      if (now[name] === undefined) return other(`the service no longer describes ${operation}`);
      return other(`the service describes ${operation}${old[name] === undefined ? "" : " in another way"}`);
    }),
    ...(old.accountHeader === now.accountHeader
      ? []
      : [
          other(
            `the account header is ${now.accountHeader ?? "not named"}, and was ${old.accountHeader ?? "not named"}`,
          ),
        ]),
  ];
  if (differences.length > 0 || isDeepStrictEqual(saved.create, live.create)) return differences;
  return [other("the document describes a create in another way")];
}
