// `incident contract`: keeps the service's contract as a file, and compares it with the service's document as it is now.
import { Failure, ignoreFailure } from "../../failure.ts";
import { type ContractRule, listContractRules } from "../../incident/contract/contract-rules.ts";
import { describeOperations, tellOperations } from "../../incident/contract/describe-operations.ts";
import type { PlainReport, Run, RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { SafeText } from "../../platform/terminal/safe-text.ts";
import { replaceNamedFile } from "../../platform/write-named-file.ts";
import type { Contract } from "../../rules/openapi/contract.ts";
import { hasSameContent, renderContract, statesSame } from "../../rules/openapi/contract-file.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Paint, Style } from "../../view/terminal/style.ts";
import { renderTable } from "../../view/terminal/table.ts";
import type { ContractFile } from "../../workspace/contract.ts";
import { refuseInRehearsal, sandboxPin } from "../shared/rehearsal.ts";
import { compareContracts, type Difference, missingRules } from "./compare.ts";
import { readLiveContract } from "./read-live.ts";
import type { checkSpec, pullSpec } from "./spec.ts";

const formatVersion = 1;

export const pull: Run<typeof pullSpec> = async (context, { flags, global }) => {
  refuseNoProject(global);
  const file = context.workspace.contractFile();
  const pin = sandboxPin(context.system);
  if (flags.from === undefined || (pin !== undefined && flags.from.startsWith(pin))) {
    const instead = "to rehearse with another document, add --from FILE";
    refuseInRehearsal(context, global, { data: "the sandbox's rules", file: file.name, instead });
  }
  const { contract, omitted } = await readLiveContract(context, global, flags.from);
  for (const message of omitted) context.warn(`left out: ${message}`);
  // A file that is no contract is replaced.
  const old = file.isThere ? await context.workspace.contract().catch(ignoreFailure) : undefined;
  const isSame =
    old !== undefined && old.source.from === contract.source.from && hasSameContent(old, contract);
  if (isSame)
    context.info(`${file.name} is unchanged: the document has the same rules as on ${old.source.date}`);
  else {
    replaceNamedFile(context, file.path, renderContract(contract));
    const gone = old === undefined ? [] : missingRules(old, contract);
    for (const { rule } of gone) context.warn(`${file.name} no longer has: ${rule}`);
    context.info(`wrote ${file.name}; commit it, so that everyone checks against it`);
  }
  const rules = listContractRules(contract).filter(({ builtIn }) => !builtIn);
  if (rules.length === 0) context.info("it adds nothing to the built-in rules");
  const operations = tell(context, contract);
  return {
    data: { formatVersion, file: file.name, written: !isSame, source: contract.source, rules, operations },
    page: (style) => renderRules(style, rules),
  };
};

export const check: Run<typeof checkSpec> = async (context, { flags, global }) => {
  const { contract, file } = await readProjectContract(context, global);
  const { contract: live, omitted } = await readLiveContract(context, global, flags.from);
  for (const message of omitted) context.warn(`left out: ${message}`);
  // A contract without operations says nothing about them.
  const described = contract.operations && live.operations;
  const isSame = statesSame(
    [contract.create, contract.get, contract.operations],
    [live.create, live.get, described],
  );
  const differences = isSame ? [] : compareContracts(contract, live);
  const operations = tell(context, live);
  const report: PlainReport<typeof checkSpec> = {
    data: {
      formatVersion,
      unchanged: differences.length === 0,
      source: live.source,
      differences,
      operations,
    },
    page: (style) => renderDifferences(style, differences),
  };
  if (differences.length > 0) return { ...report, failure: driftFailure(file) };
  context.info(`${live.source.from} matches ${file.name}`);
  return report;
};

/** Reports the other operations of the service, and returns them for scripts. */
function tell({ info }: RunContext, { operations }: Contract) {
  if (operations === undefined) return undefined;
  for (const sentence of tellOperations(operations)) info(sentence);
  return describeOperations(operations);
}

function driftFailure({ name }: ContractFile): Failure {
  return new Failure("drift", `the service's document differs from ${name}`, {
    hint: advise`update the file with ${argv`incident contract pull`}, and review the difference before you commit it`,
  });
}

async function readProjectContract({ workspace }: RunContext, global: GlobalFlags) {
  refuseNoProject(global);
  const file = workspace.contractFile();
  const contract = await workspace.contract();
  if (contract !== undefined) return { contract, file };
  throw new Failure("usage", `there is no ${file.name}`, {
    hint: advise`write it with ${argv`incident contract pull`}`,
  });
}

function refuseNoProject({ noProject }: GlobalFlags): void {
  if (!noProject) return;
  throw new Failure("usage", "the contract belongs to the project, and --no-project leaves that out", {
    hint: "leave --no-project out",
  });
}

function renderRules(style: Style, rules: readonly ContractRule[]): SafeText {
  const rows = rules.map(({ rule, at }) => [style.line(rule), style.color.dim(style.line(at))]);
  return renderTable(style, ["RULE", "IN THE DOCUMENT"], rows);
}

function renderDifferences(style: Style, differences: readonly Difference[]): SafeText {
  const { color } = style;
  const colorOf = {
    stricter: color.yellow,
    looser: color.green,
    other: color.dim,
  } as const satisfies Record<Difference["effect"], Paint>;
  const rows = differences.map(({ effect, message, at }) => [
    colorOf[effect](effect),
    style.line(message),
    color.dim(style.line(at)),
  ]);
  return renderTable(style, ["EFFECT", "DIFFERENCE", "WHERE"], rows);
}
