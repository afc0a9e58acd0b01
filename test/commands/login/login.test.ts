// `incident login` and `logout`: the questions, the verification and the settings file.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { answer, config, terminal, unset } from "../../harness/builders.ts";
import { access, createWorld, type Setup } from "../../harness/incident.ts";

const service = { INCIDENT_CLI_BASE_URL: access.baseUrl, INCIDENT_CLI_ACCOUNT_ID: access.accountId };
const nilId = "00000000-0000-0000-0000-000000000000";

function worldWith(setup: Setup = {}) {
  const world = createWorld({ ...setup, env: { ...unset, ...setup.env } });
  const file = join(world.folder, config);
  return { ...world, file, text: () => readFileSync(file, "utf8") };
}

const piped = { stdin: `${access.apiKey}\n` };

/** A web server that is not the service. */
const elsewhere: Setup["transport"] = async () =>
  answer("<h1>Not here</h1>", 404, { "content-type": "text/html" });

/** A service that knows the account by a header of its own, which its document names. */
const ownHeader: Setup["transport"] = async ({ headers, url }) => {
  if (new URL(url).pathname === "/openapi.json") {
    const parameters = [{ name: "X-Acme-Account", in: "header", required: true, schema: { type: "string" } }];
    return answer({ openapi: "3.0.3", paths: { "/v1/status-pages/incidents": { post: { parameters } } } });
  }
  if (headers["x-acme-account"] === undefined)
    return answer({ statusCode: 401, error: "Unauthorized", message: "account header missing" }, 401);
  const isKnown = headers.authorization === `Bearer ${access.apiKey}`;
  return isKnown
    ? answer({ statusCode: 404, error: "Not Found" }, 404)
    : answer({ statusCode: 401, error: "Unauthorized" }, 401);
};

/** A service that answers an unknown path in its own error shape, before it looks at the key. */
const notFound: Setup["transport"] = async () =>
  answer({ statusCode: 404, error: "Not Found", message: "Not Found" }, 404);

