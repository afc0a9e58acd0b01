// The published files: the command as CommonJS, every dependency inside, one file for each part that is loaded when
// used.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig } from "rolldown";
import { renderLicences } from "./bin/third-parties.js";

/** Parts of Node that most runs never touch; each is loaded when it is first touched. */
const touchedLate = ["node:child_process", "node:tls"];

/** A package whose only function most runs never call. It is a file of its own, which the first call loads. */
const calledLate = "string-width";
const lateFile = `./${calledLate}.cjs`;

/** The parts of undici for HTTP/2 and for bodies that are no text, which nothing here uses. */
const leftOut = ["./client-h2.js", "../web/fetch/body.js"];
const leftOutSource =
  'const fail = () => { throw new Error("this part of undici is left out"); }; module.exports = Object.assign(fail, { extractBody: fail });';

const packageOf = (file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** The names above that the bundle imports. */
const seen = new Set();

const late = {
  name: "late",
  async resolveId(id, importer) {
    if (id === lateFile) return { id, external: true };
    if (importer === undefined || importer.startsWith("\0")) return null;
    const isLeftOut = leftOut.includes(id) && packageOf(importer) === "undici";
    if (!isLeftOut && id !== calledLate && !touchedLate.includes(id)) return null;
    seen.add(id);
    if (id === calledLate) {
      const { id: file } = await this.resolve(id, importer, { skipSelf: true });
      this.emitFile({ type: "chunk", id: file, fileName: basename(lateFile) });
    }
    return `\0late:${id}`;
  },
  load(id) {
    const [, name] = /^\0late:(.*)$/.exec(id) ?? [];
    if (name === undefined) return null;
    if (leftOut.includes(name)) return leftOutSource;
    if (name === calledLate)
      return `module.exports = (...given) => require("${lateFile}").default(...given);`;
    return `module.exports = new Proxy({}, { get: (_, name) => require("${name}")[name] });`;
  },
  buildEnd() {
    const unseen = [...touchedLate, calledLate, ...leftOut].filter((name) => !seen.has(name));
    if (unseen.length > 0) throw new Error(`no module imports ${unseen.join(", ")}, as the build expects`);
  },
};

/**
 * The functions around CommonJS modules as function expressions: V8 compiles one in parentheses at once, and parses an
 * arrow function twice on Node.js 20, the first time to skip it.
 */
const parsedOnce = {
  name: "parsed-once",
  renderChunk: (code) =>
    code.replaceAll(/(@__PURE__ \*\/ [\w.]+\(\()\(([\w, ]*)\) => \{/g, "$1function ($2) {"),
};

/** The launcher reads a byte a character: faster, and V8 keeps half as much. */
const ascii = {
  name: "ascii",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      file.code = file.code?.replace(
        /[^\n\t\x20-\x7e]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

/** Says on the first line of a file of which packages it holds something. */
const origins = {
  name: "origins",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      const ids = (file.moduleIds ?? []).filter((id) => !id.startsWith("\0"));
      const names = ids.flatMap((id) => packageOf(id) ?? []);
      if (names.length > 0) file.code = `// holds ${[...new Set(names)].sort().join(" ")}\n${file.code}`;
    }
  },
};

/** Tells the code caches of different builds apart: a digest of all files that the launcher may load. */
const buildId = {
  name: "build-id",
  renderChunk(code, _chunk, { dir }) {
    const digest = createHash("sha256");
    for (const name of readdirSync(dir).sort()) digest.update(readFileSync(join(dir, name)));
    return code.replace("BUILD_ID", digest.digest("hex").slice(0, 16));
  },
};

/** The licences of every dependency that something of came in. */
const thirdParties = {
  name: "third-parties",
  generateBundle(_options, bundle) {
    const source = renderLicences(Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds));
    this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENCES.txt", source });
  },
};

const keepNames = { function: true, class: true };

const output = {
  dir: "dist",
  format: "cjs",
  entryFileNames: "[name].cjs",
  // The names of functions stay, for the reader of a stack trace.
  minify: { compress: { keepNames }, mangle: { keepNames } },
  comments: false,
};

export default defineConfig([
  {
    input: { command: "bin/command.ts" },
    platform: "node",
    plugins: [late, parsedOnce, ascii, thirdParties, origins],
    output: { ...output, cleanDir: true, chunkFileNames: "[name]-[hash].cjs" },
  },
  // By itself, so that it shares nothing with what it loads.
  { input: { incident: "bin/incident.ts" }, platform: "node", plugins: [buildId], output },
]);
