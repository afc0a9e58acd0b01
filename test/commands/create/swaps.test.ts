// Between a preview and its confirmation, anything can change. What changes the bytes or their place is refused.
import { describe, expect, it } from "vitest";
import { config, unset } from "../../harness/builders.ts";
import { contractWith } from "../../harness/contracts.ts";
import { access, createWorld, type Setup } from "../../harness/incident.ts";

const id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const other = id.replace("7c", "8c");
const service = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";
const catalog = `services:\n  checkout: { name: Checkout, id: ${service} }\n`;
const document = `id: ${id}
name: Checkout fails
severity: MAJOR
services: [checkout]
incidentUpdates:
  - { description: "Down in \${region}.", status: INVESTIGATING }
`;
const second = document.replace(id, other).replace("Checkout fails", "Search fails");
const template = `variables:\n  region: { maxLength: 20 }\n---\n${document.replace(/^id.*\n/, "")}`;
const profiles = (baseUrl: string, header = "x-service-account", account: string = access.accountId) =>
  `defaultProfile: a\nprofiles:\n  a: { baseUrl: "${baseUrl}", apiKey: ${access.apiKey}, accountId: ${account}, accountHeader: ${header} }\n`;
const files = {
  ".incident.yaml": catalog,
  "x.yaml": document,
  "two.yaml": `${document}---\n${second}`,
  "vars.yaml": "region: Europe\n",
  "incident-templates/down.yaml": template,
  [config]: profiles(access.baseUrl),
};
const plain = "create -f x.yaml --vars vars.yaml";
const filled = "create --template down --vars vars.yaml --key a";

interface Swap {
  readonly files?: Readonly<Record<string, string>>;
  /** The command line of the preview, and of the confirmation where it is another. */
  readonly line?: string;
  readonly confirmed?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly start?: Setup["env"];
  readonly minutes?: number;
}

const edit = (from: string, to: string) => ({ files: { "x.yaml": document.replace(from, to) } });
const two = "create -f two.yaml --vars vars.yaml";

const refused: Readonly<Record<string, Swap>> = {
  "a space in a text": edit("Down in", "Down  in"),
  "the id": edit(id, other),
  "a service in the file": edit("[checkout]", `[{ name: Checkout, id: ${other} }]`),
  "an account of a service": edit("[checkout]", `[{ name: Checkout, id: ${service}, accountId: ${other} }]`),
  "a variable": { files: { "vars.yaml": "region: Asia\n" } },
  "--var": { confirmed: `${plain} --var region=Asia` },
  "the id in the catalog": { files: { ".incident.yaml": catalog.replace(service, other) } },
  "the name in the catalog": { files: { ".incident.yaml": catalog.replace("name: Checkout", "name: Shop") } },
  "the template": {
    line: filled,
    files: { "incident-templates/down.yaml": template.replace("MAJOR", "MINOR") },
  },
  "--key": { line: filled, confirmed: filled.replace("--key a", "--key b") },
  "a dedup key": {
    line: filled.replace("--key", "--dedup-key"),
    confirmed: filled.replace("--key a", "--dedup-key b"),
  },
  "--key in place of a dedup key": { line: filled.replace("--key", "--dedup-key"), confirmed: filled },
  "the base URL": { env: { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:2" } },
  "the base URL of the profile": { start: unset, files: { [config]: profiles("http://127.0.0.1:2") } },
  "the order of the documents": { line: two, files: { "two.yaml": `${second}---\n${document}` } },
  "one document fewer": { line: two, files: { "two.yaml": document } },
  "one document more": { files: { "x.yaml": `${document}---\n${second}` } },
  "--new": { confirmed: `${plain} --new` },
  "a relative start, a minute later": { line: `${plain} --started-at -20m`, minutes: 1 },
};

/** The run may not read there, so that it has no preview. */
const unread: Readonly<Record<string, Swap>> = {
  "--account": { confirmed: `${plain} --account ${other}` },
  "the account of the profile": {
    start: unset,
    files: { [config]: profiles(access.baseUrl, "x-service-account", other) },
  },
};

const accepted: Readonly<Record<string, Swap>> = {
  nothing: {},
  "the order of the keys": {
    files: { "x.yaml": document.replace(/^(id.*\n)(name.*\n)(sev.*\n)/, "$3$2$1") },
  },
  "the path of the file": { files: { "y.yaml": document }, confirmed: "create -f y.yaml --vars vars.yaml" },
  "a value from --var": { confirmed: "create -f x.yaml --var region=Europe" },
  "a service that is not used": {
    files: { ".incident.yaml": `${catalog}  mail: { name: Mail, id: ${other} }\n` },
  },
  "a contract that changes no byte": {
    files: { "incident.contract.json": contractWith({ type: "object" }) },
  },
  "a day": { minutes: 24 * 60 },
  "the output": { confirmed: `${plain} -o id` },
  "the name of the account header": {
    start: { INCIDENT_CLI_ACCOUNT_HEADER: "x-account" },
    env: { INCIDENT_CLI_ACCOUNT_HEADER: "x-service-account" },
  },
  "another key": {
    start: unset,
    files: {
      [config]: profiles(access.baseUrl).replace("apiKey", "webUrl: 'https://app.example/{id}', apiKey"),
    },
  },
};

async function swap({ env, files: changed, line = plain, minutes = 0, start, confirmed = line }: Swap) {
  const world = createWorld({ files, ...(start && { env: start }) });
  const preview = await world.run(`${line} --dry-run -o json`);
  expect(preview).toMatchObject({ exitCode: 0 });
  const { confirm } = [JSON.parse(preview.stdout)].flat()[0];
  const { mkdirSync, writeFileSync } = await import("node:fs");
  for (const [name, text] of Object.entries(changed ?? {})) {
    mkdirSync(`${world.folder}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    writeFileSync(`${world.folder}/${name}`, text, { mode: 0o600 });
  }
  world.clock.advance(minutes * 60_000);
  const { exitCode, posts, stderr } = await world.run(
    `${confirmed} --confirm ${confirm}`,
    env ? { env } : {},
  );
  return { exitCode, posts, isExplained: stderr.includes("is not what was confirmed") };
}

describe("between a preview and its confirmation", () => {
  it.each(Object.entries(refused))("%s: refused, with the new preview", async (_, change) => {
    expect(await swap(change)).toEqual({ exitCode: 13, posts: 0, isExplained: true });
  });

  it.each(Object.entries(unread))("%s: refused as the service refuses it", async (_, change) => {
    expect(await swap(change)).toMatchObject({ exitCode: 4, posts: 0 });
  });

  it.each(Object.entries(accepted))("%s: sent", async (_, change) => {
    expect(await swap(change)).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it("no id: a usage error, because nothing names the incident", async () => {
    expect(await swap(edit(`id: ${id}\n`, ""))).toMatchObject({ exitCode: 2, posts: 0 });
  });

  it("an edit that is no longer valid is an error of the file", async () => {
    expect(await swap(edit("MAJOR", "HIGH"))).toMatchObject({ exitCode: 3, posts: 0 });
  });
});
