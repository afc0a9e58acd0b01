// The manifest for Kubernetes: it agrees with the image, and the modes of its volumes work with real files and folders.
import * as fs from "node:fs";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { checkState } from "../src/journal/check-state.ts";
import { openPrivateFolder } from "../src/journal/folder/private-files.ts";
import { environmentVariables } from "../src/workspace/environment-variables.ts";
import { readPrivateFile } from "../src/workspace/private-file.ts";
import { temporaryFolder } from "./harness/incident.ts";

const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
// Kubernetes reads YAML 1.1, in which 0440 is octal.
const manifest = parseDocument(textOf("fixtures/kubernetes/cronjob.yaml"), { version: "1.1" }).toJS();
const pod = manifest.spec.jobTemplate.spec.template.spec;
const [container] = pod.containers;
const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1" };
const user: number = pod.securityContext.runAsUser;

describe("the manifest for Kubernetes", () => {
  it("runs as the user of the image, with its state where the image has it", () => {
    const [, id, group] = /^USER (\d+):(\d+)$/m.exec(textOf("Dockerfile")) ?? [];
    const { fsGroup, runAsGroup } = pod.securityContext;
    expect([user, runAsGroup, fsGroup]).toEqual([Number(id), Number(group), Number(group)]);
    const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    expect(mounted).toContain(/INCIDENT_CLI_STATE_DIR=(\S+)/.exec(textOf("Dockerfile"))?.[1]);
    const names = container.env.map(({ name }: { name: string }) => name);
    const known: readonly string[] = [...Object.values(environmentVariables), "PGPASSWORD"];
    expect(names.filter((name: string) => !known.includes(name))).toEqual([]);
  });

  it("has a secret that the user can read through its group, and nobody else", () => {
    const [secrets] = pod.volumes.flatMap(({ secret }: { secret?: object }) => secret ?? []);
    const file = join(temporaryFolder(), "api-key");
    writeFileSync(file, "the key");
    chmodSync(file, secrets.defaultMode);
    // A secret is root's, with the group of the pod.
    const ofRoot = (descriptor: number) => Object.assign(fs.fstatSync(descriptor), { uid: 0 });
    const files = { ...fs, fstatSync: ofRoot as typeof fs.fstatSync };
    expect(readPrivateFile({ files, system: { user } }, file, "credentials")).toEqual({
      text: "the key",
      isReadableByOthers: false,
      isWritableByOthers: false,
      otherOwner: undefined,
    });
  });

  it.each([
    ["an emptyDir", 0o777],
    ["a volume with an fsGroup", 0o2775],
  ])("can keep its state in %s, whose folder is root's", async (_, mode) => {
    const folder = join(temporaryFolder(), "state");
    mkdirSync(folder);
    chmodSync(folder, mode);
    const warnings: string[] = [];
    const captureChild = async () => ({ exitCode: 0, stdout: "" });
    const { signal } = new AbortController();
    const system = {
      captureChild,
      env,
      random: { guid: () => crypto.randomUUID(), fraction: Math.random },
      signal,
      user,
    };
    await checkState({ files: fs, system, warn: (text) => void warnings.push(text) }, folder);
    expect(warnings[0]).toBe(
      `the state directory ${folder} belongs to others, or others may write to it; accepted, because a container has one user (KUBERNETES_SERVICE_HOST is set)`,
    );
    const journal = openPrivateFolder({ files: fs, system }, folder, join(folder, "journal"));
    journal.write("an event", (temporary) => journal.link(temporary, join(folder, "journal", "event")));
    expect(journal.names()).toEqual(["event"]);
  });
});
