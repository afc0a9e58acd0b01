// The version, by itself, because the launcher holds all that it imports.
export const version = "0.3.0-dev";
