// The shells with completion, apart from their scripts, because every start loads the spec.

export const shells = ["bash", "zsh", "fish", "powershell"] as const;
