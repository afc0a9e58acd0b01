// The modules that each command loads, so that a slow import fails a test. Timings would be less certain.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../harness/incident.ts";
import { loadsOf } from "../harness/loads.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { command } from "./program.ts";

const fixture = join(import.meta.dirname, "../../fixtures/api-outage.yaml");

const parsing = ["commander"];
const checking = ["yaml", "zod"];
/** For text with characters that are not one cell wide. */
const drawing = ["ansi-regex", "get-east-asian-width", "string-width", "strip-ansi"];

/** Modules that are slow to load. Only the listed commands load them. */
const slow = [
  "node:assert",
  "node:child_process",
  "node:crypto",
  "node:http",
  "node:http2",
  "node:net",
  "node:readline",
  "node:stream",
  "node:tls",
  "node:tty",
  "node:worker_threads",
  "node:zlib",
];

async function slowParts(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { packages, builtins, exitCode, files, stderr } = await loadsOf(args, { env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) });
  const code = Object.keys(files).map((name) => readFileSync(join(dirname(command), name), "utf8"));
  // The sandbox alone needs its faults.
  expect(code.filter((text) => text.includes("TARGET[#N | #N-M]"))).toEqual([]);
  return { packages, builtins: builtins.filter((name) => slow.includes(name)) };
}

describe("the modules loaded", () => {
  it.each([
    ["--version", [], []],
    ["--help", [], []],
    ["get --help", parsing, []],
    ["completion --words -- get --wa", parsing, []],
    // For a valid definition, the parser with positions is not loaded.
    [`validate ${fixture}`, [...parsing, ...checking], []],
    [`validate ${fixture} -o json`, [...parsing, ...checking], []],
  ])("by incident %s", async (line, packages, builtins) => {
    expect(await slowParts(line.split(" "))).toEqual({ packages: [...packages].sort(), builtins });
  });

  it("by incident validate: no further package for an error", async () => {
    const file = join(temporaryFolder(), "error.yaml");
    writeFileSync(file, readFileSync(fixture, "utf8").replace(/^severity: .*/m, "severity: major"));
    const { packages, exitCode } = await loadsOf(["validate", file]);
    expect({ packages, exitCode }).toEqual({
      packages: [...parsing, ...checking].sort(),
      exitCode: 3,
    });
  });

  it("by a request: undici, without TLS, HTTP/2 and compression for a plain HTTP/1.1 service", async () => {
    await withSandbox(async (service) => {
      const create = await slowParts(["create", "-f", fixture, "-o", "id"], service);
      expect(create).toEqual({
        packages: [...parsing, ...checking, "undici"].sort(),
        builtins: ["node:crypto", "node:net", "node:stream"],
      });
      const get = await slowParts(["get", "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01"], service);
      expect(get).toEqual({
        packages: [...parsing, "undici"].sort(),
        builtins: ["node:net", "node:stream"],
      });
      const file = join(temporaryFolder(), "wide.yaml");
      const text = readFileSync(fixture, "utf8");
      writeFileSync(file, text.replace(/^id: .*\n/m, "").replace(/^name: .*/m, 'name: "決済が失敗します"'));
      const wide = await slowParts(["create", "-f", file], service);
      expect(wide.packages).toEqual([...drawing, ...parsing, ...checking, "undici"].sort());
    });
  });
});

it("the late file is the one function that its callers load", () => {
  const width = createRequire(command)(join(dirname(command), "string-width.cjs"));
  expect(width("a\u{1f600}")).toBe(3);
});
