import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { incident } from "../../harness/incident.ts";

const text = readFileSync(new URL("../../../fixtures/api-outage.yaml", import.meta.url), "utf8");
const another = text
  .replace("Public API returns", "<Another> API returns")
  .replace(/^id: .*/m, "id: 7c9e6679-7425-40de-944b-e07fc1f90ae7");
const files = { "a.yaml": text, "b.yaml": another };

describe("incident preview", () => {
  it("draws the page of the definitions, and sends nothing", async () => {
    const { exitCode, stdout, stderr, requests } = await incident("preview -f a.yaml -f b.yaml", {
      files,
      env: { INCIDENT_CLI_API_KEY: "" },
    });
    expect({ exitCode, stderr, requests }).toEqual({ exitCode: 0, stderr: "", requests: [] });
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).toContain("nothing has been declared, and no subscriber has been notified.");
    // The definitions notify, and the preview claims nothing.
    expect(stdout).toContain("Notifies subscribers");
    expect(stdout).not.toContain("Subscribers notified");
    expect(stdout).toContain("<title>2 open incidents · Status</title>");
    expect(stdout).toContain("Public API returns errors for all requests");
    expect(stdout).toContain("&lt;Another&gt; API returns");
    expect(stdout).not.toContain("<script");
  });

  it("shows the text of a resolved incident without a click", async () => {
    const resolved = text.replace(/status: \w+/g, "status: RESOLVED");
    const { stdout } = await incident("preview a.yaml", { files: { "a.yaml": resolved } });
    expect(stdout).toContain('<h1 id="summary">Everything is running</h1>');
    expect(stdout.match(/<details [^>]*>/g)).toEqual([expect.stringMatching(/ open>$/)]);
  });

  it("opens the page in the browser, or names it where that fails", async () => {
    const opened = await incident("preview -f a.yaml --open", { files });
    expect(opened.screen).toMatch(/opened file:\/\/\/.*status\.html/);
    expect(opened.exitCode).toBe(0);
    const failed = await incident("preview -f a.yaml --open", {
      files,
      browser: "no browser",
    });
    expect(failed.exitCode).toBe(2);
    expect(failed.stderr).toMatch(
      /no browser could be opened: no browser\n {2}next: open .*status\.html yourself/,
    );
  });

  it.each([
    ["preview", 2, "there is nothing to show"],
    ["preview -f nowhere.yaml", 2, "nowhere.yaml does not exist"],
    ["preview -f wrong.yaml", 3, "[unknown-severity]"],
  ])("%s ends with %i", async (line, exitCode, message) => {
    const result = await incident(line, {
      files: { ...files, "wrong.yaml": text.replace("CRITICAL", "CRITICL") },
    });
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: "" });
    expect(result.stderr).toContain(message);
  });
});
