// The address of an incident in the web application: the setting, `incident open`, and every place that shows it.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId, terminal } from "../../harness/builders.ts";
import { access, createWorld, incident } from "../../harness/incident.ts";

const webUrl = "https://app.example.com/incidents/{id}/edit";
const link = `https://app.example.com/incidents/${incidentId}/edit`;
const env = { INCIDENT_CLI_WEB_URL: webUrl };

const files = { "one.yaml": definitionYaml({ id: incidentId }) };

describe("incident open", () => {
  it("prints the address alone, and opens it at a terminal only", async () => {
    const piped = await incident(`open ${incidentId}`, { env });
    expect(piped).toMatchObject({ exitCode: 0, stdout: `${link}\n`, stderr: "", screen: `${link}\n` });
    const opened = await incident(`open ${incidentId}`, { env, terminal });
    expect(opened.screen).toBe(`opened ${link}\n${link}\n`);
  });

  it.each([
    ["--no-input", `open ${incidentId} --no-input`, env],
    ["CI", `open ${incidentId}`, { ...env, CI: "true" }],
    ["-o json", `open ${incidentId} -o json`, env],
    ["an address without TLS", `open ${incidentId}`, { INCIDENT_CLI_WEB_URL: "http://localhost:80/{id}" }],
  ])("opens nothing with %s", async (_, line, variables) => {
    const { exitCode, screen } = await incident(line, { env: variables, terminal });
    expect(exitCode).toBe(0);
    expect(screen).not.toContain("opened");
  });

  it("uses the id of the service where it assigned another one", async () => {
    const world = createWorld({ env, files, sandbox: { clientIds: "ignore" } });
    const { stdout } = await world.run("create -f one.yaml -o id");
    const id = stdout.trim();
    expect(id).not.toBe(incidentId);
    expect((await world.run(`open ${incidentId}`)).stdout).toBe(
      `https://app.example.com/incidents/${id}/edit\n`,
    );
  });

  it.each([
    "https://app.example.com/incidents",
    "http://app.example.com/{id}",
    "javascript:alert({id})",
    "https://{id}.example.com/",
    "https://me:secret@example.com/{id}",
    "https://example.com/a b/{id}",
  ])("refuses %s, and no other command stops for it", async (value) => {
    const problem = "is no https:// address with {id} after its host";
    const world = createWorld({ env: { INCIDENT_CLI_WEB_URL: value }, files });
    const opened = await world.run(`open ${incidentId}`);
    expect(opened.exitCode).toBe(2);
    expect(opened.stderr.replaceAll("\n", " ")).toContain(problem);
    const created = await world.run("create -f one.yaml");
    expect(created.exitCode).toBe(0);
    expect(created.stdout).not.toContain("link");
    expect((await world.run("config show")).stderr.replaceAll("\n", " ")).toContain(problem);
  });
});

describe("the link", () => {
  it("stands in what people read, and not in the JSON of the service", async () => {
    const world = createWorld({ env, files });
    expect((await world.run("create -f one.yaml")).stdout).toContain(`link      ${link}\n`);
    expect((await world.run(`get ${incidentId}`)).stdout).toContain(link);
    expect((await world.run(`get ${incidentId} -o markdown`)).stdout).toContain(`- **Link:** <${link}>\n`);
    expect((await world.run(`get ${incidentId} -o json`)).stdout).not.toContain("app.example.com");
    expect((await world.run("gate")).stdout).toContain(link);
  });

  it("stands in the summary of a pipeline", async () => {
    const world = createWorld({ env, files });
    const applied = await world.run("apply -f one.yaml -o json --yes");
    expect(JSON.parse(applied.stdout).results[0].link).toBe(link);
  });

  it("belongs to the service of its profile", async () => {
    const config = `profiles:\n  a: { baseUrl: "${access.baseUrl}", accountId: none, apiKey: ${access.apiKey}, webUrl: "https://a.example.com/{id}" }\n  b: { baseUrl: "https://b.example.com", accountId: none, apiKey: ${access.apiKey} }\n`;
    const world = createWorld({ env, files: { "home/.config/incident-cli/config.yaml": config } });
    expect((await world.run(`open ${incidentId} --profile a`)).stdout).toBe(
      `https://a.example.com/${incidentId}\n`,
    );
    expect((await world.run(`open ${incidentId} --profile b`)).exitCode).toBe(2);
  });
});
