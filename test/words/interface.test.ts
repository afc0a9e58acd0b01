// Everything that a script may rely on, in fixtures/words/interface.txt: a line that goes away or changes is a breaking
// change. `npm run words -- -u` rewrites the file.
import { expect, it } from "vitest";
import { diagnosticCodes } from "../../src/diagnostic.ts";
import { exitCodes } from "../../src/failure.ts";
import { modesOf } from "../../src/kit/command.ts";
import { globalFlags } from "../../src/kit/global-flags.ts";
import { environmentVariables } from "../../src/workspace/settings.ts";
import { specs } from "../harness/specs.ts";
import { outputFields } from "../outputs/output-fields.ts";

const usages = (flags: Readonly<Record<string, { usage: string; choices?: readonly string[] }>>) =>
  Object.values(flags).map(({ usage, choices }) => (choices ? `${usage} (${choices.join(", ")})` : usage));

function section(title: string, lines: readonly string[]): string {
  return `${title}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

it("the interface for scripts is that of fixtures/words/interface.txt", async () => {
  const text = [
    section(
      "exit codes",
      Object.entries(exitCodes).map(([kind, code]) => `${code} ${kind}`),
    ),
    section("variables", Object.values(environmentVariables)),
    section("flags of every command", usages(globalFlags)),
    ...specs.map((spec) =>
      section([`incident ${spec.name}`, spec.operands].filter(Boolean).join(" "), [
        ...usages(spec.flags),
        ...(spec.outputs.length > 0 ? [`-o ${spec.outputs.join(", ")}`] : []),
        ...modesOf(spec).map(({ flag, outputs }) => `${flag} -o ${outputs.join(", ")}`),
      ]),
    ),
    ...[...outputFields()].map(([name, fields]) => section(`${name} -o json`, fields)),
    section("codes of diagnostics", diagnosticCodes.toSorted()),
  ].join("\n");
  await expect(text).toMatchFileSnapshot("../../fixtures/words/interface.txt");
});
