// The bounds of an answer (docs/internals/tests.md): whatever JSON the service sends, a command ends with a documented exit
// code, stdout holds results only, and no text moves the cursor or commands the log of a pipeline.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../src/failure.ts";
import type { Answered, Transport } from "../src/http/transport.ts";
import { openapi } from "../src/sandbox/openapi.ts";
import { access, answer, definitionYaml, incidentId as id } from "./harness/builders.ts";
import { createWorld, incident } from "./harness/incident.ts";
import { anyCharacter } from "./text/any-character.ts";

const files = { "a.yaml": definitionYaml({ id }) };

/** Answers a create with 201 and the fields, and a read with 404. */
function creating(fields: object | string) {
  const created: Answered =
    typeof fields === "string"
      ? { ...answer({}, 201), body: new TextEncoder().encode(fields) }
      : answer({ id, ...fields }, 201);
  return answeringCreates(created);
}

function answeringCreates(created: Answered): Transport {
  return async ({ method }, { beforeSend }) => {
    await beforeSend?.();
    return method === "POST" ? created : answer({ statusCode: 404, error: "Not Found" }, 404);
  };
}

const reading = (fields: object) => async () => answer({ id, ...fields });

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("an answer that is nested too deep", () => {
  it("is read to 64 levels, and says where it was cut", async () => {
    const transport = async () => ({
      ...answer({}),
      body: new TextEncoder().encode(`{"id":"${id}","at":${nested(63)},"below":${nested(64)}}`),
    });
    const { stdout } = await incident(`get ${id} -o json`, { transport });
    const { at, below } = JSON.parse(stdout);
    expect(at).toEqual(JSON.parse(nested(63)));
    expect(JSON.stringify(below)).toBe(
      nested(63).replace("[]", '["(nested more than 64 levels deep, not read)"]'),
    );
  });
});

it("says that a read with another success than 200 is none", async () => {
  const transport = async () => answer({ id }, 201);
  const { exitCode, stderr } = await incident(`get ${id}`, { transport });
  expect({ exitCode }).toEqual({ exitCode: 7 });
  expect(stderr).toContain("error: the answer has the unexpected status 201\n");
});

