// Characters that look like those of a keyboard, or like nothing, as they come with a copy from a chat or a web page.

/** A control character other than a tab or a line break, or one that overrides the direction of a text. */
export const controlCharacter = /[^\t\n\r -\u{10ffff}]|[\x7f-\x9f\u202d\u202e]/u;

/** The odd characters, each with its name, and the text that they stand for, if that is not their compatible form. */
const odd: readonly (readonly [characters: RegExp, name: string, plain?: string])[] = [
  [/[\u00a0\u202f]/, "no-break space", " "],
  [/[\u2000-\u200a\u205f\u3000]/, "wide space", " "],
  [/[\u200b-\u200d\u2060\ufeff\u00ad]/, "invisible character", ""],
  [/[“”„‘’‚«»]/, "typographic quote", ""],
  [/[•·▪‣]/, "bullet", ""],
  [/[\u2010-\u2015\u2212]/, "dash", "-"],
  [/[\uff01-\uff5e]/, "full-width character"],
  [controlCharacter, "control character", ""],
];

/** The first such character of a text: its name, such as `U+00A0 (no-break space)`, and the plain one in its place. */
export function findLookAlike(text: string) {
  for (const character of text) {
    const row = odd.find(([characters]) => characters.test(character));
    if (row === undefined) continue;
    const [, name, plain = character.normalize("NFKC")] = row;
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return { plain, name: `U+${number} (${name})` };
  }
  return undefined;
}

/** The text with the plain characters in the place of those that look like them. */
export function plainText(text: string): string {
  return Array.from(text, (character) => findLookAlike(character)?.plain ?? character).join("");
}

/** The message for odd space, or for a character that only looks like another. */
export function looksLike(at: string): { readonly message: string; readonly hint: string } {
  if (at.startsWith("\t"))
    return { message: "a tab is used as indentation", hint: "use spaces: YAML does not allow tabs there" };
  const found = findLookAlike(at);
  if (found?.name.includes("invisible")) return { message: `this is ${found.name}`, hint: "remove it" };
  const plain = found?.plain === " " ? "a space" : `"${found?.plain || "- "}"`;
  const place = found?.plain === " " ? " in place of each one in this file" : "";
  const hint = `write ${plain}${place}`;
  return { message: `this is ${found?.name}, and not ${plain}`, hint };
}
