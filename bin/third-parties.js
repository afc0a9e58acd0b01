// The bundled packages of others: the texts of their licences, and a bill of materials in the format CycloneDX.
// Neither has a time or a random number, so that the same sources make the same files.
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";

/** undici's parsers are compiled from llhttp, whose licence undici's package does not have. */
const llhttp = {
  name: "llhttp",
  within: "undici",
  license: "MIT",
  licenceText: readFileSync(new URL("llhttp-licence.txt", import.meta.url), "utf8"),
};

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/** The packages that the modules come from, in the order of their folders. */
export function findPackages(moduleIds) {
  const folders = moduleIds.flatMap((id) => /\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = readJson(join(folder, "package.json"));
    const licenceText = readLicence(folder);
    if (licenceText === undefined) throw new Error(`${name} has no licence text: it cannot be bundled`);
    return { folder, name, version, license, licenceText };
  });
}

/** The text of the licence file of a package, or of the last section of its README. */
function readLicence(folder) {
  const read = (name) => readFileSync(join(folder, name), "utf8");
  const names = readdirSync(folder);
  const file = names.find((name) => /^licen[cs]e(\.|$)/i.test(name));
  if (file !== undefined) return read(file);
  const readme = names.includes("README.md") ? read("README.md") : "";
  return /\n## licen[cs]e\n([^#]*copyright[^#]*)$/i.exec(readme)?.[1];
}

export function renderLicences(packages) {
  const all = packages.flatMap((each) => (each.name === llhttp.within ? [each, llhttp] : [each]));
  const texts = all.map(({ name, version, within, license, licenceText }) => {
    const title = within === undefined ? `${name} ${version}` : `${name} in ${within}`;
    return `${title} (${license})\n\n${licenceText.trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

/** `runtime` is the package of the runtime in the single executable, with its integrity. */
export function renderBillOfMaterials(packages, runtime) {
  const { packages: locked } = readJson("package-lock.json");
  const { name, version, license } = readJson("package.json");
  const components = packages.map((each) => {
    const path = `node_modules${each.folder.split(`${sep}node_modules`).slice(1).join(`${sep}node_modules`)}`;
    const entry = locked[path.replaceAll(sep, "/")];
    if (entry?.version !== each.version) throw new Error(`${path} is not as in the lock file: run npm ci`);
    const component = createComponent(each, Enums.ComponentType.Library);
    component.hashes.set(Enums.HashAlgorithm["SHA-512"], digestOf(entry.integrity));
    if (each.name === llhttp.within) component.components.add(describeLlhttp());
    return component;
  });
  if (runtime !== undefined) {
    const component = createComponent(runtime, Enums.ComponentType.Platform);
    component.hashes.set(Enums.HashAlgorithm["SHA-512"], digestOf(runtime.integrity));
    components.push(component);
  }
  const root = createComponent({ name, version, license }, Enums.ComponentType.Application);
  for (const component of components) root.dependencies.add(component.bomRef);
  const bom = new Models.Bom({
    components: new Models.ComponentRepository(components),
    metadata: new Models.Metadata({ component: root }),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  // Sorting would follow the language of the machine; the packages are in the order of their folders already.
  return `${serializer.serialize(bom, { sortLists: false })}\n`;
}

/** Of a package's tarball, from the lock file. */
function digestOf(integrity) {
  const [, base64] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return Buffer.from(base64, "base64").toString("hex");
}

function createComponent({ name, version, license }, type) {
  const [, group, plainName] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return new Models.Component(type, plainName, {
    ...(group && { group }),
    bomRef: purl,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(license)]),
    purl,
    version,
  });
}

function describeLlhttp() {
  return new Models.Component(Enums.ComponentType.Library, llhttp.name, {
    bomRef: llhttp.name,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(llhttp.license)]),
  });
}
