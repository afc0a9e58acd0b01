// The version, by itself: answering `--version` loads nothing else.
export const version = "0.2.0";
