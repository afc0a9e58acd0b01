// A registry of npm that has one package in one version, and records every request.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface PackageRegistry {
  readonly url: string;
  /** The paths of all requests. */
  readonly requests: readonly string[];
  /** From now on the registry serves this tarball instead, under the same version. */
  replace(tarball: string): void;
}

export async function startRegistry(name: string, version: string, file: string): Promise<PackageRegistry> {
  let content = readFileSync(file);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    if (path === `/${name}`) {
      const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
      const dist = { tarball: `${url}/${name}/-/${name}-${version}.tgz`, integrity };
      const manifest = { name, version, dist, bin: { incident: "dist/incident.cjs" } };
      response.end(
        JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: manifest } }),
      );
    } else if (path === `/${name}/-/${name}-${version}.tgz`) response.end(content);
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    replace: (tarball) => {
      content = readFileSync(tarball);
    },
  };
}
