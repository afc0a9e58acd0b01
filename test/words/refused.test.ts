// The golden files of command lines that are refused, and that are answered without a request. They run in order in one
// world; `-u` writes the answers.
import { expect, it } from "vitest";
import { createWorld } from "../harness/incident.ts";
import { files, partsOf } from "./command-lines.ts";

it.each(["refused", "answered"])(
  "a command line that is %s sends nothing, and says what the golden file has",
  async (is) => {
    const golden = `../../fixtures/words/${is}.txt`;
    const { folder, run } = createWorld({ files });
    let text = "";
    for (const { command, cwd, line } of partsOf(`${is}.txt`)) {
      if (command === "") {
        text += `${text === "" ? "" : "\n"}${line}\n`;
        continue;
      }
      const { exitCode, requests, screen, stdout } = await run(command, { cwd });
      expect({ line, requests, isRefused: exitCode > 0 }).toEqual({
        line,
        requests: [],
        isRefused: is === "refused",
      });
      if (is === "refused") expect({ line, stdout }).toEqual({ line, stdout: "" });
      const said = screen.replaceAll(folder, "/folder").trimEnd();
      text += `${line}\n${said.replace(/^(?=.)/gm, "  ")}\n  [exit ${exitCode}]\n`;
    }
    await expect(text).toMatchFileSnapshot(golden);
  },
);
