// docs/commands.md, from the specs of the commands and the schemas of the outputs.
import { renderOverview } from "../../src/cli/help.ts";
import { renderHelp } from "../../src/cli/parse.ts";
import { specs } from "../harness/specs.ts";
import { renderOutputFields } from "./output-fields.ts";

export async function renderCommandsDocument(): Promise<string> {
  const shown = (title: string, text: string) => `## ${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
  const parts = [
    "# Commands\n\n`npm run words -- -u` writes this page from the specs of the commands. It is what `incident --help` and `incident COMMAND --help` print.\n",
    shown("incident", renderOverview(80)),
    ...specs.map((spec) => shown(`incident ${spec.name}`, renderHelp(spec, 80))),
  ];
  return parts.join("\n") + renderOutputFields();
}
