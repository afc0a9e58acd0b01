// Numbers for the parts of a state, so that a state is a short text, also with its processes renamed: two states that
// differ in the names of their processes alone have the same future.
export class Names {
  /** Whether two processes are the same where a checkpoint says so, and where they differ in their numbers alone. */
  readonly isReduced: boolean;
  readonly #numbers = new Map<string, number>();
  readonly #texts = new WeakMap<object, string>();
  readonly #confirmed = new Map<number, string>();
  readonly #renamings = new Map<string, Renaming>();

  constructor(isReduced: boolean) {
    this.isReduced = isReduced;
  }

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** The value as JSON. An object is not changed after this. */
  textOf(value: unknown): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
    const text = this.#texts.get(value) ?? JSON.stringify(value);
    this.#texts.set(value, text);
    return text;
  }

  /** Throws where another value was confirmed under the same name: then the name does not tell enough. */
  confirm(name: string, value: unknown): void {
    const number = this.number(name);
    const text = this.textOf(value);
    const confirmed = this.#confirmed.get(number);
    this.#confirmed.set(number, text);
    if (confirmed !== undefined && confirmed !== text)
      throw new Error(`two states with the same name differ: ${confirmed} and ${text}`);
  }

  /** `order`: the new number of each process, from 1. */
  renaming(order: readonly number[]): Renaming {
    const key = order.join();
    const known = this.#renamings.get(key) ?? new Renaming(this, order);
    this.#renamings.set(key, known);
    return known;
  }
}

export class Renaming {
  readonly #names: Names;
  readonly #order: readonly number[];
  readonly #texts = new Map<string, number>();
  readonly #parts = new WeakMap<object, number>();

  constructor(names: Names, order: readonly number[]) {
    this.#names = names;
    this.#order = order;
  }

  /** The number of the text with its processes renamed. */
  number(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const renamed = text.replace(
      /(writer-|00000000-0000-4000-8000-)(\d{6})/g,
      (_, prefix, number) => prefix + digits(this.#order[Number(number) - 1] ?? Number(number)),
    );
    const number = this.#names.number(renamed);
    this.#texts.set(text, number);
    return number;
  }

  numberOf(value: unknown): number {
    return this.number(this.#names.textOf(value));
  }

  /** The number of a part of a state, which is described once. The part is not changed after this. */
  partOf(part: object, describe: () => string): number {
    const known = this.#parts.get(part);
    if (known !== undefined) return known;
    const number = this.#names.number(describe());
    this.#parts.set(part, number);
    return number;
  }
}

/** The name of a process in everything that it writes. */
export function writerName(number: number): string {
  return `writer-${digits(number)}`;
}

/** A GUID that a process makes up. */
export function guidOf(number: number, count: number): string {
  return `00000000-0000-4000-8000-${digits(number)}${digits(count)}`;
}

/** The numbers of the processes that a text names, in order. */
export function processesIn(text: string): readonly number[] {
  const found = text.matchAll(/(?:writer-|00000000-0000-4000-8000-)(\d{6})/g);
  return [...new Set([...found].map(([, number]) => Number(number)))];
}

function digits(number: number): string {
  return String(number).padStart(6, "0");
}
