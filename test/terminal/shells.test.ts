// Completion in the real shells, with the Tab key.
import { describe, expect, it } from "vitest";
import { type Terminal, withTerminal } from "./tmux.ts";

const files = {
  ".incident.yaml": "services:\n  checkout: {}\n  check-in: {}\n  payments: {}\n",
  "outage.yaml": "",
};

/** How each shell is started with the completion, and nothing else of anybody's. */
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
  it.each([
    ["a command", "incident val", /> incident validate\b/],
    ["a flag", "incident get --wait-t", /> incident get --wait-timeout\b/],
    ["a value", "incident create --severity crit", /> incident create --severity critical\b/],
    ["a service of the catalog", "incident create --service pay", /> incident create --service payments\b/],
    ["a file", "incident create -f out", /> incident create -f outage\.yaml\b/],
    ["a command of a group", "incident journal set", /> incident journal settle\b/],
  ])("completes %s", async (_, typed, completed) => {
    await withShell(shell, async ({ press, see, type }) => {
      await type(typed);
      await press("Tab");
      expect(await see(completed)).not.toContain("rror");
    });
  });

  it("lists what there is to choose from", async () => {
    await withShell(shell, async ({ press, see, type }) => {
      await type("incident create --service check");
      await press("Tab", "Tab");
      await see(/check-in\s.*checkout|checkout\s.*check-in/s);
    });
  });
});
