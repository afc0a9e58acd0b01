// Golden runs: replays every `$ command` of a transcript and compares the output. Every example of the README and of docs/ is part
// of a transcript, so that the documents stay true.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { documents } from "./harness/documents.ts";
import { createWorld } from "./harness/incident.ts";

const fixtures = new URL("../fixtures/", import.meta.url);
const folder = new URL("transcripts/", fixtures);
const transcripts = readdirSync(folder).filter((name) => name.endsWith(".md"));

function definitions(): Record<string, string> {
  const names = readdirSync(fixtures, { recursive: true }).map(String);
  const files = names.filter((name) =>
    /^(?:(?:(?:invalid|incident-templates)\/)?[^/]+\.yaml|alerts\/[^/]+\.json|contracts\/.+)$/.test(name),
  );
  return Object.fromEntries(files.map((name) => [name, readFileSync(new URL(name, fixtures), "utf8")]));
}

/**
 * Replays the console blocks of a transcript in one world, and returns the transcript with their output. A YAML block
 * below a comment `file:` is written to that file on the way.
 */
async function replay(text: string): Promise<string> {
  const faults = [...text.matchAll(/^<!-- fault: (.+) -->$/gm)].map(([, fault]) => fault as string);
  const onlySpec = !text.includes("<!-- sandbox: every operation -->");
  const world = createWorld({
    files: definitions(),
    faults,
    sandbox: { onlySpec },
    env: { INCIDENT_CLI_ACCOUNT_HEADER: undefined },
  });
  const parts: string[] = [];
  for (const part of text.split(/(^```console\n.*?^```$)/ms)) {
    if (!part.startsWith("```console")) {
      parts.push(part);
      for (const [, name = "", content = ""] of part.matchAll(
        /^<!-- file: (.+) -->\n\n```yaml\n(.*?)^```$/gms,
      )) {
        mkdirSync(dirname(join(world.folder, name)), { recursive: true });
        writeFileSync(join(world.folder, name), content);
      }
    } else {
      const commands = [...part.matchAll(/^\$ incident (.*)$/gm)].map(([, line]) => line as string);
      let block = "```console\n";
      for (const command of commands) {
        const { screen, exitCode } = await world.run(command);
        block += `$ incident ${command}\n${screen}${exitCode === 0 ? "" : `[exit ${exitCode}]\n`}`;
      }
      parts.push(`${block}\`\`\``);
    }
  }
  return parts
    .join("")
    .replaceAll(`${world.folder}/home`, "/home/you")
    .replace(/(?<=127\.0\.0\.1:)\d{4,5}/g, "47811");
}

describe("transcripts", () => {
  it.each(transcripts)("%s is up to date", async (name) => {
    const file = new URL(name, folder);
    await expect(await replay(readFileSync(file, "utf8"))).toMatchFileSnapshot(file.pathname);
  });

  it.each([...documents])("contain every console example of %s", (_, text) => {
    const all = transcripts.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
    const examples = [...text.matchAll(/^```console\n(.*?)^```$/gms)].map(([, body]) => body as string);
    for (const example of examples) expect(all).toContain(example.trimEnd());
  });

  it("have the screen of an interactive create that docs/on-call.md shows", () => {
    expect(documents.get("docs/on-call.md")).toContain(
      readFileSync(new URL("screens/create.txt", folder), "utf8"),
    );
  });
});
