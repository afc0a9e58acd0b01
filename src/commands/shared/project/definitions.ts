// The folders under `definitions:` of .incident.yaml: `validate` and `apply` read them when no file is named.
import { relative } from "node:path";
import type { Context } from "../../../platform/context.ts";
import { readProjectSettings, type SettingsFlags } from "../../../workspace/workspace.ts";

/** The folders as paths from the working directory. Empty where the setting or the project's file is missing. */
export async function projectDefinitionFolders(
  context: Context,
  { noProject = false }: Pick<SettingsFlags, "noProject">,
): Promise<readonly string[]> {
  const settings = noProject ? undefined : await readProjectSettings(context);
  return (settings?.definitions?.value ?? []).map((folder) => {
    const path = relative(context.system.cwd, folder);
    // An empty path is the working directory, and a single hyphen would read stdin.
    return path === "" || path === "-" ? `./${path}` : path;
  });
}
