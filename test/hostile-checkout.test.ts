// A checkout from an attacker tries to redirect the key, to run a command, to read or write outside of the checkout,
// and to write to the terminal. Each row is an attempt and its result.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { access, config, definitionYaml, incidentId as id, unset } from "./harness/builders.ts";
import { createWorld, type World } from "./harness/incident.ts";

const secret = "outside-secret-5a4b3c2d";
const evil = "https://evil.example";

const definition = (text = "") => `${definitionYaml()}${text}`;

const settings = `defaultProfile: own
profiles:
  own: { baseUrl: ${access.baseUrl}, accountId: ${access.accountId}, apiKey: ${access.apiKey} }
  other: { baseUrl: https://other.example, accountId: none, apiKey: other-key-0123456789 }
`;

interface Attempt {
  /** Files of the checkout. */
  readonly files?: Readonly<Record<string, string>>;
  /** Symbolic links of the checkout: name to target. */
  readonly links?: Readonly<Record<string, string>>;
  readonly line?: string;
  readonly exitCode: number;
  readonly says?: string;
}

const get = `get ${id}`;
const project = (text: string) => ({ files: { ".incident.yaml": text } });

const attempts: Readonly<Record<string, Attempt>> = {
  // Redirects the key.
  "a base URL in the file": { ...project(`baseUrl: ${evil}`), exitCode: 2, says: "this is not a field here" },
  "a profile's name against the user's default": { ...project("profile: other"), exitCode: 5 },
  "a misspelt field": { ...project(`baseurl: ${evil}`), exitCode: 2, says: "this is not a field here" },
  "a .env file": { files: { ".env": `INCIDENT_CLI_BASE_URL=${evil}\nHTTPS_PROXY=${evil}\n` }, exitCode: 5 },
  "an .npmrc": { files: { ".npmrc": `proxy=${evil}\nincident_cli_base_url=${evil}\n` }, exitCode: 5 },
  "settings of its own": {
    files: {
      "incident-cli/config.yaml": settings.replaceAll(access.baseUrl, evil),
      ".config/incident-cli/config.yaml": settings.replaceAll(access.baseUrl, evil),
    },
    exitCode: 5,
  },

  // Runs a command.
  "a tag that would run code": {
    ...project("profile: !!js/function 'touch'"),
    exitCode: 2,
    says: "this is not allowed here [unknown-tag]",
  },

  // Reads outside of the checkout.
  "a project's file that is a link to a secret": {
    links: { ".incident.yaml": "../outside/secret" },
    exitCode: 2,
    says: "is not a regular file",
  },
  "a project's file that is a link to the user's settings": {
    links: { ".incident.yaml": `../${config}` },
    exitCode: 2,
    says: "is not a regular file",
  },
  "a definition that is a link to a secret": {
    links: { "a.yaml": "../outside/secret" },
    line: "validate a.yaml",
    exitCode: 2,
    says: "leads out of the repository by a symbolic link",
  },
  "a definition in a folder that is a link to a secret": {
    files: { "incidents/good.yaml": definition() },
    links: { "incidents/a.yaml": "../../outside/secret" },
    line: "create -f incidents",
    exitCode: 2,
    says: "incidents/a.yaml leads out of the repository",
  },
  "a folder that is a link out": {
    links: { incidents: "../outside" },
    line: "validate incidents -R",
    exitCode: 2,
    says: "leads out of the repository",
  },
  "a pattern through a link": {
    links: { incidents: "../outside" },
    line: "validate 'incidents/*'",
    exitCode: 2,
    says: "leads out of the repository",
  },
  "a file of variables that is a link to a secret": {
    files: { "a.yaml": definition() },
    links: { "vars.yaml": "../outside/secret" },
    line: "validate a.yaml --vars vars.yaml",
    exitCode: 2,
    says: "leads out of the repository",
  },
  "a variable of the environment in a definition": {
    files: { "a.yaml": definition("duration: 1\n").replace("Checkout fails", "\u0024{HOME}") },
    line: "validate a.yaml",
    exitCode: 3,
    says: "HOME",
  },
  "a file above the repository": { files: { "../.incident.yaml": `baseUrl: ${evil}` }, exitCode: 5 },

  "an absolute folder of definitions": {
    ...project("definitions:\n  - /etc"),
    exitCode: 2,
    says: ".incident.yaml:2:5: error: this is not a folder below that of the file",
  },

  // Writes outside of the checkout.
  "a new definition through a link": {
    links: { "new.yaml": "../outside/written" },
    line: "new new.yaml",
    exitCode: 2,
    says: "already exists",
  },
  "a new definition in a folder that is a link out": {
    links: { incidents: "../outside" },
    line: "new incidents/new.yaml",
    exitCode: 2,
    says: "incidents/new.yaml leads out of the repository by a symbolic link",
  },
  "a new definition in a folder below a link out": {
    links: { incidents: "../outside/.." },
    line: "new incidents/outside/new.yaml",
    exitCode: 2,
    says: "leads out of the repository by a symbolic link",
  },

  // Writes to the terminal.
  "escape sequences in a project's field": { ...project('"\\e[2J": x'), exitCode: 2 },
  "escape sequences in a definition": {
    files: { "a.yaml": definition().replace("MAJOR", '"\\e[31mMAJOR"') },
    line: "validate a.yaml",
    exitCode: 3,
    says: "\\u{1b}[31mMAJOR",
  },
  "escape sequences in a declared name": {
    files: { "a.yaml": definition().replace("Checkout fails", '"\\e[2J\\u202egnp"') },
    line: "create -f a.yaml",
    exitCode: 3,
    says: "name has the control character U+001B",
  },
  "a change of direction in a declared name": {
    files: { "a.yaml": definition().replace("Checkout fails", '"\\u202egnp"') },
    line: "create -f a.yaml",
    exitCode: 0,
    says: "\\u{202e}gnp",
  },
  "escape sequences in a file's name": {
    files: { "a\u001b[2J.yaml": "severity: x\n" },
    line: "validate .",
    exitCode: 3,
    says: "a\\u{1b}[2J.yaml",
  },
  "escape sequences in the catalog": {
    ...project(`services:\n  a: { id: ${id}, name: "\\e[2J" }\n`),
    line: "services list",
    exitCode: 0,
    says: "\\u{1b}[2J",
  },
};

