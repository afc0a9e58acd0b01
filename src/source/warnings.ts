// Warnings about a valid definition that probably differs from its author's intention.
import type { Diagnostic, Locate, Path } from "../diagnostic.ts";
import type { Definition } from "../incident/definition.ts";
import { findLeaks } from "../incident/leaks.ts";
import type { LeakMode } from "../incident/policy.ts";
import { type Status, statuses } from "../incident/values.ts";
import { withoutTypographicQuotes } from "../rules/quote.ts";
import { findLookAlike } from "../text/look-alikes.ts";
import type { Filled } from "./variables/replace-variables.ts";

export function findWarnings(definition: Definition, locate: Locate): readonly Diagnostic[] {
  const texts = publicTexts(definition);
  return [
    ...texts.flatMap(({ path }) => cutText(path, locate)),
    ...texts.flatMap((text) => quotedText(text, locate)),
    ...texts.flatMap((text) => leftPlaceholder(text, locate)),
    ...texts.flatMap((text) => leftLineBreak(text, locate)),
    ...texts.flatMap((text) => invisibleInName(text, locate)),
    ...backwardStatuses(definition, locate),
  ];
}

function publicTexts({ name, services, incidentUpdates }: Definition): readonly PublicText[] {
  return [
    { path: ["name"], text: name },
    ...services.map((service, index) => ({ path: ["services", index, "name"], text: service.name })),
    ...incidentUpdates.map(({ description }, index) => ({
      path: ["incidentUpdates", index, "description"],
      text: description,
    })),
  ];
}

interface PublicText {
  readonly path: Path;
  readonly text: string;
}

/** A plain text that a "#" cuts short: YAML reads the rest of the line as a comment. A comment has a space after it. */
function cutText(path: Path, locate: Locate): readonly Diagnostic[] {
  const location = locate(path);
  const { start, end, source } = location;
  const line = [...source];
  const text = line.slice(start.column - 1, end.column - 1).join("");
  const rest = line.slice(end.column - 1).join("");
  if (start.line !== end.line || /^["'|>]/.test(text) || !/^ +#[^\s#]/.test(rest)) return [];
  const message = `${path.at(-1)} ends before the "#": the rest of the line is a comment`;
  const hint = `put the text in quotes: ${JSON.stringify(text + rest)}`;
  return [{ code: "cut-text", level: "warning", message, hint, location }];
}

/** A text in typographic quotes, which are ordinary characters for YAML. */
function quotedText({ path, text }: PublicText, locate: Locate): readonly Diagnostic[] {
  const inner = withoutTypographicQuotes(text);
  if (inner === undefined || /[“”„«»]/.test(inner)) return [];
  const message = `the typographic quotes are part of ${path.at(-1)}, so customers see them`;
  const hint = `remove them, or write straight quotes: ${JSON.stringify(inner)}`;
  return [{ code: "typographic-quotes", level: "warning", message, hint, location: locate(path) }];
}

/** `{{ name }}` of other tools, or `$NAME` of a shell. Nothing replaces them. */
const placeholder =
  /\{\{\s*[$.]?(?<name>[A-Za-z_][\w.-]*)[^}]*\}\}|(?<![\w$])\$(?<variable>[A-Z][A-Z_]{2,})\b/;

function leftPlaceholder({ path, text }: PublicText, locate: Locate): readonly Diagnostic[] {
  const { 0: written, groups: { name, variable } = {} } = placeholder.exec(text) ?? {};
  if (written === undefined) return [];
  const message = `${path.at(-1)} has ${written}, and customers would see it so`;
  const hint = `replace it; in a file, a variable is \${${name ?? variable}}, and --var gives its value`;
  const location = locate(path, "value", written);
  return [{ code: "left-placeholder", level: "warning", message, hint, location }];
}

/** `\n` as two characters, as a shell passes it on. In a path such as `C:\new` it is none. */
const writtenLineBreak = /(?<=[\s.!?,;)])\\n|(?<!\b[A-Za-z]:)\\n(?![a-z])/;

function leftLineBreak({ path, text }: PublicText, locate: Locate): readonly Diagnostic[] {
  if (!writtenLineBreak.test(text)) return [];
  const message = `${path.at(-1)} has \\n, and customers would see it so`;
  const hint = `write a line break: in a file as text below "|", in a shell as $'one\\ntwo'`;
  return [{ code: "left-placeholder", level: "warning", message, hint, location: locate(path) }];
}

/** The zero-width joiner may stand in a name: emoji and some scripts need it. */
function invisibleInName({ path, text }: PublicText, locate: Locate): readonly Diagnostic[] {
  const [character] = path.at(-1) === "name" ? (/[\u200b\u2060\ufeff]/.exec(text) ?? []) : [];
  if (character === undefined) return [];
  const message = `name has ${findLookAlike(character)?.name}, so it equals no name without it`;
  const location = locate(path);
  return [{ code: "control-character", level: "warning", message, hint: "remove it", location }];
}

function backwardStatuses({ incidentUpdates }: Definition, locate: Locate): readonly Diagnostic[] {
  let last: Status = statuses[0];
  return incidentUpdates.flatMap(({ status = last }, index): Diagnostic[] => {
    const before = last;
    last = status;
    if (statuses.indexOf(status) >= statuses.indexOf(before)) return [];
    const location = locate(["incidentUpdates", index, "status"]);
    const message = `the status goes back from ${before} to ${status}`;
    const hint = "write the updates oldest first; keep it if the incident was reopened";
    return [{ code: "backward-status", level: "warning", message, hint, location }];
  });
}

/**
 * Internals in the texts that customers read. `mode`: that of the policy, which can make them errors; undefined checks
 * only the values of variables.
 */
export function leakDiagnostics(
  definition: Definition,
  filled: readonly Filled[],
  locate: Locate,
  mode: LeakMode | undefined,
): readonly Diagnostic[] {
  const told = new Set<string>();
  const level = mode === "forbid" ? "error" : "warning";
  const fromValues = filled.flatMap(({ match, name, path, value }) =>
    findLeaks(value).map((leak): Diagnostic => {
      told.add(leak.text);
      const message = `the value of ${name} has ${leak.inWords}, and customers would read it`;
      const hint = "use another variable here, or map it with values";
      return { code: "leak", level, message, hint, location: locate(path, "value", match) };
    }),
  );
  const texts = mode === undefined ? [] : publicTexts(definition);
  const own = texts.flatMap(({ path, text }) =>
    findLeaks(text).flatMap((leak): Diagnostic[] => {
      if (told.has(leak.text)) return [];
      const message = `${path.at(-1)} has ${leak.inWords}, and customers would read it`;
      const location = locate(path, "value", leak.text);
      return [{ code: "leak", level, message, hint: "remove it", location }];
    }),
  );
  return [...fromValues, ...own];
}
