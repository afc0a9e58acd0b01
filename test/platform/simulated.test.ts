// Other platforms, simulated: file systems without hard links, network folders, and Windows, which has no numeric user
// ids, no O_NOFOLLOW, and folders that cannot be opened.
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Files } from "../../src/platform/context.ts";
import { definitionYaml } from "../harness/builders.ts";
import { createWorld, type Setup } from "../harness/incident.ts";

const files = { "a.yaml": definitionYaml() };
const create = "INCIDENT_CLI_STATE_DIR=state create -f a.yaml --key checkout -o id";

/** The id that the key stands for. */
const keyId = "694deedc-b065-503a-b30d-1e3e0be4672e";

const systemError = (code: string) => Object.assign(new Error(code), { code });

const withoutLinks = (code: string): Setup => ({
  files,
  wrapFiles: (disk) => ({
    ...disk,
    linkSync: () => {
      throw systemError(code);
    },
  }),
});

const windows: Setup = {
  files,
  isWithoutUsers: true,
  wrapFiles: (disk) => {
    const { O_NOFOLLOW: _, O_NONBLOCK: __, ...constants } = disk.constants;
    const openSync: Files["openSync"] = (path, ...rest) => {
      if (disk.statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw systemError("EISDIR");
      return disk.openSync(path, ...rest);
    };
    return { ...disk, constants: constants as Files["constants"], openSync };
  },
};

it.each(["EPERM", "ENOTSUP", "ENOSYS"])(
  "sends nothing where a file system has no hard links (%s)",
  async (code) => {
    const world = createWorld(withoutLinks(code));
    const { exitCode, stderr } = await world.run(create);
    expect({ exitCode, read: (await world.run(`get ${keyId}`)).exitCode }).toEqual({ exitCode: 2, read: 5 });
    expect(stderr).toContain(`cannot be used: ${code}`);
    expect(stderr).toContain("on a disk with hard links, or name another");
  },
);

it("names a file system without hard links in doctor", async () => {
  const { exitCode, stdout } = await createWorld(withoutLinks("EPERM")).run(
    "INCIDENT_CLI_STATE_DIR=state doctor",
  );
  expect(exitCode).toBe(2);
  expect(stdout).toContain("cannot be used: EPERM; name it by its whole path, and make it writable");
});

it("declares once on Windows", async () => {
  const world = createWorld(windows);
  const first = await world.run(create);
  expect(first).toMatchObject({ exitCode: 0, stdout: `${keyId}\n` });
  const again = await world.run(create);
  expect({ exitCode: again.exitCode, stdout: again.stdout }).toEqual({ exitCode: 0, stdout: first.stdout });
  expect(again.posts).toBe(0);
});

it("gives the files of the journal names that a case-insensitive folder keeps apart", async () => {
  const world = createWorld({ files });
  await world.run(create);
  const names = fs.readdirSync(join(world.folder, "state"), { recursive: true }).map(String);
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
});
