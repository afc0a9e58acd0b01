// The shells that completion is for: by themselves, since every start reads the table of commands, and only one
// command the scripts.

export const shells = ["bash", "zsh", "fish"] as const;
