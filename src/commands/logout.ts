// `incident logout`: removes the key of a profile from the settings file, and keeps the rest of the profile.

import { Failure } from "../failure.ts";
import type { CommandSpec, Run } from "../kit/command.ts";
import { lineReport } from "../kit/report.ts";
import { environmentVariables } from "../workspace/settings.ts";
import { editUserSettings, profileName } from "../workspace/user-file.ts";
import { refuseInRehearsal } from "./shared/questions.ts";

export const spec = {
  result: "page",
  examples: { "incident logout --profile staging": "forget the key; keep the rest" },
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context) => {
  const file = context.workspace.userFile;
  refuseInRehearsal(context, file);
  const user = await context.workspace.profiles();
  const name = profileName(context.system.env, context.global.profile, user);
  const profile = user?.profiles.get(name);
  if (profile === undefined)
    throw new Failure("usage", `there is no profile "${name}" in ${file}`, {
      hint: `nothing was removed; name one that the file has with --profile, or unset ${environmentVariables.apiKey}`,
    });
  const isStored = profile.key?.value.kind === "value";
  if (isStored) {
    await editUserSettings(context, file, [{ path: ["profiles", name, "apiKey"], value: undefined }]);
    context.info("the key itself stays valid: revoke it in the web application if it is no longer used");
  }
  const elsewhere = profile.key === undefined ? "" : `; it is fetched as ${profile.key.origin} says`;
  const line = isStored
    ? `removed the key of profile ${name} from ${file}`
    : `profile ${name} holds no key${elsewhere}`;
  return lineReport({ profile: name, removed: isStored, file }, line);
};