describe("a long text", () => {
  it("is cut on a page, and complete under -o json", async () => {
    const name = "x".repeat(5_000_000);
    const { stdout } = await incident(`get ${id}`, { transport: reading({ name }) });
    expect(stdout).toMatch(/xxx…$/m);
    expect(stdout.length).toBeLessThan(20_000);
    const json = await incident(`get ${id} -o json`, { transport: reading({ name }) });
    expect(JSON.parse(json.stdout).name).toBe(name);
  });

  it.each(["\u{1f469}", " ", "a ", "\u0301"])("is drawn if it repeats %j", async (unit) => {
    const description = `${unit.repeat(100_000)}.`;
    const { exitCode, stdout } = await incident(`get ${id}`, {
      transport: reading({ name: description, incidentUpdates: [{ description }] }),
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("…");
  });

  it("of an error is cut at 2 kB for people, and its body at 200 characters", async () => {
    const message = "m".repeat(1_000_000);
    const transport = async () => answer({ statusCode: 403, error: "Forbidden", message }, 403);
    const { stderr } = await incident(`get ${id}`, { transport });
    expect(stderr).toMatch(/m…(?!m)/);
    expect(stderr.length).toBeLessThan(4000);
    const json = await incident(`get ${id} -o json`, { transport });
    const { error } = JSON.parse(json.stderr);
    expect(error.response.body).toMatch(/^\{"statusCode":403.*m…$/);
    expect(error.response.body).toHaveLength(200);
  });
});

describe("a long list", () => {
  it.each(["table", "markdown"])("is shown to its end under -o %s", async (format) => {
    const services = Array.from({ length: 20_000 }, (_, index) => ({ name: `s${index}` }));
    const incidentUpdates = services.map(({ name }) => ({ description: name }));
    const { exitCode, stdout } = await incident(`get ${id} -o ${format}`, {
      transport: reading({ services, incidentUpdates }),
    });
    expect(exitCode).toBe(0);
    expect(stdout.match(/s19999/g)).toHaveLength(2);
  });
});

describe("an id of the service", () => {
  it.each(["", " ", "two words", "a\nb", "a\u001b[2J", "\u200b", "::add-mask::a", "x".repeat(20_000)])(
    "%j is not printed under -o id",
    async (other) => {
      const { exitCode, stdout, stderr } = await incident("create -f a.yaml -o id", {
        files,
        transport: creating({ id: other, name: "Checkout fails" }),
      });
      expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: "" });
      expect(stderr).toContain("Checkout fails");
      expect(stderr).toContain("is not one visible word");
    },
  );
});

describe("the log of a pipeline", () => {
  const command = "::add-mask::secret";
  const text = `one\n${command}\n   ${command}\n##[group]x ##vso[task.x]y`;
  const lines = /^\s*::(?!error |warning )|##\w*\[/m;

  it.each(["table", "json", "markdown", "definition"])("obeys no text under -o %s", async (format) => {
    const fields = { name: command, severity: text, lastUpdateStatus: command, [command]: text };
    const incidentUpdates = [{ description: text, status: command }];
    const { exitCode, stdout } = await incident(`get ${id} -o ${format}`, {
      transport: reading({ ...fields, incidentUpdates }),
    });
    expect(exitCode).toBe(0);
    expect(stdout).not.toMatch(lines);
    if (format === "json") expect(JSON.parse(stdout).incidentUpdates).toEqual(incidentUpdates);
  });

  it.each(["text", "github", "json", "junit"])("obeys no file under validate -o %s", async (format) => {
    const file = "::add-mask::a.yaml";
    const { stdout, stderr } = await incident(`validate ${file} -o ${format}`, {
      files: { [file]: definitionYaml({ severity: '"::add-mask::x\\n::add-mask::y"', name: '"##[group]"' }) },
    });
    expect(stdout + stderr).not.toMatch(/^\s*::add-mask/m);
    if (format !== "github") expect(stdout + stderr).not.toMatch(/##\[/);
  });

  it("obeys no public text of a failure", async () => {
    const { exitCode, stderr } = await incident("create -f a.yaml", {
      files: {
        "a.yaml": definitionYaml({ id, incidentUpdates: `[{description: ${JSON.stringify(text)}}]` }),
      },
      transport: async () => answer({ statusCode: 403, error: "Forbidden", message: text }, 403),
    });
    expect(exitCode).toBe(4);
    expect(stderr).not.toMatch(lines);
  });
});

describe("JSON", () => {
  it("escapes every invisible character, and stays the same value", async () => {
    const name = "a\u007f\u009b31m\u202e\u2066\u200b\u200d\ufeff\u{e0041}\u{f0000}\u2028é決👩";
    const { stdout } = await incident(`get ${id} -o json`, { transport: reading({ name }) });
    expect(stdout).toContain(
      '"a\\u007f\\u009b31m\\u202e\\u2066\\u200b\\u200d\\ufeff\\udb40\\udc41\\udb80\\udc00\\u2028é決👩"',
    );
    expect(JSON.parse(stdout).name).toBe(name);
  });
});

describe("a word of JavaScript", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is text like any other as severity, status and name",
    async (word) => {
      const body = `{"id":"${id}","name":"n","severity":"${word}","lastUpdateStatus":"${word}","${word}":1,
        "services":[{"name":"${word}"}],"incidentUpdates":[{"status":"${word}","description":"d"}]}`;
      for (const format of ["table", "json", "markdown"]) {
        const { exitCode, stdout } = await incident(`get ${id} -o ${format}`, {
          transport: async () => ({ ...answer({}), body: new TextEncoder().encode(body) }),
        });
        expect(exitCode).toBe(0);
        expect(stdout.replaceAll("\\", "")).toContain(word);
        if (format === "table") expect(stdout.match(new RegExp(`\\? ${word}`, "g"))).toHaveLength(3);
      }
      const { exitCode, stderr } = await incident(`validate a.yaml --var ${word}=x`, {
        files: { "a.yaml": definitionYaml({ name: `"\${${word}}"`, services: `[${word}]` }) },
      });
      expect(exitCode).toBe(3);
      expect(stderr).toContain(`"${word}" is not in the catalog of services`);
    },
  );
});

