// Walks over the text of JSON: its numbers and its strings.

/** The JSON text with its numbers in quotes. Takes linear time. */
export function quoteNumbers(text: string): string {
  const number = /-?\d[-+.\deE]*/y;
  let quoted = "";
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === "-" || (character >= "0" && character <= "9")) {
      number.lastIndex = at;
      const [found = character] = number.exec(text) ?? [];
      quoted += `${text.slice(copied, at)}"${found}"`;
      copied = at + found.length;
      at = copied - 1;
    }
  }
  return quoted + text.slice(copied);
}

/** The position of the quote that ends the string at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end - 1;
    while (text.charAt(escapes) === "\\") escapes -= 1;
    if ((end - escapes) % 2 === 1) return end;
  }
  return text.length;
}
