// The texts of a question come from files and from the service: the terminal gets them escaped.
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import type { PromptSession } from "../../../src/platform/terminal/prompts.ts";
import { createPrompts, createScreen } from "../../../src/platform/terminal/prompts.ts";

const hostile = "a\u202eb";

async function shownBy(ask: (session: PromptSession) => Promise<unknown>): Promise<string> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let shown = "";
  output.on("data", (chunk) => (shown += chunk));
  const { signal } = new AbortController();
  const terminal = { input, output, signal, color: false, hint: "" };
  const answered = ask(createPrompts(terminal as unknown as Parameters<typeof createPrompts>[0]));
  await expect.poll(() => shown.includes("a")).toBe(true);
  input.write("\t\r");
  await answered;
  return shown;
}

const choices = [{ value: "x", label: hostile, explanation: hostile }];

it.each<[string, (session: PromptSession) => Promise<unknown>]>([
  ["text", ({ text }) => text({ message: hostile, fallback: hostile, check: () => undefined })],
  ["choose", ({ choose }) => choose({ message: hostile, choices })],
  ["chooseSeveral", ({ chooseSeveral }) => chooseSeveral({ message: hostile, choices })],
])("%s shows no hidden character", async (_, ask) => {
  const shown = await shownBy(ask);
  expect(shown).toContain("a\\u{202e}b");
  expect(shown).not.toContain("\u202e");
});

it.each([
  ["1 items selected", "1 item selected"],
  ["11 items selected", "11 items selected"],
])("shows %j as %j", (text, expected) => {
  const output = new PassThrough();
  createScreen(output as unknown as NodeJS.WriteStream, true).write(text);
  expect(String(output.read())).toBe(expected);
});