/** Every character that a terminal, a log or an editor shows as itself. */
const allowed =
  /^(?:\n|\ufe0e|\ufe0f|(?!\p{Default_Ignorable_Code_Point})[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|\u200d(?=\p{Extended_Pictographic})|@\u200b)*$/u;

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "::add-mask::x",
    "##[group]",
    "\u001b[2J",
    "\u{e0041}",
    id,
    "RESOLVED",
  ),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    text,
    fc.jsonValue(),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(text, tie("any"), { maxKeys: 4 }),
    fc.integer({ min: 1, max: 200 }).map((depth) => JSON.parse(nested(depth))),
  ),
})).any;
const incidentLike = fc.record(
  {
    id: fc.oneof({ weight: 5, arbitrary: fc.constant(id) }, { weight: 1, arbitrary: value }),
    name: value,
    severity: value,
    lastUpdateStatus: value,
    services: fc.oneof(value, fc.array(fc.record({ name: value, id: value }, { requiredKeys: [] }))),
    incidentUpdates: fc.oneof(
      value,
      fc.array(fc.record({ description: value, status: value, created_at: value }, { requiredKeys: [] })),
    ),
    duration: value,
    created_at: value,
  },
  { requiredKeys: [] },
);
/** The sandbox's description of itself with an arbitrary value in one place. */
const openapiLike = fc
  .tuple(fc.array(fc.nat(), { maxLength: 12 }), value)
  .map(([steps, replacement]) => replaceAt(JSON.parse(JSON.stringify(openapi)), steps, replacement));

function replaceAt(node: unknown, [step = 0, ...rest]: readonly number[], replacement: unknown): unknown {
  if (typeof node !== "object" || node === null || rest.length === 0) return replacement;
  const fields = node as Record<string, unknown>;
  const name = Object.keys(fields).at(step % Math.max(1, Object.keys(fields).length));
  if (name !== undefined) fields[name] = replaceAt(fields[name], rest, replacement);
  return node;
}

const inFormats = (line: string, ...formats: string[]) => formats.map((format) => `${line} -o ${format}`);
const lines = [
  ...inFormats(`get ${id}`, "table", "json", "id", "markdown", "definition"),
  `get ${id} ${id}`,
  ...inFormats(`get ${id} --watch --wait-for RESOLVED --wait-timeout 25s`, "table", "json"),
  ...inFormats(`get ${id} --wait-for RESOLVED --wait-timeout 25s`, "table", "json", "id"),
  ...inFormats("create -f a.yaml", "table", "json", "id", "markdown"),
  ...inFormats("apply -f a.yaml", "table", "json", "id"),
  ...inFormats("apply -f a.yaml --dry-run", "table", "json"),
  ...inFormats(`journal settle ${id}`, "table", "json"),
  ...inFormats(`services import ${id}`, "table", "json"),
  ...inFormats("doctor", "table", "json"),
  ...["contract pull", "contract check"].flatMap((line) => inFormats(line, "table", "json")),
  ...inFormats("login --api-key-stdin --profile new", "table", "json"),
];
const codes: readonly number[] = Object.values(exitCodes).filter((code) => code !== exitCodes.internal);

/** The create stays uncertain, so that there is something to settle. */
const unanswered: Transport = async (_request, { beforeSend }) => {
  await beforeSend?.();
  return { phase: "unanswered", reason: "reset", detail: "connection reset" };
};

describe("any answer", () => {
  it("ends every command with a documented code, and in every format with visible text", async () => {
    const seed = Number(process.env.INCIDENT_TEST_SEED ?? 17);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          { weight: 3, arbitrary: incidentLike },
          { weight: 1, arbitrary: value },
          { weight: 1, arbitrary: openapiLike },
        ),
        fc.constantFrom(200, 201, 400, 403, 404, 409, 422, 500),
        fc.constantFrom(...lines),
        fc.boolean(),
        async (body, status, line, isTerminal) => {
          const world = createWorld({ files, isFirstOfDay: true, stdin: access.apiKey });
          if (line.startsWith("journal")) await world.run("create -f a.yaml", { transport: unanswered });
          if (/^contract (?:check|show)/.test(line))
            await world.run("contract pull", { transport: async () => answer(openapi) });
          const { exitCode, stdout, stderr } = await world.run(line, {
            terminal: { stdout: isTerminal && line.includes("--watch") },
            transport: async (_request, { beforeSend }) => {
              await beforeSend?.();
              return answer(body, status);
            },
          });
          expect([0, ...codes]).toContain(exitCode);
          expect(stderr).toMatch(allowed);
          expect(stdout + stderr).not.toMatch(/^\s*::|##\w*\[/m);
          if (!isTerminal || !line.includes("--watch")) expect(stdout).toMatch(allowed);
          if (line.endsWith("json") && stdout !== "") {
            const values = line.includes("--watch") ? stdout.trimEnd().split("\n") : [stdout];
            for (const each of values) JSON.parse(each);
          }
          if (line.endsWith("id") && exitCode === 0) expect(stdout).toMatch(/^\S+\n$/);
        },
      ),
      { seed, numRuns: process.env.CASES === "all" ? 400 : 40 },
    );
  });
});
