// Completion in the real shells, with the Tab key.
import { describe, expect, it } from "vitest";
import { isMissing } from "../harness/programs.ts";
import { type Terminal, withTerminal } from "./tmux.ts";

const service = (name: string) => `  ${name}: { name: ${name}, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }\n`;

const files = {
  ".incident.yaml": `services:\n${["checkout", "check-in", "payments"].map(service).join("")}`,
  "outage.yaml": "",
};

/** The script that starts each shell with the completion and with no other configuration. */
const starts = {
  bash: `printf 'PS1="> "\\nsource <(incident completion bash)\\n' > rc; bash --noprofile --rcfile rc`,
  zsh: `printf 'PS1="> "\\nfpath=($PWD $fpath)\\nautoload -U compinit; compinit -u -D\\n' > .zshrc; incident completion zsh > _incident; zsh`,
  fish: `mkdir -p .config/fish/completions; incident completion fish > .config/fish/completions/incident.fish
printf 'function fish_prompt; echo "> "; end; set fish_greeting\\n' > .config/fish/config.fish; fish`,
} as const;

async function withShell(
  shell: keyof typeof starts,
  use: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  await withTerminal(starts[shell], { files, columns: 120 }, async (terminal) => {
    await terminal.see(/^> ?$/m);
    await use(terminal);
  });
}

describe.each(Object.keys(starts) as (keyof typeof starts)[])("completion in %s", (shell) => {
  const isSkipped = isMissing("tmux", ...(shell === "bash" ? [] : [shell]));

  it.skipIf(isSkipped).each([
    ["a command", "incident val", /> incident validate\b/],
    ["a flag", "incident get --wait-t", /> incident get --wait-timeout\b/],
    ["a value", "incident create --severity crit", /> incident create --severity critical\b/],
    ["a service of the catalog", "incident create --service pay", /> incident create --service payments\b/],
    ["a file", "incident create -f out", /> incident create -f outage\.yaml\b/],
    ["a command after help", "incident help val", /> incident help validate\b/],
    ["a command of a group", "incident journal set", /> incident journal settle\b/],
  ])("completes %s", async (_, typed, completed) => {
    await withShell(shell, async ({ press, see, type }) => {
      await type(typed);
      await press("Tab");
      expect(await see(completed)).not.toContain("rror");
    });
  });

  it.skipIf(isSkipped)("lists the choices", async () => {
    await withShell(shell, async ({ press, see, type }) => {
      await type("incident create --service check");
      await press("Tab", "Tab");
      await see(/check-in\s.*checkout|checkout\s.*check-in/s);
    });
  });
});
