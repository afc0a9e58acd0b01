// Completion in the real shells, with the Tab key.
import { describe, expect, it } from "vitest";
import { isMissing } from "../harness/programs.ts";
import { withTerminal } from "./tmux.ts";

const files = { "outage.yaml": "" };

/** The script that starts each shell with the completion and with no other configuration. */
const starts = {
  bash: `printf 'PS1="> "\\nsource <(incident completion bash)\\n' > rc; bash --noprofile --rcfile rc`,
  zsh: `printf 'PS1="> "\\nfpath=($PWD $fpath)\\nautoload -U compinit; compinit -u -D\\n' > .zshrc; incident completion zsh > _incident; zsh`,
  fish: `mkdir -p .config/fish/completions; incident completion fish > .config/fish/completions/incident.fish
printf 'function fish_prompt; echo "> "; end; set fish_greeting\\n' > .config/fish/config.fish; fish`,
} as const;

/** What is typed before Tab, and the line after it. test/cli/completion.test.ts has the values of each place. */
const completions: readonly (readonly [typed: string, completed: RegExp])[] = [
  ["incident val", /> incident validate\b/],
  ["incident get --wait-t", /> incident get --wait-timeout\b/],
  ["incident create --severity crit", /> incident create --severity critical\b/],
  ["incident list --severity=cr", /> incident list --severity=critical\b/],
  ["incident create -f out", /> incident create -f outage\.yaml\b/],
  ["incident journal set", /> incident journal settle\b/],
];

describe.each(Object.keys(starts) as (keyof typeof starts)[])("completion in %s", (shell) => {
  const isSkipped = isMissing("tmux", ...(shell === "bash" ? [] : [shell]));

  it.skipIf(isSkipped)("completes commands, flags, values and files, and lists the choices", async () => {
    await withTerminal(starts[shell], { files, columns: 120 }, async ({ press, see, type }) => {
      await see(/^> ?$/m);
      for (const [typed, completed] of completions) {
        await type(typed);
        await press("Tab");
        expect(await see(completed)).not.toContain("rror");
        await press("C-u");
      }
      await type("incident create --severity m");
      await press("Tab", "Tab");
      await see(/major\s.*minor|minor\s.*major/s);
    });
  });
});
