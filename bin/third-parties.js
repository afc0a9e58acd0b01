// The texts of the licences of the bundled packages, without a time, so that the same sources make the same file.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** undici's parsers are compiled from llhttp, whose licence undici's package does not have. */
const llhttp = readFileSync(new URL("llhttp-licence.txt", import.meta.url), "utf8");

export function renderLicences(moduleIds) {
  const folders = moduleIds.flatMap((id) => /\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().flatMap((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text = readLicence(folder);
    if (text === undefined) throw new Error(`${name} has no licence text: it cannot be bundled`);
    const own = `${name} ${version} (${license})\n\n${text.trim()}\n`;
    return name === "undici" ? [own, `llhttp in undici (MIT)\n\n${llhttp.trim()}\n`] : [own];
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

/** The text of the licence file of a package, or of the last section of its README. */
function readLicence(folder) {
  const names = readdirSync(folder);
  const file = names.find((name) => /^licen[cs]e(\.|$)/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8");
  const readme = names.includes("README.md") ? readFileSync(join(folder, "README.md"), "utf8") : "";
  return /\n## licen[cs]e\n([^#]*copyright[^#]*)$/i.exec(readme)?.[1];
}
