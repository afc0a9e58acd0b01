// The command in a checkout, with the Node that runs the tests.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe("the checkout", () => {
  it("runs the command as npx incident", async () => {
    const args = ["--no", "--", "incident", "--version"];
    const result = await execa("npx", args, { cwd: root, reject: false });
    expect(result).toMatchObject({ exitCode: 0, stdout: version });
  });

  it("has a demo that declares, updates, resolves and reads back, with times of the machine's zone", async () => {
    const env = { TZ: "Asia/Kolkata" };
    const result = await execa("npm", ["run", "--silent", "demo"], { cwd: root, reject: false, env });
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toContain("Public API returns errors for all requests");
    const shown = result.stdout.slice(result.stdout.lastIndexOf("$ incident get "));
    expect(shown.match(/[✔○●] [A-Z]+ ·/g)).toEqual(["✔ RESOLVED ·", "○ MONITORING ·", "● INVESTIGATING ·"]);
    expect(result.stdout).toMatch(/INVESTIGATING.* \d{4}-\d\d-\d\d \d\d:\d\d \+05:30/);
  });
});
