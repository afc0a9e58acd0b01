// Node.js's own file system, named in one place: a namespace import of node:fs copies every function at start-up.
import type { Files } from "./context.ts";

export const nodeFiles: Files = process.getBuiltinModule("fs");
