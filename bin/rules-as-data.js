// Evaluates the modules that state rules as zod schemas, for the build: it writes the rules as data in their place, so
// that no command loads zod.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

/** The modules that import zod, but for the one that turns its schemas into rules. */
function findModules() {
  const names = readdirSync("src", { recursive: true }).map((name) => join("src", String(name)));
  return names.filter(
    (name) =>
      name.endsWith(".ts") &&
      !name.endsWith("/from-zod.ts") &&
      /^import .* from "zod\/mini";$/m.test(readFileSync(name, "utf8")),
  );
}

/** The source of each module as data, by its absolute path: its exports whose names end with `Rules`. */
export async function rulesAsData() {
  const modules = findModules();
  const entry = modules.map((name, index) => `export * as m${index} from ${JSON.stringify(resolve(name))};`);
  const bundle = await rolldown({
    input: "rules",
    platform: "node",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "rules" ? "\0rules" : null),
        load: (id) => (id === "\0rules" ? entry.join("\n") : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  if (output.length !== 1) throw new Error("the rules are not one file");
  const evaluated = await import(
    `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`
  );
  return new Map(modules.map((name, index) => [resolve(name), sourceOf(name, evaluated[`m${index}`])]));
}

function sourceOf(name, exported) {
  const rules = Object.entries(exported).filter(([key]) => key.endsWith("Rules"));
  if (rules.length === 0) throw new Error(`${name} imports zod and exports no rules`);
  return rules.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`).join("\n");
}
