// package.json says what src/project.ts says of the repository.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { repositoryFields } from "../src/cli/manual/manual.ts";

const { homepage, bugs, repository } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

it("package.json has the addresses of the constant, as npm run docs writes them", () => {
  const written = Object.fromEntries(
    Object.entries({ homepage, bugs, repository }).filter(([, value]) => value !== undefined),
  );
  expect(written).toEqual(repositoryFields());
});

it("names the home page, the issues and the source of a repository", () => {
  expect(repositoryFields("")).toEqual({});
  expect(repositoryFields("https://github.com/owner/name")).toEqual({
    homepage: "https://github.com/owner/name#readme",
    bugs: { url: "https://github.com/owner/name/issues" },
    repository: { type: "git", url: "git+https://github.com/owner/name.git" },
  });
});
