// `incident login` in a terminal: the typed key never appears.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { expect, it } from "vitest";
import { serveSandbox } from "../../src/sandbox/server.ts";
import { shellCommand } from "../built/program.ts";
import { access } from "../harness/builders.ts";
import { createWorld, temporaryFolder } from "../harness/incident.ts";
import { isMissing } from "../harness/programs.ts";
import { withTerminal } from "./tmux.ts";

it.skipIf(isMissing("tmux"))("asks again in place, and shows no pasted key", async () => {
  const server = await serveSandbox(createWorld().sandbox);
  try {
    await withTerminal("incident login", { columns: 200 }, async ({ see, type, press, paste, screen }) => {
      await see("Base URL");
      await type(`${server.url}/v1`);
      await press("Enter");
      await see("every path begins with /v1");
      await press("C-u");
      await type(server.url);
      await press("Enter");
      await see("Account (a GUID, or none)");
      await type(access.accountId);
      await press("Enter");
      await see("API key (not shown)");
      await paste("wrong-key\nsecond-line\nthird-line\n");
      await press("Enter");
      await see("has a quote, a space, a line break");
      await paste(`${access.apiKey}\n`);
      await press("Enter");
      await see("(empty: no links)");
      await press("Enter");
      await see("[exit 0]");
      const shown = await screen();
      expect(shown).toContain("the key works; stored as profile default");
      for (const secret of ["wrong-key", "second-line", "third-line", access.apiKey]) {
        expect(shown).not.toContain(secret);
      }
    });
  } finally {
    await server.close();
  }
});

it("ends a long wait in a terminal without a size, as `script` makes one", async () => {
  const list = `script -qec "${shellCommand} list" /dev/null`;
  const line = `${shellCommand} sandbox --fault any:slow=2s -- ${list}`;
  const { exitCode, stdout } = await execa("sh", ["-c", line], {
    env: { HOME: temporaryFolder(), CI: "", NODE_OPTIONS: "", FORCE_COLOR: undefined },
    reject: false,
    stdin: "ignore",
    timeout: 250_000,
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("the service has no incidents");
});

/** Answers each prompt when it appears. Returns everything that the terminal showed. */
async function typeInto(home: string, answers: readonly (readonly [prompt: string, text: string])[]) {
  const line = `${shellCommand} login`;
  // `script` of util-linux runs a command in a terminal.
  const env = { HOME: home, XDG_CONFIG_HOME: "", CI: "", NODE_OPTIONS: "", FORCE_COLOR: undefined };
  const child = execa("script", ["-qec", line, "/dev/null"], { env, reject: false });
  const waiting = [...answers];
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk;
    const next = waiting[0];
    if (next === undefined || !shown.includes(next[0])) return;
    waiting.shift();
    // A prompt leaves out the keys that came before it listens.
    setTimeout(() => child.stdin.write(next[1]), 2000);
  });
  const { exitCode } = await child;
  return { exitCode, shown };
}

it("hides the key, and stores nothing after Ctrl-C", async () => {
  const server = await serveSandbox(createWorld().sandbox);
  try {
    const home = temporaryFolder();
    const config = join(home, ".config/incident-cli/config.yaml");
    const before = [
      ["Base URL", `${server.url}\r`],
      ["Account", `${access.accountId}\r`],
    ] as const;
    const left = await typeInto(home, [...before, ["API key", "half-a-key\x03"]]);
    expect(left.exitCode).toBe(130);
    expect(left.shown).not.toContain("half-a-key");
    for (const key of ["\x03", "\x04"]) {
      const { exitCode, shown } = await typeInto(home, [["Base URL", key]]);
      expect(exitCode).toBe(130);
      expect(stripVTControlCharacters(shown).replaceAll("\r", "")).toContain(
        "error: cancelled by Ctrl-C\n  next: nothing was stored\n",
      );
    }
    expect(existsSync(config)).toBe(false);
  } finally {
    await server.close();
  }
});
