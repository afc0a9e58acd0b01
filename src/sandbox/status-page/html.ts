// A template tag that escapes every value, except for nested templates, so that no text of an incident becomes markup.

export interface Html {
  readonly html: string;
}

export type Content = Html | string | number | undefined | readonly Content[];

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Invalid in HTML even as an entity: control characters, lone surrogates and noncharacters. */
const forbidden = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: String.raw({ raw: parts }, ...contents.map(renderContent)) };
}

function renderContent(content: Content): string {
  if (content === undefined) return "";
  if (typeof content === "object") {
    return "html" in content ? content.html : content.map(renderContent).join("");
  }
  return escapeMarkup(String(content).replaceAll("\r\n", "\n").replace(forbidden, "\uFFFD"));
}

export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? character);
}
