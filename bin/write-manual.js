// Writes the manual from the specs of the commands.
// Usage: node bin/write-manual.js            the man pages, to dist/man/
//        node bin/write-manual.js --docs     docs/commands.md, and in package.json the list of the man pages and the
//                                            addresses of the repository
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { rolldown } from "rolldown";

async function load(input) {
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "cjs", codeSplitting: false });
  const loaded = { exports: {} };
  const require = createRequire(import.meta.url);
  new Function("module", "exports", "require", output[0].code)(loaded, loaded.exports, require);
  return loaded.exports;
}

const { renderCommandsDocument, renderManPages, repositoryFields } = await load("src/cli/manual/manual.ts");

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
// The date of the newest release, so that a build of the same sources is the same on any day.
const [, date = "2026-11-21"] = /^## \[\d.*\] - (\S+)$/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
const pages = await renderManPages({ version: manifest.version, date });

if (process.argv[2] === "--docs") {
  const { renderOutputFields } = await load("test/outputs/output-fields.ts");
  writeFileSync("docs/commands.md", (await renderCommandsDocument()) + renderOutputFields());
  // npm links the pages of an installed package only if each is named.
  manifest.man = [...pages.keys()].map((name) => `./dist/man/${name}`);
  const { homepage: _, bugs: __, repository: ___, ...others } = manifest;
  const fields = Object.entries(others).flatMap(([name, value]) =>
    name === "type" ? [...Object.entries(repositoryFields()), [name, value]] : [[name, value]],
  );
  writeFileSync("package.json", `${JSON.stringify(Object.fromEntries(fields), undefined, 2)}\n`);
} else {
  mkdirSync("dist/man", { recursive: true });
  for (const [name, text] of pages) writeFileSync(`dist/man/${name}`, text);
}
