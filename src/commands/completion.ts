// `incident completion`: a script for a shell. The script passes the words of the command line to
// `incident completion --words`, so that it stays valid when the commands change.
import { Failure } from "../failure.ts";
import type { CommandSpec, Run } from "../kit/command.ts";
import { assumeSafe } from "../platform/terminal/safe-text.ts";

export const shells = ["bash", "zsh", "fish"] as const;

export const spec = {
  operands: "<shell>",
  completions: shells,
  result: "text",
  examples: {
    'eval "$(incident completion bash)"': "in ~/.bashrc",
    "incident completion zsh > ~/.zfunc/_incident": "into a folder of your fpath",
    "incident completion fish > ~/.config/fish/completions/incident.fish": "into the folder that fish reads",
  },
  notes: "It completes commands, flags, their values and files.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (_context, { operands: [name = ""] }) => {
  const shell = shells.find((candidate) => candidate === name);
  if (shell !== undefined) return { prints: { text: () => assumeSafe(scripts[shell]) } };
  throw new Failure("usage", `there is no completion for the shell "${name}"`, {
    hint: `choose one of ${shells.join(", ")}`,
  });
};

// Each script reads lines of a value, a tab and a summary, or the single line `:files`, which delegates to the shell.
const scripts = {
  bash: `# Completion of incident for bash: eval "$(incident completion bash)"
_incident() {
  local value words=("\${COMP_WORDS[@]:1:COMP_CWORD}") current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  [[ $current == = ]] && current=
  while IFS=$'\\t' read -r value _; do
    case "$value" in
      :files)
        compopt -o filenames 2>/dev/null
        while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current")
        ;;
      *)
        printf -v value %q "$value"
        COMPREPLY+=("$value")
        ;;
    esac
  done < <("\${COMP_WORDS[0]}" completion --words -- "\${words[@]}" 2>/dev/null)
}
complete -F _incident incident
`,
  zsh: `#compdef incident
# Completion of incident for zsh: incident completion zsh > a folder of your fpath, as _incident
_incident() {
  local line
  local -a lines described parts
  lines=("\${(@f)$("\${words[1]}" completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case "\${lines[1]}" in
    :files) _files ;;
    *)
      for line in "\${lines[@]}"; do
        parts=("\${(@ps:\\t:)line}")
        [[ -n $line ]] && described+=("\${parts[1]//:/\\\\:}:\${parts[2]}")
      done
      (( \${#described} )) && _describe -t incident incident described
      ;;
  esac
}
if [[ "\${funcstack[1]}" == _incident ]]; then _incident "$@"; else compdef _incident incident; fi
`,
  fish: `# Completion of incident for fish: incident completion fish > ~/.config/fish/completions/incident.fish
function __incident_complete
  set -l words (commandline --tokenize --cut-at-cursor --current-process)
  set -l current (commandline --current-token --cut-at-cursor)
  set -l lines (command $words[1] completion --words -- $words[2..] "$current" 2>/dev/null)
  switch "$lines[1]"
    case :files
      __fish_complete_path "$current"
    case '*'
      string join \\n -- $lines
  end
end
complete --command incident --no-files --arguments '(__incident_complete)'
`,
} as const satisfies Record<(typeof shells)[number], string>;
