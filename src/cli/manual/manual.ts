// The manual as files: a man page for the program and for each command, and docs/commands.md. The build and
// `npm run docs` write them.
import { repository } from "../../project.ts";
import { type ManualEdition, manName, renderManPage } from "./man-page.ts";
import { renderCommandsPage } from "./markdown.ts";
import { createManual } from "./pages.ts";

/** The fields of package.json that name the repository; none while there is none. */
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
