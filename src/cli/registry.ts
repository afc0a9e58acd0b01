// Every command, a row each: its name, its summary, and its file, which loads where its flags are needed.
import type { Command, NamedSpec } from "../kit/command.ts";

type Entry = readonly [name: string, summary: string, load: () => Promise<Command>];

const incidents: readonly Entry[] = [
  ["create", "declare incidents from files, flags or answers", () => import("../commands/create/create.ts")],
  ["update", "post an update, or edit the incident", () => import("../commands/update/update.ts")],
  ["resolve", "post the update that resolves incidents", () => import("../commands/resolve.ts")],
  ["get", "read incidents", () => import("../commands/get.ts")],
  ["list", "list the incidents of the service", () => import("../commands/list.ts")],
  ["open", "open an incident in the web application", () => import("../commands/open.ts")],
  ["apply", "bring the service to what the definitions say", () => import("../commands/apply/apply.ts")],
  ["gate", "stop a deploy while an incident is open", () => import("../commands/gate/gate.ts")],
  ["journal list", "list what was sent from here", () => import("../commands/journal/list.ts")],
  ["journal show", "show each step of what was sent", () => import("../commands/journal/show.ts")],
  ["journal settle", "record how an unanswered request ended", () => import("../commands/journal/settle.ts")],
  ["journal accept", "go on where a journal was rolled back", () => import("../commands/journal/accept.ts")],
  ["journal copy", "copy the journal to a shared one, or back", () => import("../commands/journal/copy.ts")],
  ["journal init", "make the tables of a journal in PostgreSQL", () => import("../commands/journal/init.ts")],
];

const files: readonly Entry[] = [
  ["new", "write a definition to start from, with a fresh id", () => import("../commands/new.ts")],
  ["validate", "check files, offline and without a key", () => import("../commands/validate.ts")],
  ["schema", "print the JSON Schema of a definition", () => import("../commands/schema.ts")],
  ["services list", "list the services that have a name here", () => import("../commands/services/list.ts")],
  ["services import", "add services to the catalog", () => import("../commands/services/import.ts")],
  ["templates list", "list the templates of this project", () => import("../commands/templates-list.ts")],
];

const settings: readonly Entry[] = [
  ["login", "check a key and store it in a profile", () => import("../commands/login.ts")],
  ["logout", "remove a profile's stored key", () => import("../commands/logout.ts")],
  ["config show", "show every setting, and where it comes from", () => import("../commands/config-show.ts")],
  ["contract pull", "save the rules of the service's document", () => import("../commands/contract/pull.ts")],
  ["contract check", "list what has changed at the service", () => import("../commands/contract/check.ts")],
  ["doctor", "check settings, connection, key and operations", () => import("../commands/doctor.ts")],
  ["completion", "print the completion script of a shell", () => import("../commands/completion.ts")],
];

const rehearsal: readonly Entry[] = [
  ["sandbox", "run the service on this machine, for rehearsals", () => import("../commands/sandbox.ts")],
];

const themes = { Incidents: incidents, Files: files, Settings: settings, Rehearsal: rehearsal };

export const rows = Object.entries(themes).flatMap(([theme, entries]) =>
  entries.map(([name, summary, load]) => ({
    theme,
    name,
    summary,
    load: async (): Promise<Command<NamedSpec>> => {
      const command = await load();
      return { ...command, spec: { name, summary, flags: {}, ...command.spec } };
    },
  })),
);

export type Row = (typeof rows)[number];

export const groups: ReadonlyMap<string, string> = new Map([
  ["journal", "what was sent from here, and how it ended"],
  ["services", "the project's own catalog of services"],
  ["templates", "definitions with variables, for incidents that happen again"],
  ["config", "the settings, and where they come from"],
  ["contract", "the rules of the service's own openapi.json"],
]);

/** The words of other tools that are harmless. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["ls", "list"],
  ["show", "get"],
  ["view", "get"],
  ["describe", "get"],
]);

export const rowOf = (name: string): Row | undefined =>
  rows.find((each) => each.name === (aliases.get(name) ?? name));

/** The commands of a group, by the words after its name; without a group, the first words of all commands. */
export function commandsIn(group?: string): ReadonlyMap<string, string> {
  if (group !== undefined) {
    const inGroup = rows.filter(({ name }) => name.startsWith(`${group} `));
    return new Map(inGroup.map(({ name, summary }) => [name.slice(group.length + 1), summary]));
  }
  const first = rows.map(({ name, summary }) => [name.split(" ")[0] ?? name, summary] as const);
  return new Map(first.map(([word, summary]) => [word, groups.get(word) ?? summary]));
}
