// Every command, a row each: its theme, its name, its summary, and the file that has the rest. The overview, the help,
// the parser and completion follow from the rows, and load a file when they need its flags.
import type { Command, CommandSpec, Run } from "../kit/define-command.ts";
import type { FlagSpecs } from "../kit/flags.ts";
import type { Format } from "../kit/formats.ts";

export interface Row {
  readonly theme: "Incidents" | "Files" | "Settings" | "Rehearsal";
  /** One word, or a group and a command in it. */
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

const row =
  (theme: Row["theme"]) =>
  <F extends FlagSpecs, O extends Format, M extends Format>(
    name: string,
    summary: string,
    load: () => Promise<{ readonly spec: CommandSpec<F, O, M>; readonly run: Run<CommandSpec<F, O, M>> }>,
  ): Row => ({ theme, name, summary, load });

const incidents = row("Incidents");
const files = row("Files");
const settings = row("Settings");
const rehearsal = row("Rehearsal");

// biome-ignore format: a row is a line
export const rows: readonly Row[] = [
  incidents("create", "declare incidents from files, from flags, or from your answers to a few questions", () => import("../commands/create/create.ts")),
  incidents("update", "post an update of an incident, or correct its name, severity or services", () => import("../commands/update/update.ts")),
  incidents("resolve", "post the update that resolves incidents", () => import("../commands/resolve.ts")),
  incidents("get", "read incidents", () => import("../commands/get/get.ts")),
  incidents("list", "list the incidents of the service", () => import("../commands/list.ts")),
  incidents("open", "print the address of an incident in the web application, and open it", () => import("../commands/open.ts")),
  incidents("apply", "bring the service to what the definitions in a folder say", () => import("../commands/apply/run.ts")),
  incidents("gate", "stop a deploy while an incident is open", () => import("../commands/gate/gate.ts")),
  incidents("journal list", "list the creates that were sent from here", () => import("../commands/journal/list.ts")),
  incidents("journal show", "show everything that happened to a create", () => import("../commands/journal/show.ts")),
  incidents("journal settle", "record the outcome of creates that got no answer", () => import("../commands/journal/settle.ts")),
  incidents("journal accept", "go on with a shared journal that was rolled back", () => import("../commands/journal/accept.ts")),
  incidents("journal copy", "copy the journal of this machine into a shared one, or back", () => import("../commands/journal/copy.ts")),
  incidents("journal init", "make the tables of a journal in PostgreSQL", () => import("../commands/journal/init.ts")),
  files("new", "write a definition to start from, with a fresh id", () => import("../commands/new.ts")),
  files("validate", "check files, offline and without a key", () => import("../commands/validate/validate.ts")),
  files("schema", "print the JSON Schema of a definition", () => import("../commands/schema/schema.ts")),
  files("services list", "list the services that definitions can use by name", () => import("../commands/services/list.ts")),
  files("services import", "add the services of the service, or of an incident, to the catalog", () => import("../commands/services/import.ts")),
  files("templates list", "list the templates of this project", () => import("../commands/templates-list.ts")),
  settings("login", "check a key and store it in a profile", () => import("../commands/login/login.ts")),
  settings("logout", "remove a profile's stored key", () => import("../commands/logout.ts")),
  settings("config show", "show every setting, its source, the values that it overrides, and the settings files", () => import("../commands/config-show.ts")),
  settings("contract pull", "keep what the service's own openapi.json says about a create", () => import("../commands/contract/pull.ts")),
  settings("contract check", "compare the contract with the service's document as it is now", () => import("../commands/contract/check.ts")),
  settings("doctor", "check settings, connection, key and the service's contract", () => import("../commands/doctor/doctor.ts")),
  settings("completion", "print the completion script of a shell", () => import("../commands/completion.ts")),
  rehearsal("sandbox", "run the service's API on this machine, for rehearsals", () => import("../commands/sandbox.ts")),
];

/** The groups by the first word of their commands. A group that is named alone runs its command `alone`. */
export const groups: ReadonlyMap<string, { readonly summary: string; readonly alone?: string }> = new Map([
  ["journal", { summary: "what was sent from here, and how it ended", alone: "journal list" }],
  ["services", { summary: "the project's own catalog of services", alone: "services list" }],
  [
    "templates",
    { summary: "definitions with variables, for incidents that happen again", alone: "templates list" },
  ],
  ["config", { summary: "the settings, and where they come from", alone: "config show" }],
  ["contract", { summary: "the rules of the service's own openapi.json" }],
]);

export const rowOf = (name: string): Row | undefined => rows.find((each) => each.name === name);

/** The commands of a group, by the words after its name; without a group, the first words of all commands. */
export function commandsIn(group?: string): ReadonlyMap<string, string> {
  if (group !== undefined) {
    const inGroup = rows.filter(({ name }) => name.startsWith(`${group} `));
    return new Map(inGroup.map(({ name, summary }) => [name.slice(group.length + 1), summary]));
  }
  const first = rows.map(({ name, summary }) => [name.split(" ")[0] ?? name, summary] as const);
  return new Map(first.map(([word, summary]) => [word, groups.get(word)?.summary ?? summary]));
}
