// The published files: the command as CommonJS, every dependency inside, one file for each part that is loaded when
// used.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { defineConfig } from "rolldown";
import { rulesAsData } from "./bin/rules-as-data.js";
import { findPackages, renderBillOfMaterials, renderLicences } from "./bin/third-parties.js";

/** Functions that most runs never call, by their module; each module is a file, which is loaded with the first call. */
const calledLate = {
  "string-width": "default",
  "../rules/messages.ts": "wordsFor",
};

/** The name that each late file exports. */
const lateFiles = new Map();

const require = createRequire(import.meta.url);

const failing =
  'const fail = () => { throw new Error("this part of undici is left out"); }; module.exports = Object.assign(fail, { extractBody: fail });';

const { ERROR, TYPE } = require("undici/lib/llhttp/constants.js");

/** Parts of dependencies that are replaced for a faster start: the source by the importing package and the imported name. */
const replacements = {
  undici: {
    // HTTP/2 and bodies that are not text: a third of undici, and nothing here uses either.
    "./client-h2.js": failing,
    "../web/fetch/body.js": failing,
    // The rest of the constants is computed at each start.
    "../llhttp/constants.js": `module.exports = ${JSON.stringify({ ERROR, TYPE })};`,
    // A default that the client here sets itself, and a class that it never receives.
    "node:http": "module.exports = { IncomingMessage: class {}, maxHeaderSize: 16384 };",
    // All of node:assert also loads the terminal.
    "node:assert":
      'module.exports = (value, message) => { if (!value) throw new Error(message ?? "a condition of undici does not hold"); };',
  },
  // src/view/terminal/style.ts decides on the colours of a terminal; chalk would load the terminal to find out again.
  chalk: { "#supports-color": "export default { stdout: false, stderr: false };" },
};

/** Parts of Node that most runs never touch; each is loaded when it is first touched. */
const touchedLate = ["node:child_process", "node:tls", "node:zlib"];

/** The file that each replacement stands for. */
const replaced = new Map();

/** Throws where a replaced name is at no place, or at two, and where a late module is nowhere. */
function checkReplacements() {
  for (const [name, parts] of Object.entries(replacements))
    for (const part of Object.keys(parts)) {
      const count = replaced.get(`${name}:${part}`)?.size ?? 0;
      if (count !== 1)
        throw new Error(`${name} imports ${count} modules as "${part}"; the build replaces one`);
    }
  for (const [name, exported] of Object.entries(calledLate))
    if (![...lateFiles.values()].includes(exported))
      throw new Error(`no module imports "${name}", to load it late`);
}

const packageOf = (file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

const rules = await rulesAsData();

const statedRules = {
  name: "stated-rules",
  load: (id) => rules.get(id) ?? null,
};

const late = {
  name: "late",
  async resolveId(id, importer) {
    if (importer?.startsWith("\0called-late:")) return { id, external: true };
    if (importer === undefined || importer.startsWith("\0")) return null;
    const name = packageOf(importer);
    if (replacements[name]?.[id] !== undefined) {
      const part = `${name}:${id}`;
      const original = await this.resolve(id, importer, { skipSelf: true });
      replaced.set(part, (replaced.get(part) ?? new Set()).add(original.id));
      return `\0replaced:${part}`;
    }
    if (touchedLate.includes(id)) return `\0touched-late:${id}`;
    if (calledLate[id] !== undefined)
      return `\0called-late:${calledLate[id]}:${(await this.resolve(id, importer, { skipSelf: true })).id}`;
    return null;
  },
  load(id) {
    const [kind, name] = id.split(/:(.*)/s);
    if (kind === "\0replaced") {
      const [importer, replaced] = name.split(/:(.*)/s);
      return replacements[importer][replaced];
    }
    const required = `require(${JSON.stringify(name)})`;
    if (kind === "\0touched-late")
      return `module.exports = new Proxy({}, { get: (_, name) => ${required}[name] });`;
    if (kind === "\0called-late") {
      const [exported, file] = name.split(/:(.*)/s);
      const fileName = `${exported === "default" ? packageOf(file) : exported}.cjs`;
      this.emitFile({ type: "chunk", id: file, fileName });
      lateFiles.set(fileName, exported);
      const target = exported === "default" ? "module.exports" : `exports.${exported}`;
      return `${target} = (...given) => require("./${fileName}").${exported}(...given);`;
    }
    return null;
  },
  buildEnd: checkReplacements,
  generateBundle(_options, bundle) {
    for (const [file, exported] of lateFiles) {
      const { exports } = bundle[file];
      if (exports.join() !== exported)
        throw new Error(`${file} exports ${exports.join(", ")}; the command can only load ${exported}`);
    }
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

/** undici's two parsers as files: read as they are, and only the one that the machine can run. */
const parsersApart = {
  name: "parsers-apart",
  load(id) {
    const [, name] = /\/llhttp\/(llhttp(?:_simd)?)-wasm\.js$/.exec(id) ?? [];
    if (name === undefined) return null;
    const [[, base64], ...others] = readFileSync(id, "utf8").matchAll(/wasmBase64 = '([^']+)'/g);
    if (others.length > 0) throw new Error(`${id} holds several parsers`);
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
  // The names of functions stay, for the reader of a stack trace.
  minify: { compress: { keepNames }, mangle: { keepNames } },
  comments: false,
};

export default defineConfig([
  {
    input: { command: "bin/command.ts" },
    platform: "node",
    plugins: [statedRules, late, parsedOnce, ascii, parsersApart, thirdParties, origins],
    output: { ...output, cleanDir: true, chunkFileNames: "[name]-[hash].cjs" },
  },
  // By itself, so that it shares nothing with what it loads.
  { input: { incident: "bin/incident.ts" }, platform: "node", plugins: [buildId], output },
]);
