// The manual as files: a man page for the program and for each command, and docs/commands.md. The build and
// `npm run docs` write them.
import { repository } from "../../project.ts";
import type { NoteBlock } from "../help/notes.ts";
import { type ManualEdition, manName, renderManPage } from "./man-page.ts";
import { createManual, type ManualPage, type ManualSection } from "./pages.ts";

/** The fields of package.json that name the repository. Empty while the project has no repository. */
export function repositoryFields(address: string = repository): Readonly<Record<string, unknown>> {
  if (address === "") return {};
  return {
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    repository: { type: "git", url: `git+${address}.git` },
  };
}

export async function renderManPages(edition: ManualEdition): Promise<ReadonlyMap<string, string>> {
  const pages = await createManual();
  return new Map(pages.map((page) => [`${manName(page.name)}.1`, renderManPage(page, edition)]));
}

export async function renderCommandsDocument(): Promise<string> {
  return renderCommandsPage(await createManual());
}

function renderCommandsPage(pages: readonly ManualPage[]): string {
  const [program, ...commands] = pages;
  return `# Commands

\`npm run docs\` writes this page from the specs of the commands. \`man incident\` and \`man incident-create\` show the same after an installation with \`npm install --global\`.

${[...(program === undefined ? [] : [program]), ...commands].map(renderPage).join("\n")}`;
}

function renderPage({ name, summary, synopsis, sections }: ManualPage): string {
  const shown = sections.filter((section) => !("pages" in section));
  return [
    `## ${name}`,
    `${prose(`${summary[0]?.toUpperCase()}${summary.slice(1)}`)}.`,
    `\`\`\`text\n${synopsis}\n\`\`\``,
    ...shown.map((section) => renderSection(section, name === "incident")),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

function renderSection(section: ManualSection, isTitled: boolean): string {
  const title = isTitled ? `### ${section.title}\n\n` : "";
  if ("rows" in section) {
    const [first, second] = section.title === "Options" ? ["option", "meaning"] : ["", ""];
    const rows = section.rows.map(([term, summary]) => `| ${cell(code(term))} | ${cell(prose(summary))} |`);
    return `${title}| ${first} | ${second} |\n| --- | --- |\n${rows.join("\n")}`;
  }
  if ("notes" in section) return title + renderNotes(section.notes);
  if ("examples" in section) {
    const lines = Object.entries(section.examples).map(([command, summary]) => `# ${summary}\n${command}`);
    return `${title}\`\`\`sh\n${lines.join("\n\n")}\n\`\`\``;
  }
  return "";
}

function renderNotes(blocks: readonly NoteBlock[]): string {
  let markdown = "";
  let before: NoteBlock["kind"] = "blank";
  for (const block of blocks) {
    const isNext = before === block.kind;
    if (before === "code" && !isNext) markdown += "```\n\n";
    else if (before !== "blank" && !isNext) markdown += "\n";
    if (block.kind === "code") markdown += `${isNext ? "" : "```text\n"}${block.text}\n`;
    else if (block.kind === "row")
      markdown += `${isNext ? "" : "| | |\n| --- | --- |\n"}| ${cell(code(block.term))} | ${cell(prose(block.summary))} |\n`;
    else if (block.kind === "item") markdown += `- ${prose(block.text)}\n`;
    else if (block.kind === "paragraph") markdown += `${isNext ? "\n" : ""}${prose(block.text)}\n`;
    else if (before !== "code") markdown += "\n";
    before = block.kind;
  }
  return `${markdown}${before === "code" ? "```\n" : ""}`.trim().replace(/\n{3,}/g, "\n\n");
}

const code = (plain: string) => `\`${plain}\``;
const cell = (markdown: string) => markdown.replaceAll("|", "\\|");
const prose = (plain: string) => plain.replace(/[<*_[\]]/g, "\\$&");
