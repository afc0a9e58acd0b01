// The built command starts. All that it does in processes of its own is in the slow tests beside this file.
import { readFileSync } from "node:fs";
import { execa } from "execa";
import { expect, it } from "vitest";
import { command, nodes } from "./program.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

it.each(nodes)("the built command on %s prints its version", async (node) => {
  const result = await execa(node, [command, "--version"], { reject: false, stdin: "ignore" });
  expect(result).toMatchObject({ exitCode: 0, stdout: version, stderr: "" });
});
