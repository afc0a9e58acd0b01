// Each flag and each header of a command that sends, through its modes: the preview, the command to confirm, the dialogue.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${region} is the syntax of definitions.
import { beforeAll, describe, expect, it } from "vitest";
import { type FlagSpec, namesIn } from "../../src/kit/flags.ts";
import { globalFlags } from "../../src/kit/global-flags.ts";
import {
  access,
  definitionYaml,
  incidentId as id,
  numberedId,
  serviceYaml,
  terminal,
} from "../harness/builders.ts";
import { sampled } from "../harness/cases.ts";
import { createWorld, type Result } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

/** A command line of each command that sends; the incident of `id` is declared, and the one of x.yaml is not. */
const lines = {
  create: "create -f x.yaml",
  update: `update ${id} --status identified --message Found.`,
  resolve: `resolve ${id} --message Over.`,
  apply: "apply -f x.yaml",
} as const;
type Name = keyof typeof lines;

const files = {
  "x.yaml": definitionYaml({ id: numberedId(2), name: "Another" }),
  "declared.yaml": definitionYaml({ id }),
  "variables.yaml": "region: eu\n",
  ".incident.yaml": `services: { checkout: ${serviceYaml} }\n`,
  "incident-templates/fixed.yaml": `variables: { region: {} }\n---\n${definitionYaml({ name: "In ${region}" })}`,
  "home/.config/incident-cli/config.yaml": JSON.stringify({ profiles: { other: access } }),
};

/** A value of a flag that does not take any text. */
const values: Readonly<Record<string, string>> = {
  service: "checkout",
  startedAt: "2026-11-20T06:11:00Z",
  var: "region=eu",
  vars: "variables.yaml",
  profile: "other",
  account: access.accountId,
  template: "fixed",
};

/** Another command line, for a flag that does not go with the usual one. */
const others: Readonly<Record<string, string>> = {
  "create template": "create --var region=eu",
  "create var": "create --template fixed",
  "create vars": "create --template fixed",
  "create dedupKey": "create -f plain.yaml",
  "create key": "create -f plain.yaml",
  "update key": "update --status identified --message Found.",
  "update dedupKey": "update --status identified --message Found.",
  "resolve key": "resolve --message Over.",
  "resolve dedupKey": "resolve --message Over.",
};

/** The command to confirm leaves these out, or has their value already. */
const replaced = ["dryRun", "confirm", "noJournal", "file"];
const valuesOf = (name: string, spec: FlagSpec) =>
  spec.kind === "switch" ? [] : [begunElsewhere(name, spec)];
const numbers: Readonly<Record<string, string>> = { duration: "90s", count: "3" };
const begunElsewhere = (name: string, { choices, completions, kind }: FlagSpec) => {
  const [first = "words"] = choices ?? (Array.isArray(completions) ? completions : []);
  return values[name] ?? numbers[kind] ?? String(first);
};

const flagsOfCommands = Object.keys(lines).flatMap((command) => {
  const spec = specs.find(({ name }) => name === command);
  return Object.entries({ ...spec?.flags, ...globalFlags })
    .filter(([name]) => !replaced.includes(name))
    .map(([name, flag]) => ({
      words: [namesIn(flag.usage).at(-1) ?? "", ...valuesOf(name, flag)],
      line: others[`${command} ${name}`] ?? lines[command as Name],
    }));
});

const newWorld = () =>
  createWorld({
    files: { ...files, "plain.yaml": definitionYaml({ name: "Plain" }) },
    sandbox: { onlySpec: false },
  });

async function declaredWorld() {
  const world = newWorld();
  for (const declared of ["-f declared.yaml", "-f plain.yaml --key words", "-f plain.yaml --dedup-key words"])
    expect((await world.run(`create ${declared} --yes`)).exitCode).toBe(0);
  return world;
}

