// Each field that a person gives as one text, through every way in and every way out: none is lost on the way.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type TextField, textFields, updateTextFields } from "../../../src/incident/definition.ts";
import { fieldFlags } from "../../../src/kit/shared-flags.ts";
import { definitionYaml, incidentId as id, serviceYaml, terminal } from "../../harness/builders.ts";
import { createWorld, type Result } from "../../harness/incident.ts";

/** Two values of a field. The first is the one that is sent. */
function valuesOf({ name, values: given }: TextField): readonly [string, string] {
  // A create that ends in RESOLVED needs a name.
  const values = given?.filter((each) => each !== "RESOLVED") ?? [`Its ${name} is here`, `Another ${name}`];
  return [values.at(-1) ?? "", values[0] ?? ""];
}

function yamlWith(field: TextField, value: string, hasId = true): string {
  const isOfUpdate = updateTextFields.includes(field);
  const update = { description: "We are looking into it.", ...(isOfUpdate && { [field.name]: value }) };
  return definitionYaml({
    ...(hasId && { id }),
    incidentUpdates: `[${JSON.stringify(update)}]`,
    ...(!isOfUpdate && { [field.name]: JSON.stringify(value) }),
  });
}

/** The value of the field in the body of the create that was sent. */
function sent(field: TextField, { requests, stderr }: Result): unknown {
  const body = requests.find(({ method }) => method === "POST")?.body;
  if (body === undefined) throw new Error(`nothing was sent: ${stderr}`);
  const incident = JSON.parse(body);
  return (updateTextFields.includes(field) ? incident.incidentUpdates[0] : incident)[field.name];
}

const project = `services: { checkout: ${serviceYaml} }\n`;
const required = ["name x", "severity major", "service checkout", "message y"];
/** The flags of a whole definition, with the value for this field. */
const flagsWith = (field: TextField, value: string) => {
  const others = required.filter((each) => !each.startsWith(`${field.flag} `));
  return `${others.map((each) => `--${each}`).join(" ")} --${field.flag} '${value}'`;
};

const files = (field: TextField) => ({
  ".incident.yaml": project,
  "x.yaml": yamlWith(field, valuesOf(field)[0]),
  "incident-templates/fixed.yaml": `variables: {}\n---\n${yamlWith(field, valuesOf(field)[0], false)}`,
});

/** An answer for each question but the field's own. */
const answerTo: Readonly<Record<string, string>> = {
  name: "Checkout fails",
  severity: "MAJOR",
  services: "Checkout",
  status: "INVESTIGATING",
  description: "We are looking.",
  notifySubscribers: "No",
};
async function answersFor(field: TextField) {
  const { questions } = await import("../../../src/commands/sending/dialogue.ts");
  return questions.filter(({ name }) => name !== field.name).map(({ name }) => answerTo[name] ?? "");
}

describe.each(textFields.map((field) => [field.name, field] as const))("the field %s", (_name, field) => {
  const [value, other] = valuesOf(field);
  const world = () => createWorld({ files: files(field), terminal });

  it("has a flag of its own, which sets it", async () => {
    expect(Object.keys(fieldFlags)).toContain(field.flag);
    const line = `create ${flagsWith(field, value)} --no-input`;
    expect(sent(field, await world().run(line))).toBe(value);
  });

  it.each(["create -f x.yaml", "create --template fixed --no-input", "apply -f x.yaml --yes"])(
    "is sent by %s",
    async (line) => {
      expect(sent(field, await world().run(line))).toBe(value);
    },
  );

  it("overrides the file by its flag", async () => {
    expect(sent(field, await world().run(`create -f x.yaml --${field.flag} '${other}'`))).toBe(other);
  });

  it("is in the dry run, as a request and as a command", async () => {
    for (const format of ["table", "json", "curl"])
      expect((await world().run(`create -f x.yaml --dry-run -o ${format}`)).stdout).toContain(value);
  });

  it("is part of what is confirmed", async () => {
    const same = world();
    const { stdout } = await same.run("create -f x.yaml --dry-run -o json");
    const { confirm } = JSON.parse(stdout);
    const changed = await same.run(
      `create -f x.yaml --${field.flag} '${other}' --confirm ${confirm} --no-input`,
    );
    expect([changed.exitCode, changed.requests.map(({ method }) => method)]).toEqual([13, ["GET"]]);
    expect(sent(field, await same.run(`create -f x.yaml --confirm ${confirm}`))).toBe(value);
  });

  it("is kept beside the answers at a terminal, where its flag gives it", async () => {
    const answers = [...(await answersFor(field)), "y"];
    const line = `create --${field.flag} '${value}'`;
    expect(
      sent(
        field,
        await createWorld({ files: { ".incident.yaml": project }, terminal }).run(line, { answers }),
      ),
    ).toBe(value);
  });

  it("is kept in the draft of an interrupted dialogue", async () => {
    const same = createWorld({ files: { ".incident.yaml": project }, terminal });
    const answers = await answersFor(field);
    const stopped = await same.run(`create --${field.flag} '${value}'`, { answers });
    expect(stopped.requests).toEqual([]);
    const draft = join(same.folder, "home/.local/state/incident-cli/draft.yaml");
    expect(sent(field, await same.run(`create -f ${draft}`))).toBe(value);
  });

  it("is read in every format, with a wait as well", async () => {
    const same = world();
    await same.run("create -f x.yaml");
    for (const wait of ["", "--wait-for investigating"])
      for (const format of ["table", "json", "markdown", "definition"])
        expect((await same.run(`get ${id} -o ${format} ${wait}`)).stdout).toContain(value);
  });

  it("makes a round trip", async () => {
    const same = world();
    await same.run("create -f x.yaml");
    const got = { "got.yaml": (await same.run(`get ${id} -o definition`)).stdout };
    writeFileSync(join(same.folder, "got.yaml"), got["got.yaml"]);
    const again = await createWorld({ files: got }).run("create -f got.yaml --dry-run -o json");
    expect(JSON.parse(again.stdout).body).toContain(JSON.stringify(value));
    expect((await same.run("apply -f got.yaml")).exitCode).toBe(0);
  });

  it("is compared: another value is another content, and drift", async () => {
    const same = world();
    await same.run("create -f x.yaml");
    writeFileSync(join(same.folder, "x.yaml"), yamlWith(field, other));
    expect((await same.run("create -f x.yaml")).exitCode).toBe(6);
    expect((await same.run("apply -f x.yaml --dry-run")).exitCode).not.toBe(0);
  });
});
