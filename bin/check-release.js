// Checks that the tree is the release of a tag, and prints its section of the changelog.
// Usage: node bin/check-release.js v1.2.3
import { readFileSync } from "node:fs";

const read = (file) => readFileSync(file, "utf8");

/** The sections of a changelog by their headings, without the brackets. */
function sectionsOf(changelog) {
  const [, ...parts] = changelog.split(/^## /m);
  return parts.map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    const text = lines.join("\n").replace(/^\[[^\]]+\]: .*$/gm, "");
    return { heading: heading.replace(/[[\]]/g, "").trim(), text: text.trim() };
  });
}

function* findProblems(tag, { version, repository }, sections) {
  if (tag !== `v${version}`) yield `the tag is ${tag}, and package.json says ${version}: tag v${version}`;
  if (!read("src/version.ts").includes(`"${version}"`)) yield `src/version.ts does not say ${version}`;
  const lock = JSON.parse(read("package-lock.json"));
  if (lock.version !== version || lock.packages[""].version !== version)
    yield `package-lock.json does not say ${version}: run npm install --package-lock-only`;

  const [unreleased, newest] = sections;
  if (unreleased?.heading !== "Unreleased") yield "CHANGELOG.md does not begin with ## [Unreleased]";
  else if (unreleased.text !== "") yield `CHANGELOG.md has unreleased changes: move them to ${version}`;
  const [name, date, rest] = newest?.heading.split(" - ") ?? [];
  if (name !== version || rest !== undefined) yield `the newest release in CHANGELOG.md is not ${version}`;
  else if (Number.isNaN(Date.parse(date)) || !/^\d{4}-\d\d-\d\d$/.test(date))
    yield `CHANGELOG.md has no date for ${version}: write ## [${version}] - YYYY-MM-DD`;
  if (newest?.text === "") yield `CHANGELOG.md says nothing about ${version}`;

  const [, address] = /repository = "(.*)"/.exec(read("src/project.ts")) ?? [];
  if (!address) yield "src/project.ts names no repository: fill it in, then run npm run docs";
  else if (repository?.url !== `git+${address}.git`) yield "package.json differs: run npm run docs";
  // npm compares both before it accepts the provenance.
  const home = process.env.GITHUB_REPOSITORY;
  if (home !== undefined && address && !address.endsWith(`github.com/${home}`))
    yield `src/project.ts names the repository "${address}": write https://github.com/${home}`;
}

const sections = sectionsOf(read("CHANGELOG.md"));
const problems = [...findProblems(process.argv[2], JSON.parse(read("package.json")), sections)];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`${sections[1].text}\n`);
