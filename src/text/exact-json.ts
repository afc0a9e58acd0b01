// JSON whose numbers keep their text: JavaScript holds 12345678901234567890 and 1e400 only nearly, and the answer of the
// service is printed as the service wrote it.

/** The texts of the numbers that JavaScript does not hold, by the object or list, and the name of the field in it. */
const texts = new WeakMap<object, Map<string, string>>();

/** Keeps the numbers of `text`, which is JSON, for the value that was parsed from it. */
export function keepNumbers(value: unknown, text: string): void {
  const quoted = quoteNumbers(text, isInexact);
  // Both have the same shape, so that no text in the JSON can pass for a number.
  if (quoted !== text) keepTexts(value, JSON.parse(quoted));
}

export function stringifyExact(value: unknown, indent?: number): string {
  return renderExact(value, (each) => JSON.stringify(each, undefined, indent));
}

/** The result of `render`, with the texts of the numbers in it. `render` writes a word as it is, or in quotes. */
export function renderExact(value: unknown, render: (value: unknown) => string): string {
  const plain = render(value);
  if (!hasTexts(value)) return plain;
  let word = "number";
  for (let count = 0; plain.includes(word); count += 1) word = `number${count}x`;
  const marked = JSON.stringify(value, function (this: object, name, field) {
    const text = texts.get(this)?.get(name);
    return text === undefined ? field : `${word}${text}`;
  });
  return render(JSON.parse(marked)).replace(new RegExp(`"?${word}([-+.\\deE]+)"?`, "g"), "$1");
}

function hasTexts(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return texts.has(value) || Object.values(value).some(hasTexts);
}

function keepTexts(value: unknown, quoted: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const others: readonly unknown[] = Object.values(quoted as object);
  for (const [index, [name, field]] of Object.entries(value).entries()) {
    const other = others[index];
    if (typeof field !== "number" || typeof other !== "string") keepTexts(field, other);
    else texts.set(value, (texts.get(value) ?? new Map()).set(name, other));
  }
}

/** The JSON text with its numbers in quotes, or those for which `isQuoted` holds. Takes linear time. */
export function quoteNumbers(text: string, isQuoted: (number: string) => boolean = () => true): string {
  const number = /-?\d[-+.\deE]*/y;
  let quoted = "";
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === "-" || (character >= "0" && character <= "9")) {
      number.lastIndex = at;
      const [found = character] = number.exec(text) ?? [];
      if (isQuoted(found)) {
        quoted += `${text.slice(copied, at)}"${found}"`;
        copied = at + found.length;
      }
      at += found.length - 1;
    }
  }
  return quoted + text.slice(copied);
}

/** Whether the number that JavaScript reads is written with other digits. */
function isInexact(number: string): boolean {
  return !/^-?\d{1,15}$/.test(number) && digitsOf(number) !== digitsOf(String(Number(number)));
}

/** The significant digits, and the power of ten of the last one. */
function digitsOf(number: string): string {
  const [, sign, whole = "", fraction = "", power = 0] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  let length = digits.length;
  while (digits.charAt(length - 1) === "0") length -= 1;
  if (length === 0) return "0";
  const exponent = Number(power) - fraction.length + digits.length - length;
  return `${sign}${digits.slice(0, length)}e${exponent}`;
}

/** The position of the quote that ends the string at `start`; the end of the text if there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end - 1;
    while (text.charAt(escapes) === "\\") escapes -= 1;
    if ((end - escapes) % 2 === 1) return end;
  }
  return text.length;
}
