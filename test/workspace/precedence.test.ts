// The sources of every setting, the highest precedence first.
import { describe, expect, it } from "vitest";
import { config, unset } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";

interface Source {
  readonly origin: string;
  readonly flag?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A line in the user's file: at the top level, or in the profile "home". */
  readonly user?: string;
  readonly profile?: string;
  readonly project?: string;
}

const guid = (digit: number) => `${digit}1111111-2222-4333-8444-555555555555`;
const key = (letter: string) => letter.repeat(20);

const table: Readonly<Record<string, readonly Source[]>> = {
  profile: [
    { origin: "--profile", flag: "--profile home" },
    { origin: "INCIDENT_CLI_PROFILE", env: { INCIDENT_CLI_PROFILE: "home" } },
    { origin: "config.yaml", user: "defaultProfile: home" },
    { origin: ".incident.yaml", project: "profile: home" },
  ],
  baseUrl: [
    { origin: "INCIDENT_CLI_BASE_URL", env: { INCIDENT_CLI_BASE_URL: "https://env.example" } },
    { origin: "config.yaml", profile: "baseUrl: https://profile.example" },
  ],
  apiKey: [
    { origin: "INCIDENT_CLI_API_KEY", env: { INCIDENT_CLI_API_KEY: key("a") } },
    { origin: "INCIDENT_CLI_API_KEY_FILE", env: { INCIDENT_CLI_API_KEY_FILE: "key" } },
    { origin: "config.yaml", profile: `apiKey: ${key("c")}` },
  ],
  accountId: [
    { origin: "--account", flag: `--account ${guid(1)}` },
    { origin: "INCIDENT_CLI_ACCOUNT_ID", env: { INCIDENT_CLI_ACCOUNT_ID: guid(2) } },
    { origin: "config.yaml", profile: `accountId: ${guid(3)}` },
  ],
  accountHeader: [{ origin: "config.yaml", profile: "accountHeader: x-account" }, { origin: "default" }],
  webUrl: [
    { origin: "INCIDENT_CLI_WEB_URL", env: { INCIDENT_CLI_WEB_URL: "https://env.example.com/{id}" } },
    { origin: "config.yaml", profile: 'webUrl: "https://app.example.com/{id}"' },
  ],
  journal: [
    { origin: "INCIDENT_CLI_JOURNAL", env: { INCIDENT_CLI_JOURNAL: "git" } },
    { origin: "config.yaml", profile: "journal: postgres://localhost/incidents" },
    { origin: "default" },
  ],
  stateDirectory: [{ origin: "INCIDENT_CLI_STATE_DIR", env: { INCIDENT_CLI_STATE_DIR: "/var/state" } }],
};

const cases = Object.entries(table).flatMap(([name, sources]) =>
  sources.map((source, index) => [name, source.origin, sources.slice(index)] as const),
);

/** Runs `config show` with exactly these sources. */
async function show(sources: readonly Source[]) {
  const lines = (pick: (source: Source) => string | undefined) =>
    sources.map(pick).filter((line) => line !== undefined);
  const isProfileSetting = sources.every(({ user, project }) => user === undefined && project === undefined);
  const user = isProfileSetting ? ["defaultProfile: home"] : lines((source) => source.user);
  const fields = lines((source) => source.profile).map((line) => `    ${line}\n`);
  const project = lines((source) => source.project);
  const world = createWorld({
    files: {
      key: key("b"),
      [config]: [...user, "profiles:", `  home:${fields.length === 0 ? " {}" : ""}`, ...fields].join("\n"),
      ...(project.length > 0 && { ".incident.yaml": project.join("\n") }),
    },
    env: unset,
  });
  const env = Object.assign({}, ...sources.map((source) => source.env));
  const { stdout } = await world.run(["config show -o json", ...lines((source) => source.flag)].join(" "), {
    env,
  });
  return JSON.parse(stdout).settings as { name: string; origin: string }[];
}

/** Turns `/path/config.yaml:4` into `config.yaml`, and `default, or the service's document` into `default`. */
function shortOrigin(origin: string): string {
  return origin.replace(/^.*\/|:\d+$|, or the service's document$/g, "");
}

describe("precedence", () => {
  it.each(cases)("%s from %s overrides all sources of lower precedence", async (name, origin, sources) => {
    const setting = (await show(sources)).find((candidate) => candidate.name === name);
    expect(shortOrigin(setting?.origin ?? "")).toBe(origin);
  });

  it("covers every setting of config show", async () => {
    expect((await show([])).map(({ name }) => name)).toEqual(Object.keys(table));
  });
});
