// The schemas of the settings files of a user and of a project.
import { once } from "../once.ts";
import * as kinds from "../rules/kinds.ts";
import { type ProfileFields, type SettingKinds, settingRows } from "./settings.ts";

const { anything, filled, listOf, listOrNone, mapping, recordOf, text } = kinds;

const schemas = {
  text: filled,
  command: () => listOf(filled()),
  "GUID or none": () => text("guidOrNone"),
} satisfies { readonly [K in keyof SettingKinds]: () => kinds.Schema<SettingKinds[K]> };

function profileSchema(): kinds.Schema<ProfileFields> {
  const fields = Object.entries(settingRows).flatMap(([name, { kind }]) =>
    kind === undefined ? [] : [[name, schemas[kind]()] as const],
  );
  const profile: kinds.Schema = mapping(Object.fromEntries(fields));
  return profile as kinds.Schema<ProfileFields>;
}

export const userSettingsSchema = once(() =>
  mapping({ defaultProfile: filled(), profiles: recordOf(profileSchema()) }),
);

/** A pull request can change a project's file: it has no field that directs a key, or runs a command. */
export const projectSettingsSchema = once(() =>
  mapping({
    profile: filled(),
    definitions: listOrNone(filled()),
    templates: filled(),
    services: anything(),
    policy: anything(),
  }),
);
