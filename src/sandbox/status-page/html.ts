// A template tag that escapes every value, except for nested templates, so that no text of an incident becomes markup.

export interface Html {
  readonly html: string;
}

type Content = Html | string | number | undefined | readonly Content[];

/** Invalid in HTML even as an entity: control characters, lone surrogates and noncharacters. */
const forbidden = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: String.raw({ raw: parts }, ...contents.map(render)) };
}

function render(content: Content): string {
  if (content === undefined) return "";
  if (typeof content === "object") return "html" in content ? content.html : content.map(render).join("");
  const text = String(content).replaceAll("\r\n", "\n").replace(forbidden, "\uFFFD");
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
