// The rules of the house that a tool can check: which room may import which, where a dependency may stand, and how
// large files and folders are. CONTRIBUTING.md explains them.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;

const wings = ["http", "source", "view"];
const ground = [
  "document",
  "incident",
  "rules",
  "text",
  "platform",
  "diagnostic",
  "failure",
  "once",
  "project",
  "untrusted-data",
  "version",
];

/** Each room, and the rooms or files that it may import beside itself. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  bin: ["cli", "http", "platform", "version"],
  cli: ["commands", "kit", "delivery", "journal", "api", "workspace", ...wings, "sandbox", ...ground],
  commands: ["kit", "delivery", "journal", "api", "workspace", ...wings, "sandbox", ...ground],
  // What a command is made of. It knows no command.
  kit: ["workspace", "source", "view", ...ground],
  // It takes definitions, and not the text that they come from or the view that shows them.
  delivery: ["journal", "api", "http", "workspace", ...ground],
  journal: ["http", "workspace", ...ground],
  api: ["workspace", ...wings, ...ground],
  workspace: ["source", ...ground],
  ...Object.fromEntries(wings.map((wing) => [wing, ground])),
  // Its schema of the spec is written a second time, so that a fault of the client cannot hide in a shared validator.
  sandbox: ["type http/transport.ts", "type platform/context.ts", "text"],
  // The rules and the operations of the service's own document.
  document: ["incident", "rules", "text", "diagnostic", "untrusted-data"],
  incident: ["rules", "text", "platform", "diagnostic", "failure", "once", "untrusted-data", "version"],
  rules: ["text", "diagnostic", "untrusted-data"],
  text: [],
  // The Context hands out a transport.
  platform: ["type http/transport.ts", "text", "diagnostic", "failure", "once", "untrusted-data"],
  failure: ["diagnostic"],
  diagnostic: [],
  once: [],
  project: [],
  "untrusted-data": ["failure"],
  version: [],
};

/** Each dependency, and the files or folders that may import it. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  "@cfworker/json-schema": [
    "src/document/check-body.ts",
    "src/document/contract-of.ts",
    "src/sandbox/check-schema.ts",
  ],
  "@clack/prompts": ["src/platform/terminal/prompts.ts"],
  commander: ["src/cli/parse.ts"],
  chalk: ["src/view/terminal/chalk.ts"],
  execa: ["src/platform/child-process.ts"],
  pg: ["src/journal/postgres/connection.ts"],
  ora: ["src/platform/terminal/spinner.ts"],
  "string-width": ["src/view/terminal/style.ts"],
  undici: ["src/http/undici.ts"],
  yaml: ["src/source/positions.ts", "src/source/yaml/"],
  zod: ["src/document/contract.ts", "src/rules/", "src/commands/schema.ts"],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const paths = ["bin", "src", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))),
);
const texts = new Map(
  paths.filter((path) => /\.[jt]s$/.test(path)).map((path) => [path, readFileSync(join(root, path), "utf8")]),
);
const sources = [...texts.keys()].filter((path) => /^(src|bin)\/.*\.ts$/.test(path));
const imports = sources.flatMap(importsOf);

/** Static and dynamic imports, re-exports, and imports of types. */
function importsOf(from: string): Import[] {
  const pattern =
    /^(?:import|export)(?<type> type\b)?(?: [^;"]*? from)? "(?<fixed>[^"]+)"|\bimport\(\s*"(?<dynamic>[^"]+)"/gm;
  return [...(texts.get(from) ?? "").matchAll(pattern)].map(({ groups = {} }) => {
    const name = groups.fixed ?? groups.dynamic ?? "";
    const to = name.startsWith(".") ? join(dirname(from), name) : name;
    return { from, to, isType: groups.type !== undefined };
  });
}

/** `http/body.ts` is in the room `http`, `failure.ts` in `failure`. */
const inRooms = (path: string) => path.replace(/^src\//, "");
const roomOf = (path: string) => inRooms(path).split("/")[0]?.replace(/\.ts$/, "") ?? "";

function isAllowed({ from, to, isType }: Import): boolean {
  if (roomOf(from) === roomOf(to)) return true;
  return (rooms[roomOf(from)] ?? []).some(
    (allowed) =>
      allowed === roomOf(to) || allowed === inRooms(to) || (isType && allowed === `type ${inRooms(to)}`),
  );
}

function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}

/** The paths from a file back to itself. */
function cycles(): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) found.push([...trail.slice(trail.indexOf(file)), file].join(" > "));
    if (done.has(file)) return;
    done.add(file);
    for (const { to } of imports.filter(({ from }) => from === file)) visit(to, [...trail, file]);
  };
  for (const file of sources) visit(file, []);
  return found;
}

const show = ({ from, to }: Import) => `${from} > ${to}`;
/** Without the lines of comments. A comment after code stays, because a text can look like one. */
const withoutComments = (text: string) => text.replace(/^\s*(?:\/\/|\/\*|\*[ /]).*$/gm, "");
const lines = (path: string) => (texts.get(path) ?? "").split("\n").length - 1;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