function checkOut({ files = {}, links = {} }: Attempt): World {
  const inside = Object.entries(files).map(([name, text]) => [join("checkout", name), text] as const);
  const world = createWorld({
    env: unset,
    files: {
      [config]: settings,
      "outside/secret": `${secret}\n`,
      "checkout/.git/HEAD": "",
      ...Object.fromEntries(inside),
    },
  });
  const checkout = join(world.folder, "checkout");
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(join(checkout, name, ".."), { recursive: true });
    symlinkSync(target, join(checkout, name));
  }
  return world;
}

describe("a hostile checkout", () => {
  it("is harmless with escape sequences in a project's profile", async () => {
    const files = {
      "checkout/.incident.yaml": 'profile: "\\e]0;pwned\\a\\e[2J"\n',
      [config]: settings.replace(/.*\n/, ""),
    };
    const { exitCode, screen } = await createWorld({ env: unset, files }).run("config show", {
      cwd: "checkout",
    });
    expect({ exitCode, screen }).toMatchObject({
      exitCode: 2,
      screen: expect.stringContaining("\\u{1b}]0;pwned"),
    });
  });

  it.each(Object.entries(attempts))("is harmless with %s", async (_, attempt) => {
    const world = checkOut(attempt);
    const { exitCode, requests, screen } = await world.run(attempt.line ?? get, { cwd: "checkout" });
    expect(exitCode).toBe(attempt.exitCode);
    expect(screen).toContain(attempt.says ?? "");

    // The key goes to its own service only.
    for (const { url, headers } of requests) {
      expect(url.startsWith(`${access.baseUrl}/`)).toBe(true);
      expect(headers.authorization).toBe(`Bearer ${access.apiKey}`);
    }
    // Nothing runs, and nothing outside is written, changed or shown.
    expect(existsSync(join(world.folder, "pwned"))).toBe(false);
    expect(readdirSync(join(world.folder, "outside"))).toEqual(["secret"]);
    expect(readFileSync(join(world.folder, config), "utf8")).toBe(settings);
    for (const hidden of [secret, access.apiKey, "other-key"]) expect(screen).not.toContain(hidden);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal
    expect(screen).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it.each(["validate checkout/a.yaml", "validate checkout", "validate own.yaml --vars checkout/vars.yaml"])(
    "shows no file outside of it from another working directory: %s",
    async (line) => {
      const world = checkOut({
        links: { "a.yaml": "../outside/secret", "vars.yaml": "../outside/secret" },
        exitCode: 2,
      });
      writeFileSync(join(world.folder, "own.yaml"), definition());
      const { exitCode, screen } = await world.run(line);
      expect(exitCode).toBe(2);
      expect(screen).toContain("leads out of the repository by a symbolic link");
      expect(screen).not.toContain(secret);
    },
  );

  it("may contain links inside of the repository", async () => {
    const world = checkOut({
      files: { "shared/a.yaml": definition() },
      links: { "a.yaml": "shared/a.yaml" },
      exitCode: 0,
    });
    expect((await world.run("validate a.yaml", { cwd: "checkout" })).exitCode).toBe(0);
  });
});
