// What is published: the command and the library, as CommonJS, every dependency inside, one file for each part that
// is loaded when used.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "rolldown";
import { isolatedDeclarationSync } from "rolldown/experimental";
import { findPackages, renderBillOfMaterials, renderLicences } from "./bin/third-parties.js";

/** Functions of dependencies that most runs never call; the file of each is evaluated with the first call. */
const calledLate = ["string-width"];

/** What undici has for HTTP/2 and for bodies that are no text: a third of it, and nothing here asks for either. */
const leftOut = ["./client-h2.js", "../web/fetch/body.js"];

const failing =
  'const fail = () => { throw new Error("this part of undici is left out"); }; module.exports = Object.assign(fail, { extractBody: fail });';

/** What pg has for values that are no text, for password files, for URLs and for another runtime: it gets no such thing. */
const leftOutOfPg = ["pg-types", "pgpass", "pg-connection-string", "pg-cloudflare"];

const partsOfPgTypes = "module.exports = { getTypeParser: () => (text) => text, setTypeParser: () => {} };";

/** The two parts of js-yaml that are used, without its writer and the types of other schemas: a half of it. */
const partsOfJsYaml = (folder) =>
  `export { loadAll } from "${folder}/lib/loader.js"; export { default as CORE_SCHEMA } from "${folder}/lib/schema/core.js";`;

/** Parts of Node that most runs never touch; each is loaded when it is first touched. */
const touchedLate = ["node:child_process", "node:tls", "node:zlib"];

/** What undici takes of node:http: a default that the client here sets itself, and a class that it never meets. */
const partsOfHttp = "module.exports = { IncomingMessage: class {}, maxHeaderSize: 16384 };";

/** What undici takes of node:assert, for what it holds impossible; the whole of it also loads the terminal. */
const assertion =
  'module.exports = (value, message) => { if (!value) throw new Error(message ?? "a condition of undici does not hold"); };';

const late = {
  name: "late",
  async resolveId(id, importer) {
    if (id === "js-yaml") return "\0parts-of-js-yaml";
    // The schema that js-yaml takes where none is given.
    if (id === "./schema/default" && importer?.includes("/node_modules/js-yaml/"))
      return "\0no-default-schema";
    if (importer?.startsWith("\0")) return null;
    if (touchedLate.includes(id)) return `\0touched-late:${id}`;
    if (calledLate.includes(id)) return `\0called-late:${(await this.resolve(id, importer)).id}`;
    const isForUndici = importer?.includes("/node_modules/undici/");
    if (leftOut.includes(id) && isForUndici) return "\0left-out";
    if (leftOutOfPg.includes(id) && importer?.includes("/node_modules/pg/"))
      return id === "pg-types" ? "\0parts-of-pg-types" : "\0left-out-of-pg";
    if (id === "node:http" && isForUndici) return "\0parts-of-http";
    if (id === "node:assert" && isForUndici) return "\0assertion";
    // What a terminal can show is decided in src/view/terminal/capabilities.ts; chalk would load the terminal to ask again.
    if (id === "#supports-color") return "\0supports-color";
    return null;
  },
  load(id) {
    if (id === "\0supports-color") return "export default { stdout: false, stderr: false };";
    if (id === "\0parts-of-js-yaml") return partsOfJsYaml(join(import.meta.dirname, "node_modules/js-yaml"));
    if (id === "\0no-default-schema") return "module.exports = undefined;";
    if (id === "\0parts-of-http") return partsOfHttp;
    if (id === "\0assertion") return assertion;
    if (id === "\0left-out") return failing;
    if (id === "\0parts-of-pg-types") return partsOfPgTypes;
    if (id === "\0left-out-of-pg") return "module.exports = {};";
    const [kind, name] = id.split(/:(.*)/s);
    const required = `require(${JSON.stringify(name)})`;
    if (kind === "\0touched-late")
      return `module.exports = new Proxy({}, { get: (_, name) => ${required}[name] });`;
    if (kind === "\0called-late")
      return `module.exports = (...given) => { const it = ${required}; return (it.default ?? it)(...given); };`;
    return null;
  },
};

/** undici's two parsers as files: read as they are, and only the one that the machine can run. */
const parsersApart = {
  name: "parsers-apart",
  load(id) {
    const [, name] = /\/llhttp\/(llhttp(?:_simd)?)-wasm\.js$/.exec(id) ?? [];
    if (name === undefined) return null;
    const [, base64] = /wasmBase64 = '([^']+)'/.exec(readFileSync(id, "utf8"));
    this.emitFile({ type: "asset", fileName: `${name}.wasm`, source: Buffer.from(base64, "base64") });
    return `module.exports = require("node:fs").readFileSync(require("node:path").join(__dirname, "${name}.wasm"));`;
  },
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
      const names = ids.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
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

/** The types of the library, from its source alone. */
const types = {
  name: "types",
  generateBundle() {
    const { code, errors } = isolatedDeclarationSync(
      "src/library.ts",
      readFileSync("src/library.ts", "utf8"),
    );
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
    this.emitFile({ type: "asset", fileName: "library.d.cts", source: code });
  },
};

/** The licences and the bill of materials of every dependency that something of came in. */
const thirdParties = {
  name: "third-parties",
  generateBundle(_options, bundle) {
    const files = Object.values(bundle);
    const packages = findPackages(files.flatMap(({ moduleIds = [] }) => moduleIds));
    const parsers = files
      .filter(({ fileName }) => fileName.endsWith(".wasm"))
      .sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
    this.emitFile({
      type: "asset",
      fileName: "THIRD-PARTY-LICENCES.txt",
      source: renderLicences(packages),
    });
    this.emitFile({
      type: "asset",
      fileName: "sbom.cdx.json",
      source: renderBillOfMaterials(packages, parsers),
    });
  },
};

const keepNames = { function: true, class: true };

const output = {
  dir: "dist",
  format: "cjs",
  entryFileNames: "[name].cjs",
  // The names of functions stay, for whoever reads where a fault of the command came from.
  minify: { compress: { keepNames }, mangle: { keepNames } },
  comments: false,
};

export default defineConfig([
  {
    input: { command: "bin/command.ts", library: "src/library.ts" },
    platform: "node",
    plugins: [late, ascii, parsersApart, types, thirdParties, origins],
    output: { ...output, cleanDir: true, chunkFileNames: "[name]-[hash].cjs" },
  },
  // By itself, so that it shares nothing with what it loads.
  { input: { incident: "bin/incident.ts" }, platform: "node", plugins: [buildId], output },
]);
