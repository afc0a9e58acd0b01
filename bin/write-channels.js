// Writes the manifests of package managers from the checksums of a release: a Homebrew formula, a Scoop manifest, and
// the lines for mise and aqua.
// Usage: node bin/write-channels.js SHA256SUMS FOLDER
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [checksums, folder] = process.argv.slice(2);
const { version, description, license, homepage } = JSON.parse(readFileSync("package.json", "utf8"));
const [, address = ""] = /repository = "(.*)"/.exec(readFileSync("src/project.ts", "utf8")) ?? [];
if (address === "") throw new Error("src/project.ts names no repository: fill it in, then run npm run docs");
const project = address.replace(/^https:\/\/[^/]+\//, "");
const releases = `${address}/releases/download/v${version}`;

const digests = new Map(
  readFileSync(checksums, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(/ [ *]/).reverse()),
);

/** The archive of a target, with its address and its digest. */
function archiveOf(target) {
  const name = `incident-${version}-${target}.${target.startsWith("windows") ? "7z" : "tar.xz"}`;
  const digest = digests.get(name);
  if (!/^[0-9a-f]{64}$/.test(digest ?? "")) throw new Error(`${checksums} has no digest of ${name}`);
  return { url: `${releases}/${name}`, digest };
}

/** The lines that choose an archive for a processor. */
function ruby(system, processor, target) {
  const { url, digest } = archiveOf(target);
  return `  on_${system} do\n    on_${processor} do\n      url "${url}"\n      sha256 "${digest}"\n    end\n  end`;
}

const formula = `class Incident < Formula
  desc "${description.replace(/\.$/, "")}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

${[
  ruby("macos", "arm", "macos-arm64"),
  ruby("macos", "intel", "macos-x64"),
  ruby("linux", "arm", "linux-arm64"),
  ruby("linux", "intel", "linux-x64"),
].join("\n")}

  def install
    bin.install "incident"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/incident.bash" => "incident"
    zsh_completion.install "completions/_incident"
    fish_completion.install "completions/incident.fish"
    doc.install "LICENSE", "THIRD-PARTY-LICENCES.txt", "sbom.cdx.json"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/incident --version").strip
  end
end
`;

const windows = archiveOf("windows-x64");
const scoop = {
  version,
  description,
  homepage,
  license,
  architecture: { "64bit": { url: windows.url, hash: windows.digest } },
  extract_dir: `incident-${version}-windows-x64`,
  bin: "incident.exe",
};

const lines = `# mise: in mise.toml
[tools]
"github:${project}" = "${version}"

# aqua: in aqua.yaml, with this package in a registry of type local
packages:
  - type: github_release
    repo_owner: ${project.split("/")[0]}
    repo_name: ${project.split("/")[1]}
    version: v${version}
    asset: incident-{{trimV .Version}}-{{.OS}}-{{.Arch}}.{{.Format}}
    format: tar.xz
    overrides: [{ goos: windows, format: zip }]
    supported_envs: [linux, darwin, windows/amd64]
    replacements: { amd64: x64, darwin: macos }
    files: [{ name: incident, src: "incident-{{trimV .Version}}-{{.OS}}-{{.Arch}}/incident" }]
    checksum: { type: github_release, asset: SHA256SUMS, algorithm: sha256 }
`;

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "incident.rb"), formula);
writeFileSync(join(folder, "incident.json"), `${JSON.stringify(scoop, undefined, 2)}\n`);
writeFileSync(join(folder, "mise-and-aqua.txt"), lines);