/** Each function with its number of lines, those of the functions inside it not counted. */
function functionsOf(path: string): { readonly place: string; readonly own: number }[] {
  const text = texts.get(path) ?? "";
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const found: { readonly place: string; own: number }[] = [];
  const visit = (node: Node, outer: (typeof found)[number] | undefined): void => {
    let current = outer;
    if (/Function(Declaration|Expression)$/.test(node.type)) {
      const first = lineAt(node.start);
      const own = lineAt(node.end) - first + 1;
      current = { place: `${path}:${first}`, own };
      found.push(current);
      if (outer !== undefined) outer.own -= own;
    }
    for (const part of Object.values(node).flat()) if (isNode(part)) visit(part, current);
  };
  visit(parseAst(text, { lang: "ts" }) as Node, undefined);
  return found;
}

/** The functions that escape, and the texts of this package. */
const makersOfSafeText = [
  "src/cli/main.ts",
  "src/commands/completion.ts",
  "src/kit/formats/github.ts",
  "src/kit/formats/junit.ts",
  "src/kit/formats/markdown.ts",
  "src/platform/terminal/safe-text.ts",
  "src/source/yaml/write.ts",
  "src/view/request.ts",
  "src/view/terminal/style.ts",
];

describe("a text that reaches a stream", () => {
  it("is made safe in a few files", () => {
    const users = sources.filter((path) => /\bassumeSafe\b|\bas SafeText\b/.test(texts.get(path) ?? ""));
    expect(users.sort()).toEqual(makersOfSafeText);
  });

  it("is written past the Context by the parts of the platform alone", () => {
    const writers = sources.filter((path) =>
      /\b(?:process\.std(?:out|err)|console\.)/.test(withoutComments(texts.get(path) ?? "")),
    );
    expect(writers.filter((path) => !path.startsWith("src/platform/"))).toEqual(["bin/incident.ts"]);
  });
});

describe("imports", () => {
  const inside = imports.filter(({ to }) => to.startsWith("src/") || to.startsWith("bin/"));
  const packages = imports.filter(({ to }) => !/^(src|bin|node:)/.test(to));

  it("run one way between the rooms", () => {
    expect(inside.filter((each) => !isAllowed(each)).map(show)).toEqual([]);
  });

  it("lead from a command to another only where it is a part of that one: an update", () => {
    const commandOf = (path: string) =>
      /^src\/commands\/(?!shared\/|sending\/)([a-z-]+)(?:\/|\.ts$)/.exec(path)?.[1];
    const others = inside.filter(({ from, to }) => {
      const [user, used] = [commandOf(from), commandOf(to)];
      return user !== undefined && used !== undefined && user !== used;
    });
    expect(others.map(show)).toEqual([
      "src/commands/resolve.ts > src/commands/update/update.ts",
      "src/commands/create/alert.ts > src/commands/update/change.ts",
    ]);
  });

  it("make no cycle, with imports of types counted", () => {
    expect(cycles()).toEqual([]);
  });

  it("name each dependency in its place only", () => {
    const isAtHome = ({ from, to }: Import) =>
      dependencies[packageOf(to)]?.some((place) => from.startsWith(place)) ?? false;
    expect(packages.filter((each) => !isAtHome(each)).map(show)).toEqual([]);
  });
});

describe("a file", () => {
  it("uses process and console only where the tool meets the system", () => {
    const outside = sources.filter((path) => !/^(bin|src\/platform)\//.test(path));
    const use = /(?<![\w.$])(process|console)\.\w/;
    const users = outside.filter((path) => use.test(withoutComments(texts.get(path) ?? "")));
    // It reads the engine, and nothing that a user sets.
    expect(users.sort()).toEqual(["src/http/connection.ts"]);
  });

  it("opens with a comment", () => {
    expect(sources.filter((path) => !/^(#!.*\n)?\/[/*]/.test(texts.get(path) ?? ""))).toEqual([]);
  });

  it("has at most 300 lines", () => {
    expect(sources.filter((path) => lines(path) > 300)).toEqual([]);
  });

  it("has no function over 60 lines, those inside it not counted", () => {
    const longFiles = sources.filter((path) => lines(path) > 60);
    const long = longFiles.flatMap(functionsOf).filter(({ own }) => own > 60);
    expect(long.map(({ own, place }) => `${place} has ${own}`)).toEqual([]);
  });

  it("has a name that says what is in it", () => {
    const vague = /^(utils?|helpers?|common|misc|index)(\.|$)/;
    expect(paths.filter((path) => vague.test(basename(path)))).toEqual([]);
  });

  it("has ASCII alone in a raw template, where the bundler writes other characters as escapes", () => {
    const raw = /String\.raw`[^`]*[^\0-\x7f`]/;
    expect(sources.filter((path) => raw.test(texts.get(path) ?? ""))).toEqual([]);
  });

  it("of the tests mocks no module", () => {
    const mocking = [...texts].filter(
      ([path, text]) => path.startsWith("test/") && /\bvi\.(do)?mock\(/i.test(text),
    );
    expect(mocking.map(([path]) => path)).toEqual([]);
  });
});

it("a folder has at most 20 files directly in it, and what commands share has 8", () => {
  const folders = [...new Set([...texts.keys()].map(dirname))];
  const size = (folder: string) => [...texts.keys()].filter((path) => dirname(path) === folder).length;
  expect(folders.filter((folder) => size(folder) > 20)).toEqual([]);
  expect(size("src/commands/shared")).toBeLessThanOrEqual(8);
});
