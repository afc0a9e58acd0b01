// The container image: buildah builds the Dockerfile without a daemon, and the entry point runs as the user of the
// image, with a read-only root. No registry is needed: the files of this machine stand for the base image.
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa, execaSync } from "execa";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/incident.ts";
import { isMissing } from "../harness/programs.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { node } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const declared = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";

/** A container that may not mount anything cannot build another one. */
const canMount = () =>
  execaSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"], { reject: false }).exitCode === 0;
const isSkipped = process.getuid?.() !== 0 || isMissing("buildah") || !canMount();

/** A shell, some programs, their libraries and those of Node, and a stand-in for the program that installs packages. */
function createBase(): string {
  const folder = temporaryFolder();
  const copy = (file: string, to = file) => {
    mkdirSync(join(folder, dirname(to)), { recursive: true });
    copyFileSync(file, join(folder, to));
  };
  const programs = ["/bin/sh", "/usr/bin/install", "/bin/ln", "/usr/bin/env"];
  const { stdout } = execaSync("ldd", [...programs, node]);
  for (const file of [...programs, ...new Set(stdout.match(/\/\S+\.so[^\s:]*/g))]) copy(file);
  // Mounted in its place: each layer of the image would copy its 100 MB.
  writeFileSync(join(folder, "usr/bin/node"), "");
  for (const name of ["sbin", "tmp"]) mkdirSync(join(folder, name));
  chmodSync(join(folder, "tmp"), 0o1777);
  writeFileSync(join(folder, "sbin/apk"), '#!/bin/sh\necho "$@" > /installed\n', { mode: 0o755 });
  writeFileSync(join(folder, "Dockerfile"), "FROM scratch\nCOPY . /\n");
  return folder;
}

/** Runs a command in the root of an image, as a container does: its own mounts, read-only but for /state and /tmp. */
const container = `set -e
root=$1 state=$2 node=$3 user=$4; shift 4
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs none "$root/tmp"
mount --bind "$state" "$root/state"
mount --bind "$node" "$root/usr/bin/node"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot --userspec="$user" "$root" "$@"`;

it.skipIf(isSkipped)(
  "is built without a daemon, and declares as its own user with a read-only root",
  async () => {
    const work = temporaryFolder();
    const storage = ["--storage-driver", "vfs", "--root", `${work}/store`, "--runroot", `${work}/run`];
    const buildah = async (...args: readonly string[]) => {
      const options = { cwd: work, env: { BUILDAH_ISOLATION: "chroot", HOME: work } };
      return (await execa("buildah", [...storage, ...args], options)).stdout;
    };
    await buildah("bud", "--tag", "localhost/base", createBase());
    const context = join(work, "context");
    for (const name of ["LICENSE", "Dockerfile", "dist"])
      cpSync(join(root, name), join(context, name), { recursive: true });
    const options = { NODE: "localhost/base", VERSION: "1.2.3" };
    const given = Object.entries(options).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
    await buildah("bud", ...given, "--tag", "localhost/incident", context);

    const { OCIv1 } = JSON.parse(await buildah("inspect", "--type", "image", "localhost/incident"));
    const { Cmd, Entrypoint, Env, Labels, User, Volumes } = OCIv1.config;
    expect({ Cmd, Entrypoint, User, Volumes }).toEqual({
      Cmd: ["--help"],
      Entrypoint: ["/usr/bin/incident"],
      User: "65532:65532",
      Volumes: { "/state": {} },
    });
    expect(Labels).toMatchObject({ "org.opencontainers.image.version": "1.2.3" });
    const image = await buildah("mount", await buildah("from", "localhost/incident"));
    onTestFinished(async () => {
      await buildah("umount", "--all");
    });
    expect(readFileSync(join(image, "installed"), "utf8")).toMatch(/^add .*ca-certificates git\n$/);

    const state = join(work, "state");
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, 65_532, 65_532);
    const run = (command: readonly string[], env: Readonly<Record<string, string>> = {}, input = "") =>
      execa("unshare", ["--mount", "sh", "-c", container, "sh", image, state, node, User, ...command], {
        env: { ...Object.fromEntries(Env.map((each: string) => each.split("="))), ...env },
        extendEnv: false,
        reject: false,
        input,
      });
    expect(await run([...Entrypoint, ...Cmd])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("Usage"),
    });
    expect(await run(["/bin/sh", "-c", "echo > /usr/file"])).toMatchObject({ exitCode: 2 });
    await withSandbox(async ({ INCIDENT_CLI_STATE_DIR: _, ...service }) => {
      const definition = readFileSync(join(root, "fixtures/api-outage.yaml"), "utf8");
      for (const said of ["declared", "already declared"]) {
        const { exitCode, stderr, stdout } = await run(
          [...Entrypoint, "create", "-f", "-", "-o", "id"],
          service,
          definition,
        );
        expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0, stdout: declared });
        expect(stderr).toContain(`${said} ${declared}`);
      }
      const listed = await run([...Entrypoint, "journal", "list", "-o", "id"], service);
      expect(listed.stdout).toBe(declared);
    });
  },
  300_000,
);
