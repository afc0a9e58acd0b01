// Characters that look like those of a keyboard, or like nothing, as they come with a copy from a chat or a web page.

/** The odd characters by the characters that they stand for, each with its name. */
const odd: readonly (readonly [plain: string, characters: RegExp, name: string])[] = [
  [" ", /[\u00a0\u202f]/, "no-break space"],
  [" ", /[\u2000-\u200a\u205f\u3000]/, "wide space"],
  ["", /[\u200b-\u200d\u2060\ufeff\u00ad]/, "invisible character"],
  ["", /[“”„‘’‚«»]/, "typographic quote"],
  ["", /[•·▪‣]/, "bullet"],
  ["-", /[\u2010-\u2015\u2212]/, "dash"],
];

export interface LookAlike {
  readonly character: string;
  /** Such as `U+00A0 (no-break space)`. */
  readonly name: string;
  /** The character of the keyboard in its place. */
  readonly plain: string;
}

/** The first such character of a text. */
export function findLookAlike(text: string): LookAlike | undefined {
  for (const character of text) {
    const [plain, , name] = odd.find(([, characters]) => characters.test(character)) ?? fullWidth(character);
    if (name === undefined || plain === undefined) continue;
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return { character, plain, name: `U+${number} (${name})` };
  }
  return undefined;
}

function fullWidth(character: string): readonly [] | readonly [string, RegExp, string] {
  if (!/[\uff01-\uff5e]/.test(character)) return [];
  const plain = String.fromCharCode(character.charCodeAt(0) - 0xfee0);
  return [plain, /./, `full-width ${plain}`];
}

/** The text in characters of the keyboard. */
export function withoutLookAlikes(text: string): string {
  return [...text].map((character) => findLookAlike(character)?.plain ?? character).join("");
}
