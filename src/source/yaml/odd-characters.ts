// Characters that look like the syntax of YAML and are text, as they come with a copy from a chat or a web page.

const oddSpace = /^ *([\u00a0\u2000-\u200a\u202f\u205f\u3000])/;

/** The name of an odd space at the start of the text, such as "U+00A0". */
export function oddSpaceBefore(text: string): string | undefined {
  const character = oddSpace.exec(text)?.[1];
  return character && `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
