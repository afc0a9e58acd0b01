// The commits of a journal in git, as they are read of a listing.
import { expect, it } from "vitest";
import { commitFormat, parseCommits } from "../../../src/journal/git/sequences.ts";

/** What `git rev-list` prints for these commits. */
const listed = (...commits: readonly (readonly [id: string, parents: string, message: string])[]) =>
  commits
    .map(([id, parents, message]) =>
      commitFormat
        .replace("--format=", `commit ${id}\n`)
        .replace("%x09", "\t")
        .replace("%H", id)
        .replace("%P", parents)
        .replace("%s", message),
    )
    .join("\n");

it("a commit is read with its id, its first parent, and the subject of its message", () => {
  const commits = parseCommits(
    listed(["a1", "", '{"one":1}'], ["b2", "a1", "no JSON"], ["c3", "b2 a1", "7"], ["d4", "c3", "null"]),
  );
  expect(commits).toEqual([
    { id: "a1", parent: undefined, record: { one: 1 } },
    { id: "b2", parent: "a1", record: {} },
    { id: "c3", parent: "b2", record: {} },
    { id: "d4", parent: "c3", record: {} },
  ]);
});
