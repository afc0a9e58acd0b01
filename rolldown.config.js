// The published files: the command as CommonJS, every dependency inside, one file for each part that is loaded when
// used.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { defineConfig } from "rolldown";

const require = createRequire(import.meta.url);

const packageOf = (file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

const onTouch = (name) => `module.exports = new Proxy({}, { get: (_, name) => require("${name}")[name] });`;
/** The WebAssembly of undici's parser as a file: as text it would be a third of the code that a request loads. */
const parserFile = (name) =>
  `module.exports = require("node:fs").readFileSync(require("node:path").join(__dirname, "${name}"));`;
const leftOut =
  'const fail = () => { throw new Error("this part of undici is left out"); }; module.exports = Object.assign(fail, { extractBody: fail });';

/** The modules that others stand for. */
const standIns = {
  // Parts of Node that most runs never touch; each is loaded when it is first touched.
  "node:child_process": onTouch("node:child_process"),
  "node:tls": onTouch("node:tls"),
  "node:zlib": onTouch("node:zlib"),
  // It takes 20 ms to load, and most runs never call it: a file of its own.
  "string-width": 'module.exports = (...given) => require("./string-width.cjs")(...given);',
};

/** Channels that nothing listens to. */
const channels = "module.exports = { channels: new Proxy({}, { get: () => ({ hasSubscribers: false }) }) };";
const { ERROR, TYPE } = require("undici/lib/llhttp/constants.js");

/** Stand-ins for what undici imports. */
const undiciStandIns = {
  // The parts for HTTP/2 and for bodies that are no text, which nothing here uses.
  "./client-h2.js": leftOut,
  "../web/fetch/body.js": leftOut,
  "./diagnostics.js": channels,
  "../core/diagnostics.js": channels,
  // The two of its tables that undici reads.
  "../llhttp/constants.js": `module.exports = ${JSON.stringify({ ERROR, TYPE })};`,
  "../llhttp/llhttp_simd-wasm.js": parserFile("llhttp_simd.wasm"),
  "../llhttp/llhttp-wasm.js": parserFile("llhttp.wasm"),
  // The lower-case forms of the usual names of headers, which save a server a few cycles, and a command nothing.
  "./constants": "module.exports = { headerNameLowerCasedRecord: { __proto__: null } };",
  "./tree": "module.exports = { tree: { lookup: () => undefined } };",
  // Each of these modules takes 2 ms to load. No message of node:http comes to undici.
  "node:assert": 'module.exports = (...given) => { if (!given[0]) require("node:assert")(...given); };',
  "node:http": "module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} };",
};

/** Its own module asks whether it runs in a Cloudflare Worker, for which Node.js 20 loads fetch. */
const pgStandIns = {
  "./stream": `const { Socket } = require("node:net");
module.exports = { getStream: () => new Socket(), getSecureStream: (given) => require("node:tls").connect(given) };`,
};

/** Stand-ins for what a package imports. */
const packages = { undici: undiciStandIns, pg: pgStandIns };
const names = ["./string-width.cjs", ...[standIns, undiciStandIns, pgStandIns].flatMap(Object.keys)];
const anyOf = names.map((name) => name.replaceAll(".", "\\.")).join("|");

// The filters save a call for each of the two thousand other names.
const late = {
  name: "late",
  resolveId: {
    filter: { id: new RegExp(`^(?:undici/lib/.*|${anyOf})$`) },
    handler(id, importer) {
      // Named as external in the options, it would lose its "./", and Node would look for a package.
      if (id === "./string-width.cjs") return { id, external: true };
      if (importer === undefined || importer.startsWith("\0")) return null;
      const part = id.replace(/^undici\/lib\//, "../");
      const owner = part === id ? packageOf(importer) : "undici";
      if (Object.hasOwn(packages[owner] ?? {}, part)) return `\0${owner}:${part}`;
      return Object.hasOwn(standIns, id) ? `\0late:${id}` : null;
    },
  },
  load: {
    filter: { id: /^\0(?:late|undici|pg):/ },
    handler(id) {
      const [, kind, name] = /^\0(\w+):(.*)$/.exec(id) ?? [];
      return { late: standIns, ...packages }[kind][name];
    },
  },
};

const parsers = {
  name: "parsers",
  generateBundle() {
    for (const name of ["llhttp_simd", "llhttp"]) {
      const source = require(`undici/lib/llhttp/${name}-wasm.js`);
      this.emitFile({ type: "asset", fileName: `${name}.wasm`, source });
    }
  },
};

/**
 * The functions around CommonJS modules as function expressions: V8 compiles one in parentheses at once, and parses an
 * arrow function twice on Node.js 20. A first run takes 5 % less.
 */
const parsedOnce = {
  name: "parsed-once",
  renderChunk: (code) =>
    code.replaceAll(/(@__PURE__ \*\/ [\w.]+\(\()\(([\w, ]*)\) => \{/g, "$1function ($2) {"),
};

/** Exports as values: a getter for each takes 2 % of a run, and no export changes once its file has run. */
const plainExports = {
  name: "plain-exports",
  renderChunk: (code) =>
    code.replaceAll(
      /Object\.defineProperty\(exports, ("[\w$]+"), \{\s*enumerable: true,\s*get: function \(\) \{\s*return ([\w$]+);\s*\}\s*\}\)/g,
      "exports[$1] = $2",
    ),
};

const modulesOf = ({ moduleIds = [] }) => moduleIds.filter((id) => packageOf(id) && !id.startsWith("\0"));

/** In ASCII, because the launcher reads a byte a character; the first line says of which packages a file has something. */
const asciiWithOrigins = {
  name: "ascii-with-origins",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle).filter(({ code }) => code)) {
      const names = [...new Set(modulesOf(file).map(packageOf))].sort();
      const ascii = file.code.replace(
        /[^\n\t\x20-\x7e]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      file.code = names.length > 0 ? `// holds ${names.join(" ")}\n${ascii}` : ascii;
    }
  },
};

/** Tells the code caches of different builds apart: a digest of the launcher and of all files that it may load. */
const buildId = {
  name: "build-id",
  renderChunk(code, _chunk, { dir }) {
    const digest = createHash("sha256").update(code);
    for (const name of readdirSync(dir).sort()) digest.update(readFileSync(join(dir, name)));
    return code.replace("BUILD_ID", digest.digest("hex").slice(0, 16));
  },
};

/** The licence file of each package that something of came in, else its README, which has the licence. */
const licences = {
  name: "licences",
  generateBundle(_options, bundle) {
    const folderOf = (id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)[0];
    const folders = new Set(Object.values(bundle).flatMap(modulesOf).map(folderOf));
    const texts = [...folders].sort().map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each)) ?? "README.md";
      return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    });
    // The licence of this one is in its repository alone.
    texts.push(`@cfworker/json-schema (MIT)\n\n${readFileSync("bin/cfworker-licence.txt", "utf8")}`);
    // undici's parsers are compiled from llhttp, whose licence undici's package does not have.
    texts.push(`llhttp in undici (MIT)\n\n${readFileSync("bin/llhttp-licence.txt", "utf8")}`);
    const source = texts.join(`\n${"-".repeat(80)}\n\n`);
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
    input: { command: "bin/command.ts", "string-width": "string-width" },
    platform: "node",
    // yaml as ES modules, of which the parts that nothing uses are left out.
    resolve: { alias: { yaml: join(import.meta.dirname, "node_modules/yaml/browser/dist/index.js") } },
    plugins: [late, parsers, parsedOnce, plainExports, asciiWithOrigins, licences],
    output: { ...output, cleanDir: true, chunkFileNames: "[name]-[hash].cjs" },
  },
  // By itself, so that it shares nothing with what it loads.
  { input: { incident: "bin/incident.ts" }, platform: "node", plugins: [buildId], output },
]);