describe("the command to confirm", () => {
  // A dry run changes nothing, so that all have one world.
  let world: Awaited<ReturnType<typeof declaredWorld>>;
  beforeAll(async () => {
    world = await declaredWorld();
  });

  it.each(sampled(flagsOfCommands, 2))("keeps $words of $line", async ({ line, words }) => {
    const others = line.replace(new RegExp(` ${words[0]} \\S+`), "");
    // An incident that is declared needs no create.
    const at = line.startsWith("create") ? newWorld() : world;
    const { stdout, stderr } = await at.run(
      `${others} ${words.map((word) => `'${word}'`).join(" ")} --dry-run -o json`,
    );
    expect(stdout, stderr).not.toBe("");
    const [{ command }] = [JSON.parse(stdout)].flat();
    expect(command.join(" ")).toContain(words.join(" "));
  });
});

/** The headers that only carry a request. */
const carrying = ["accept", "authorization", "content-length", "accept-encoding", "host", "user-agent"];
const saidBy = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).filter(([name]) => !carrying.includes(name.toLowerCase()));
const changesIn = ({ requests }: Result) => requests.filter(({ method }) => method !== "GET");

describe("the headers of a command that sends", () => {
  // The preview of a plan has no requests.
  it.each(Object.values(lines).filter((line) => line !== lines.apply))(
    "are sent by %s as the preview shows them",
    async (line) => {
      const world = await declaredWorld();
      const shown = [JSON.parse((await world.run(`${line} --dry-run -o json`)).stdout)].flat();
      const curl = (await world.run(`${line} --dry-run -o curl`)).stdout;
      const sent = changesIn(await world.run(line));
      expect(sent).not.toEqual([]);
      expect(shown.map(({ headers }) => saidBy(headers))).toEqual(sent.map(({ headers }) => saidBy(headers)));
      for (const [header, value] of sent.flatMap(({ headers }) => saidBy(headers)))
        expect(curl).toContain(`${header}: ${value}`);
    },
  );

  it.each(Object.values(lines))("are confirmed with their account for %s", async (line) => {
    const world = await declaredWorld();
    const { stdout } = await world.run(`${line} --dry-run -o json`);
    const [{ command, confirm }] = [JSON.parse(stdout)].flat();
    const confirmed = command
      .map((word: string) => `'${word}'`)
      .join(" ")
      .replace("'incident' ", "");
    const other = await world.run(confirmed, {
      env: { INCIDENT_CLI_ACCOUNT_ID: "99999999-2222-4333-8444-555555555555" },
    });
    expect([confirm, changesIn(other)]).toEqual([expect.stringMatching(/^sha256:/), []]);
    expect(other.exitCode).not.toBe(0);
    expect(changesIn(await world.run(confirmed))).not.toEqual([]);
  });
});

/** The flags beside which the questions are asked, and that change what is sent. */
const asked = ["--notify", "--no-notify", "--started-at -20m", "--key words", "--dedup-key words", "--new"];

describe("the dialogue of incident create", () => {
  const answerTo: Readonly<Record<string, string>> = {
    name: "Another",
    severity: "MAJOR",
    services: "Checkout",
    status: "INVESTIGATING",
    description: "We are looking.",
    notifySubscribers: "No",
  };
  const fields = "--name Another --severity major --service checkout --status investigating";
  /** An id that no key chooses is random. */
  const bodyOf = (result: Result, hasKey: boolean) => {
    const { id, ...body } = JSON.parse(changesIn(result)[0]?.body ?? result.stderr);
    return hasKey ? { id, ...body } : body;
  };

  it.each(asked)("sends with %s what the flags alone send", async (words) => {
    const { questions } = await import("../../src/commands/sending/dialogue.ts");
    const isGiven = (name: string) => name === "notifySubscribers" && words.endsWith("notify");
    const names = questions.map(({ name }) => name).filter((name) => !isGiven(name));
    const answers = names.map((name) => answerTo[name] ?? "");
    const setup = { files: { ".incident.yaml": files[".incident.yaml"] } };
    const declared = await createWorld({ ...setup, terminal }).run(`create ${words}`, {
      answers: [...answers, "y"],
    });
    const plain = await createWorld(setup).run(`create ${fields} --message 'We are looking.' ${words}`);
    const hasKey = words.includes("key ");
    expect(bodyOf(declared, hasKey)).toEqual(bodyOf(plain, hasKey));
  });
});
