// docs/commands.md, from the specs of the commands, the tables of the help and the schemas of the outputs.
import { renderOverview } from "../../src/cli/help.ts";
import { renderHelp, renderTopic, topics } from "../../src/cli/help-pages.ts";
import { specs } from "../harness/specs.ts";
import { renderOutputFields } from "./output-fields.ts";

const columns = 100;

export async function renderCommandsDocument(): Promise<string> {
  const shown = (title: string, text: string) => `## ${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
  const parts = [
    "# Commands\n\n`npm run words -- -u` writes this page from the specs of the commands. It is what `incident --help`, `incident COMMAND --help` and `incident help TOPIC` print.\n",
    shown("incident", renderOverview(columns)),
  ];
  for (const spec of specs) {
    parts.push(shown(`incident ${spec.name}`, renderHelp(spec, spec, columns)));
  }
  for (const [topic, [summary]] of Object.entries(topics))
    parts.push(shown(`incident help ${topic}`, `# ${summary}\n${await renderTopic(topic, columns)}`));
  return parts.join("\n") + renderOutputFields();
}
