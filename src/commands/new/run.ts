// `incident new`: a definition to start from, with a comment beside each field and an id of its own.
import { dirname, join, resolve } from "node:path";
import { Failure } from "../../failure.ts";
import { definitionSchema, severities, statuses } from "../../incident/definition.ts";
import { metaOf } from "../../incident/with-meta.ts";
import type { Context } from "../../platform/context.ts";
import { writeAll } from "../../platform/replace-file.ts";
import type { Run } from "../define-command.ts";

/** Beside the definitions, so that the line that names it is the same in every project. */
const schemaFile = "incident.schema.json";

export const run: Run = async (context, { operands: [file] }) => {
  const text = template(context.random.guid());
  if (file === undefined || file === "-") return { page: () => text };
  const path = resolve(context.cwd, file);
  writeNew(context, path, file, text);
  context.info(`wrote ${file}; write what happened, then: incident validate ${file}`);
  if (context.files.statSync(join(dirname(path), schemaFile), { throwIfNoEntry: false }) === undefined)
    context.info(`for help in your editor: incident schema > ${join(dirname(file), schemaFile)}`);
  return {};
};

/** Never overwrites a file. Throws a `Failure` "usage". */
export function writeNew({ files }: Pick<Context, "files">, path: string, file: string, text: string): void {
  try {
    const descriptor = files.openSync(path, "wx", 0o644);
    try {
      writeAll(files, descriptor, text);
    } finally {
      files.closeSync(descriptor);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EEXIST") {
      throw new Failure("usage", `${file} is there already`, {
        hint: "choose another name; it is left as it is",
      });
    }
    throw new Failure("usage", `${file} could not be written (${error.code})`, {
      hint: "check the folder and its permissions",
      cause: error,
    });
  }
}

function template(id: string): string {
  const { name, services, id: idField, incidentUpdates } = definitionSchema.shape;
  const update = incidentUpdates.def.element.shape;
  const say = (schema: Parameters<typeof metaOf>[0]) => metaOf(schema).description;
  return `# yaml-language-server: $schema=./${schemaFile}

# ${say(idField)}
id: ${id}

# ${say(name)}
name: Checkout fails for some customers

# ${severities.join(", ")}
severity: MAJOR

# ${say(services)} Its id and name,
# or its name in the catalog of this project: incident services list
services:
  - id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b
    name: Checkout

incidentUpdates:
  # ${statuses.join(", ")}
  - status: INVESTIGATING

    # ${say(update.description)}
    description: We are looking into failed payments.

    # ${say(update.notifySubscribers)}
    notifySubscribers: false
`;
}
