// The shells with a completion script. Separate from the scripts, because every start reads the table of commands.

export const shells = ["bash", "zsh", "fish"] as const;