describe("login", () => {
  it("finds the header of the account in the service's document, or stores the one of the environment", async () => {
    const world = worldWith({ env: service, transport: ownHeader });
    expect((await world.run("login --api-key-stdin", piped)).exitCode).toBe(0);
    expect(world.text()).not.toContain("accountHeader");
    const env = { ...service, INCIDENT_CLI_ACCOUNT_HEADER: "X-Acme-Account" };
    const named = worldWith({ env, transport: ownHeader });
    const { exitCode, requests } = await named.run("login --api-key-stdin", piped);
    expect([exitCode, requests.length]).toEqual([0, 2]);
    expect(named.text()).toContain("accountHeader: X-Acme-Account");
  });

  it("stores the verified settings with a mode for this user only, and leaves no temporary file", async () => {
    const world = worldWith({ env: service });
    const { exitCode, screen, requests } = await world.run("login --api-key-stdin", piped);
    expect(exitCode).toBe(0);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${access.baseUrl}/openapi.json`,
      `GET ${access.baseUrl}/v1/status-pages/incidents/${nilId}`,
      `GET ${access.baseUrl}/v1/status-pages/incidents/${nilId}`,
    ]);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${access.apiKey}`,
      `Bearer ${access.apiKey}`,
      "Bearer made-up-00000000-0000-4000-8000-000000000001",
    ]);
    expect(world.text()).toBe(
      `defaultProfile: default\nprofiles:\n  default:\n    baseUrl: ${access.baseUrl}\n    apiKey: ${access.apiKey}\n    accountId: ${access.accountId}\n`,
    );
    expect(statSync(world.file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(world.file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(world.file))).toEqual(["config.yaml"]);
    expect(screen).not.toContain(access.apiKey);
    expect((await world.run(`get ${nilId}`)).requests).toHaveLength(1);
  });

  it("asks for each setting, with the existing value as the default", async () => {
    const world = worldWith();
    const first = await world.run("login", {
      terminal,
      answers: [access.baseUrl, access.accountId, access.apiKey, "https://app.example.com/{id}"],
    });
    expect(first.screen.match(/^\? .*$/gm)).toEqual([
      "? Base URL",
      "? Account (a GUID, or none)",
      "? API key (not shown)",
      "? Page of an incident in the web application, with {id} (empty: no links)",
    ]);
    expect(world.text()).toContain("webUrl: https://app.example.com/{id}\n");
    const again = await world.run("login", { terminal, answers: ["", "", access.apiKey, ""] });
    expect(again.screen).toContain("(empty: no links) [https://app.example.com/{id}]\n");
    expect(again.exitCode).toBe(0);
    expect(again.screen).toContain(`? Base URL [${access.baseUrl}]\n`);
  });

  it("explains each wrong answer and asks for it again, in place", async () => {
    const world = worldWith({ sandbox: { onlySpec: false } });
    const { exitCode, screen } = await world.run("login", {
      terminal,
      answers: [
        ...["api.example.com", `${access.baseUrl}/v1`, access.baseUrl],
        ...["checkout", access.accountId],
        ...["", access.apiKey],
        ...["https://app.example.com", ""],
      ],
    });
    expect(exitCode).toBe(0);
    expect(screen).toBe(`? Base URL
> api.example.com
! the base URL from your answer is not a URL; write it with its scheme, such as https://api.example.com
? Base URL
> ${access.baseUrl}/v1
! the base URL from your answer ends with /v1, and every path begins with /v1; write it without that: ${access.baseUrl}
? Base URL
> ${access.baseUrl}
? Account (a GUID, or none)
> checkout
! the account from your answer is not a GUID; copy the account's identifier from the web application, or write none to send no account header
? Account (a GUID, or none)
> ${access.accountId}
? API key (not shown)
>${" "}
! the API key from your answer is empty; copy the key again, alone: without quotes, Bearer or a line end
? API key (not shown)
> ${access.apiKey}
? Page of an incident in the web application, with {id} (empty: no links)
> https://app.example.com
! the address of the web application from your answer is no https:// address with {id} after its host; write it as https://app.example.com/incidents/{id}, as your browser shows it for an incident
? Page of an incident in the web application, with {id} (empty: no links)
>${" "}
trying the key at ${access.baseUrl}
the key works; stored as profile default in ${world.file} (the default)
`);
  });

  it.each([
    [access.baseUrl, notFound, `error: ${access.baseUrl} answers a made-up key in the same way as yours`],
    [`${access.baseUrl}/v2`, undefined, "ends with /v2, and every path begins with /v1"],
  ])("refuses the same without a terminal: %s", async (baseUrl, transport, text) => {
    const world = worldWith({
      env: { ...service, INCIDENT_CLI_BASE_URL: baseUrl },
      ...(transport && { transport }),
    });
    const { exitCode, stderr } = await world.run("login --api-key-stdin", piped);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(text);
    expect(existsSync(world.file)).toBe(false);
  });

  it("keeps the comments, the other profiles and the default, and replaces another kind of key", async () => {
    const world = worldWith({
      env: service,
      files: {
        [config]: `# mine
defaultProfile: one
profiles:
  one: { baseUrl: https://one.example, accountId: none, apiKeyCommand: [pass, one] } # first
  # second
  two:
    baseUrl: ${access.baseUrl} # here
    apiKeyFile: ~/key
    accountHeader: X-Service-Account
    webUrl: https://app.example/{id}
`,
      },
    });
    expect((await world.run("login --profile two --api-key-stdin", piped)).exitCode).toBe(0);
    expect(world.text()).toBe(`# mine
defaultProfile: one
profiles:
  one: {baseUrl: https://one.example, accountId: none, apiKeyCommand: [pass, one]} # first
  # second
  two:
    baseUrl: ${access.baseUrl} # here
    accountHeader: X-Service-Account
    webUrl: https://app.example/{id}
    apiKey: ${access.apiKey}
    accountId: ${access.accountId}
`);
  });

  it("keeps the settings of the same service, however its address is spelled", async () => {
    const baseUrl = access.baseUrl.toUpperCase();
    const kept = `profiles: { default: { baseUrl: ${baseUrl}, accountHeader: x-own, apiKey: kept-key } }\n`;
    const world = worldWith({ env: service, files: { [config]: kept } });
    chmodSync(world.file, 0o600);
    expect((await world.run("login --api-key-stdin", piped)).exitCode).toBe(0);
    expect(world.text()).toContain("accountHeader: x-own");
  });

  it("drops the settings of the previous service", async () => {
    const world = worldWith({
      env: service,
      files: { [config]: "profiles: { default: { baseUrl: https://old.example, accountHeader: x-old } }\n" },
    });
    await world.run("login --api-key-stdin", piped);
    expect(world.text()).not.toContain("accountHeader");
  });

  it("replaces the key of another service only with a confirmation", async () => {
    const kept =
      "profiles: { default: { baseUrl: https://old.example, accountId: none, apiKey: kept-key } }\n";
    const world = worldWith({ env: service, files: { [config]: kept } });
    chmodSync(world.file, 0o600);
    const refused = await world.run("login --api-key-stdin", piped);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("Replace https://old.example and its key in the profile default?");
    expect(refused.stderr).toContain("    # confirm it\n    incident login --api-key-stdin --yes\n");
    expect(world.text()).toBe(kept);
    expect((await world.run("login --api-key-stdin --profile new", piped)).exitCode).toBe(0);
    expect(world.text()).toContain("kept-key");
    expect((await world.run("login --api-key-stdin --profile default --yes", piped)).exitCode).toBe(0);
    expect(world.text()).not.toContain("kept-key");
  });

  it.each(["login --api-key-stdin", "logout"])("changes no profile in a rehearsal: %s", async (line) => {
    const kept =
      "profiles: { default: { baseUrl: https://real.example, accountId: none, apiKey: kept-key } }\n";
    const env = { ...service, INCIDENT_CLI_SANDBOX: access.baseUrl };
    const world = worldWith({ env, files: { [config]: kept } });
    chmodSync(world.file, 0o600);
    const { exitCode, stderr } = await world.run(line, piped);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("this runs inside a sandbox");
    expect(world.text()).toBe(kept);
  });

  it("quotes a key that YAML would read as another type", async () => {
    const key = "12345678901234567890";
    const world = worldWith({ env: service, sandbox: { apiKey: key } });
    await world.run("login --api-key-stdin", { stdin: key });
    expect((await world.run(`get ${nilId}`)).requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it("writes through a symbolic link", async () => {
    const world = worldWith({ env: service, files: { "home/kept.yaml": "# kept\n" } });
    mkdirSync(dirname(world.file), { recursive: true });
    symlinkSync(join(world.folder, "home/kept.yaml"), world.file);
    await world.run("login --api-key-stdin", piped);
    expect(lstatSync(world.file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(world.folder, "home/kept.yaml"), "utf8")).toContain("# kept");
  });

  it.each<[string, Setup, number, string]>([
    ["the key is wrong", { stdin: "wrong-key-0123456789" }, 4, "the key was refused (401: Bad Token)"],
    ["the account is wrong", { ...piped, env: { INCIDENT_CLI_ACCOUNT_ID: nilId } }, 4, "403"],
    ["the base URL is wrong", { ...piped, transport: elsewhere }, 7, "not as the service does"],
    ["the service fails", { ...piped, faults: ["get:503"] }, 7, "the service failed (503"],
    ["the key has a line break", { stdin: "one\ntwo\n" }, 4, "line break"],
  ])("stores nothing when %s", async (_, setup, exitCode, message) => {
    const world = worldWith({ ...setup, env: { ...service, ...setup.env } });
    const result = await world.run("login --api-key-stdin");
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(message);
    expect(existsSync(world.file)).toBe(false);
  });

  it("stores nothing when the person cancels", async () => {
    const world = worldWith();
    const { exitCode } = await world.run("login", { terminal, answers: [access.baseUrl] });
    expect(exitCode).toBe(130);
    expect(existsSync(world.file)).toBe(false);
  });

  it("leaves the file unchanged when a write fails", async () => {
    const text = "profiles: {}\n";
    const world = worldWith({ env: service, files: { [config]: text } });
    const { exitCode, stderr } = await world.run("login --api-key-stdin", {
      ...piped,
      wrapFiles: (files) => ({
        ...files,
        renameSync: () => {
          throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
        },
      }),
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("could not be written (ENOSPC)");
    expect(world.text()).toBe(text);
    expect(readdirSync(dirname(world.file))).toEqual(["config.yaml"]);
  });

  it("restricts the mode of a file that gets its first key", async () => {
    const world = worldWith({ env: service, files: { [config]: "# open\nprofiles: {}\n" } });
    chmodSync(world.file, 0o644);
    await world.run("login --api-key-stdin", piped);
    expect(statSync(world.file).mode & 0o777).toBe(0o600);
    expect(world.text()).toContain("# open");
  });

  it("does not change a file that it cannot read", async () => {
    const world = worldWith({ env: service, files: { [config]: "profiles: [\n" } });
    expect((await world.run("login --api-key-stdin", piped)).exitCode).toBe(2);
    expect(world.text()).toBe("profiles: [\n");
  });
});

describe("logout", () => {
  const stored = `profiles:
  a:
    baseUrl: ${access.baseUrl} # stays
    accountId: none
    apiKey: ${access.apiKey}
  b: { apiKeyFile: ~/key }
`;

  it("removes the key and keeps the rest", async () => {
    const world = worldWith({ files: { [config]: stored } });
    const { exitCode, stdout } = await world.run("logout --profile a");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("removed the key of profile a");
    expect(world.text()).not.toContain("apiKey:");
    expect(world.text()).toContain(`baseUrl: ${access.baseUrl} # stays`);
    expect(statSync(world.file).mode & 0o777).toBe(0o600);
  });

  it("names the source of a key that is not stored", async () => {
    const world = worldWith({ files: { [config]: stored } });
    const { exitCode, stdout } = await world.run("logout --profile b");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("profile b holds no key; it is fetched as");
    expect(world.text()).toBe(stored);
  });

  it("says that a profile is missing", async () => {
    const { exitCode, stderr } = await worldWith({ files: { [config]: stored } }).run("logout");
    expect(exitCode).toBe(2);
    expect(stderr).toContain('there is no profile "default"');
  });
});

it("stores nothing in a file that others can write", async () => {
  const world = worldWith({ env: service });
  mkdirSync(dirname(world.file), { recursive: true });
  writeFileSync(world.file, "profiles: {}\n");
  chmodSync(world.file, 0o622);
  const { exitCode, stderr } = await world.run("login --api-key-stdin", piped);
  expect(exitCode).toBe(4);
  expect(stderr).toContain(`chmod 600 ${world.file}`);
});
