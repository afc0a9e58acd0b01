import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorld, incident } from "../../harness/incident.ts";

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

  it("writes the page to a file", async () => {
    const world = createWorld({ files });
    const printed = await world.run("preview -f a.yaml");
    const written = await world.run("preview -f a.yaml --out page.html");
    expect({ exitCode: written.exitCode, stdout: written.stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(written.stderr).toBe(`wrote ${join(world.folder, "page.html")}\n`);
    expect(readFileSync(join(world.folder, "page.html"), "utf8")).toBe(printed.stdout);
  });

  it("replaces a page that it wrote, and no other file without --force", async () => {
    const world = createWorld({ files: { ...files, "notes.html": "<p>mine" } });
    const read = () => readFileSync(join(world.folder, "notes.html"), "utf8");
    const refused = await world.run("preview -f a.yaml --out notes.html");
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toBe(
      "error: notes.html already exists, and incident preview did not write it\n" +
        "  next: the file is unchanged: name another file, or replace it with --force\n",
    );
    expect(read()).toBe("<p>mine");
    expect((await world.run("preview -f a.yaml --out notes.html --force")).exitCode).toBe(0);
    expect((await world.run("preview -f b.yaml --out notes.html")).exitCode).toBe(0);
    expect(read()).toContain("&lt;Another&gt; API returns");
  });

  it("writes to no FIFO and to no device", async () => {
    const world = createWorld({ files });
    execFileSync("mkfifo", [join(world.folder, "fifo")]);
    for (const name of ["fifo", "/dev/null"]) {
      const { exitCode, stderr } = await world.run(`preview -f a.yaml --out ${name}`);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`${name} is not a regular file`);
    }
  });

  it("opens the page in the browser, or names it where that fails", async () => {
    const opened = await incident("preview -f a.yaml --open", { files });
    expect(opened.screen).toMatch(/opened file:\/\/\/.*status\.html/);
    expect(opened.exitCode).toBe(0);
    const failed = await incident("preview -f a.yaml --out page.html --open", {
      files,
      browser: "no browser",
    });
    expect(failed.exitCode).toBe(2);
    expect(failed.stderr).toMatch(
      /no browser could be opened: no browser\n {2}next: open .*page\.html yourself/,
    );
  });

  it.each([
    ["preview", 2, "there is nothing to show"],
    ["preview -f nowhere.yaml", 2, "nowhere.yaml does not exist"],
    ["preview -f wrong.yaml", 3, "[unknown-severity]"],
    ["preview -f a.yaml --out no/such/page.html", 2, "no/such/page.html could not be written (ENOENT)"],
  ])("%s ends with %i", async (line, exitCode, message) => {
    const result = await incident(line, {
      files: { ...files, "wrong.yaml": text.replace("CRITICAL", "CRITICL") },
    });
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: "" });
    expect(result.stderr).toContain(message);
  });
});
