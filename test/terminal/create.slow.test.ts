// The interactive create in a real terminal, with typed keys.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serviceYaml } from "../harness/builders.ts";
import { isMissing } from "../harness/programs.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { draftIn, type Terminal, withTerminal } from "./tmux.ts";

const files = {
  ".incident.yaml": `services:
  checkout: ${serviceYaml}
  payments: { name: Payments, id: 4f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
  search: { name: 検索, id: 5f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
`,
};

const screens = new URL("../../fixtures/transcripts/screens/", import.meta.url);

/** Each question, and the keys that answer it. */
const steps: readonly (readonly [question: string, answer: (terminal: Terminal) => Promise<void>])[] = [
  ["What is wrong?", (terminal) => typeLine(terminal, "Checkout fails for some customers")],
  ["How bad is it?", ({ press }) => press("Up", "Up", "Enter")],
  [
    "Which services are affected?",
    async ({ press, type }) => {
      await type(" pay");
      await press("Tab", "Enter");
    },
  ],
  ["What is the status?", ({ press }) => press("Enter")],
  ["What should customers read?", (terminal) => typeLine(terminal, "We are looking into failed payments.")],
  ["Notify the subscribers of Payments?", ({ press }) => press("Enter")],
];

async function typeLine({ press, type }: Terminal, text: string): Promise<void> {
  await type(text);
  await press("Enter");
}

/** Waits for each of the first `count` questions, and answers it. */
async function answer(terminal: Terminal, count: number): Promise<void> {
  for (const [question, give] of steps.slice(0, count)) {
    await terminal.see(question);
    await give(terminal);
  }
}

/** The screen with a fixed host, and without trailing spaces. */
function golden(screen: string): string {
  return `${screen.replace(/127\.0\.0\.1:\d+/g, "api.example.com").replace(/ +$/gm, "")}\n`;
}

describe.skipIf(isMissing("tmux"))("incident create in a terminal", () => {
  it("takes a few keys from the first question to the declared incident", async () => {
    await withSandbox(async (env) => {
      await withTerminal("incident create", { env, files, rows: 40 }, async (terminal) => {
        await answer(terminal, 2);
        await terminal.see("Search:");
        await expect(golden(await terminal.screen())).toMatchFileSnapshot(
          new URL("services.txt", screens).pathname,
        );
        for (const [question, give] of steps.slice(2)) {
          await terminal.see(question);
          await give(terminal);
        }
        const last = await terminal.see(/Declare "Checkout fails[^"]*" at/);
        await expect(golden(last)).toMatchFileSnapshot(new URL("create.txt", screens).pathname);
        await typeLine(terminal, "y");
        const end = await terminal.see("[exit 0]");
        expect(end).toMatch(/declared [0-9a-f-]{36} {2}Checkout fails for some customers/);
        expect(draftIn(env)).toBeUndefined();
      });
    });
  });

  it("ends with 130 at Ctrl-D in the first question, and at Ctrl-C in the last, and keeps the answers", async () => {
    await withSandbox(async (env) => {
      for (const count of [0, steps.length]) {
        rmSync(join(env.INCIDENT_CLI_STATE_DIR ?? "", "draft.yaml"), { force: true });
        await withTerminal("incident create", { env, files, rows: 40 }, async (terminal) => {
          await answer(terminal, count);
          await terminal.see(steps[count]?.[0] ?? /Declare "Checkout fails[^"]*" at/);
          await terminal.press(count === 0 ? "C-d" : "C-c");
          const end = await terminal.see("[exit 130]");
          expect(end).toContain("cancelled by Ctrl-C");
          expect(end).not.toContain("declared ");
          expect(draftIn(env)?.includes("Checkout fails")).toBe(count === 0 ? undefined : true);
        });
      }
    });
  });

  it("is not cancelled by Escape or stopped by Ctrl-Z, and fits a narrow terminal", async () => {
    await withSandbox(async (env) => {
      await withTerminal("incident create", { env, files, columns: 40, rows: 60 }, async (terminal) => {
        await terminal.see("What is wrong?");
        await terminal.press("Escape");
        await terminal.press("C-z");
        await typeLine(terminal, "Checkout fails for some customers who pay by card in Europe");
        await terminal.see("How bad is it?");
        await terminal.press("Escape", "Enter");
        for (const [question, give] of steps.slice(2)) {
          await terminal.see(question.split(" ").slice(0, 3).join(" "));
          await give(terminal);
        }
        await terminal.see("[y/N]");
        await typeLine(terminal, "y");
        expect(await terminal.see("[exit 0]")).toContain("severity  ▽ MINOR");
      });
    });
  });
});
