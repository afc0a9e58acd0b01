// HTML as a template: whatever is filled in is escaped, unless it came from a template itself. A page cannot be
// put together in any other way, so no text of an incident ever becomes markup.

export interface Html {
  readonly html: string;
}

export type Content = Html | string | number | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What HTML allows nowhere, not even as an entity: control characters, lone surrogates, and non-characters. */
const forbidden = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: String.raw({ raw: parts }, ...contents.map(renderContent)) };
}

function renderContent(content: Content): string {
  if (content === undefined) return "";
  if (typeof content === "object") {
    return "html" in content ? content.html : content.map(renderContent).join("");
  }
  return String(content)
    .replaceAll("\r\n", "\n")
    .replace(forbidden, "\uFFFD")
    .replace(/[&<>"']/g, (character) => entities[character] as string);
}
