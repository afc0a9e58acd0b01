// The golden files of command lines that are refused, and that only warn. They run in order in one world, with the files of
// fixtures/refused, in its folder `shop` or where the line goes first; `-u` writes the answers.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createWorld } from "../harness/incident.ts";

const fixtures = new URL("../../fixtures/", import.meta.url).pathname;
const folder = join(fixtures, "refused");
const files = Object.fromEntries(
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
);

it.each(["refused", "warned"])("a command line that is %s sends nothing, and says why", async (is) => {
  const golden = join(fixtures, `words/${is}.txt`);
  const { folder, run } = createWorld({ files });
  let text = "";
  for (const asked of readFileSync(golden, "utf8").matchAll(/^(?:#|\$) .*$/gm)) {
    const [line] = asked;
    const [, cwd = "shop", command = ""] = /^\$ (?:cd (\S+) && )?(.*)/.exec(line) ?? [];
    if (command === "") {
      text += `${text === "" ? "" : "\n"}${line}\n`;
      continue;
    }
    const { exitCode, requests, screen, stdout } = await run(command, { cwd });
    expect({ line, requests, isRefused: exitCode > 0 }).toMatchObject({
      requests: [],
      isRefused: is === "refused",
    });
    if (is === "refused") expect({ line, stdout }).toEqual({ line, stdout: "" });
    const said = screen.replaceAll(folder, "/folder").trimEnd();
    text += `${line}\n${said.replace(/^(?=.)/gm, "  ")}\n  [exit ${exitCode}]\n`;
  }
  await expect(text).toMatchFileSnapshot(golden);
});
