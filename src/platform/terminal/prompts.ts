// Asks with lists and lines on a terminal. The only importer of @clack/prompts and @clack/core, which load with the
// first question.
import type { Transform, Writable } from "node:stream";
import { styleText } from "node:util";
import {
  AutocompletePrompt,
  type CANCEL_SYMBOL,
  isCancel,
  SelectPrompt,
  settings,
  TextPrompt,
  wrapTextWithPrefix,
} from "@clack/core";
import {
  limitOptions,
  S_BAR,
  S_BAR_END,
  S_CHECKBOX_INACTIVE,
  S_CHECKBOX_SELECTED,
  S_RADIO_ACTIVE,
  S_RADIO_INACTIVE,
  symbol,
} from "@clack/prompts";
import type { Choice, Chosen, PromptLook, PromptSession } from "../context.ts";
import { hiddenPaste, markPastes, unmarkPastes } from "./paste.ts";
import { createKeys, createScreen, discardKeys } from "./streams.ts";

export interface Terminal extends PromptLook {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

interface Streams {
  readonly input: Transform;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

type Answer<T> = T | typeof CANCEL_SYMBOL;

export function createPrompts(terminal: Terminal): PromptSession {
  /** Each question has its own streams, so that earlier key presses do not answer it. */
  async function ask<T>(
    question: (streams: Streams) => Promise<Answer<T>>,
    mayShow?: (pasted: string) => boolean,
  ): Promise<T | undefined> {
    const { input, output, signal } = terminal;
    const keys = createKeys(input, mayShow);
    const screen = createScreen(output, terminal);
    const resize = () => screen.emit("resize");
    output.on("resize", resize);
    await discardKeys(input);
    output.write(markPastes);
    input.pipe(keys);
    try {
      const answer = await question({ input: keys, output: screen, signal });
      return isCancel(answer) ? undefined : answer;
    } finally {
      input.unpipe(keys);
      input.pause();
      output.write(unmarkPastes);
      output.off("resize", resize);
    }
  }

  return {
    text: (question) =>
      ask((streams) => askText(question, streams), question.mayShow).then((answer) => answer?.trim()),
    choose: (question) => ask((streams) => choose(question, streams)) as Promise<never>,
    chooseSeveral: (question) => ask((streams) => chooseSeveral(question, streams)),
  };
}

const dim = (part: string) => styleText("dim", part);

function behindGutter(output: Writable, text: string): string {
  return wrapTextWithPrefix(output, text, `${S_BAR}  `);
}

function frame(state: Parameters<typeof symbol>[0], message: string, output: Writable): string {
  const gutter = `${S_BAR}  `;
  // After a line that is full to its last column, the space stands in the next one.
  const withoutSpace = (line: string, at: number) => (at === 0 ? line : line.trimStart());
  const heading = wrapTextWithPrefix(output, message, gutter, `${symbol(state)}  `, gutter, withoutSpace);
  return `${dim(S_BAR)}\n${heading}\n`;
}

class LinePrompt extends TextPrompt {
  clear(): void {
    this._clearUserInput();
  }
}

/** A line of text. The library's own one keeps nothing after Ctrl-C, and draws a long text outside of its gutter. */
async function askText(
  question: Parameters<PromptSession["text"]>[0],
  { output, ...streams }: Streams,
): Promise<Answer<string>> {
  const { message, fallback, placeholder = fallback, initial, isHidden = false, check, keep } = question;
  const gutter = `${S_BAR}  `;
  const prompt: LinePrompt = new LinePrompt({
    ...streams,
    output,
    ...(initial !== undefined && { initialUserInput: initial }),
    validate: (typed) => {
      const problem = check(typed ?? "");
      const wasPasted = typed?.includes(hiddenPaste);
      if (problem !== undefined && (isHidden || wasPasted)) prompt.clear();
      return problem && wasPasted ? `${hiddenPaste}: ${problem}` : problem;
    },
    render() {
      const head = frame(this.state, message, output);
      if (this.state === "submit" || this.state === "cancel") {
        const given = this.state === "submit" ? this.userInput || (fallback ?? "") : this.userInput;
        return head + wrapTextWithPrefix(output, isHidden ? "" : given, gutter, gutter, gutter, dim);
      }
      const isEmpty = isHidden || this.userInput === "";
      const shown = isEmpty && placeholder !== undefined ? dim(placeholder) : this.userInputWithCursor;
      const problem = this.state === "error" ? `\n${wrapTextWithPrefix(output, this.error, gutter)}` : "";
      return `${head}${wrapTextWithPrefix(output, isHidden ? dim("_") : shown, gutter)}${problem}\n${S_BAR_END}`;
    },
  });
  const answer = await prompt.prompt();
  if (isCancel(answer) && prompt.userInput.trim() !== "") keep?.(prompt.userInput);
  return answer ?? "";
}

// The library takes these letters for arrow keys. Here a letter begins the name of a choice.
for (const letter of ["h", "j", "k", "l"]) settings.aliases.delete(letter);

/** A list. The library's own one always has a choice that Enter takes, and explains only the focused one. */
async function choose<T extends string>(
  {
    message,
    choices,
    initial,
    isDeliberate = false,
  }: Parameters<PromptSession["choose"]>[0] & {
    readonly choices: readonly Choice<T>[];
  },
  { output, ...streams }: Streams,
): Promise<Answer<string>> {
  const width = Math.max(...choices.map(({ label }) => label.length));
  const draw = ({ explanation, label }: Choice<T>, isFocused: boolean) => {
    const text = explanation === undefined ? label : `${label.padEnd(width)}  ${dim(explanation)}`;
    return `${isFocused ? S_RADIO_ACTIVE : dim(S_RADIO_INACTIVE)} ${isFocused ? text : dim(text)}`;
  };
  const prompt: SelectPrompt<Choice<T>> = new SelectPrompt<Choice<T>>({
    ...streams,
    output,
    options: [...choices],
    ...(initial !== undefined && { initialValue: initial as T }),
    validate: (value) => (value === undefined ? "choose one with the arrow keys" : undefined),
    render() {
      const head = frame(this.state, message, output);
      const chosen = choices.find(({ value }) => value === this.value)?.label ?? "";
      if (this.state === "submit" || this.state === "cancel")
        return `${head}${wrapTextWithPrefix(output, chosen, `${S_BAR}  `, undefined, undefined, dim)}`;
      const options = limitOptions({
        output,
        options: [...choices],
        cursor: this.cursor,
        columnPadding: 3,
        rowPadding: 5,
        style: draw,
      });
      const problem = this.state === "error" ? [this.error] : [];
      const lines = [...options, ...problem, dim("↑/↓: choose • Enter: go on")];
      return `${head}${lines.map((line) => behindGutter(output, line)).join("\n")}\n${S_BAR_END}`;
    },
  });
  let typed = "";
  prompt.on("key", (character) => {
    const begins = (text: string) =>
      choices.findIndex(({ isDestructive, label }) => !isDestructive && label.toLowerCase().startsWith(text));
    const letters = /^\p{L}$/u.test(character ?? "") ? `${character}`.toLowerCase() : undefined;
    typed = letters === undefined ? "" : typed + letters;
    if (letters === undefined) return;
    if (begins(typed) < 0) typed = begins(letters) < 0 ? "" : letters;
    if (typed === "") return;
    prompt.cursor = begins(typed);
    prompt.value = choices[prompt.cursor]?.value;
  });
  if (isDeliberate && initial === undefined) {
    // Before the first choice: the arrow keys go from here to either end of the list.
    prompt.cursor = -1;
    prompt.value = undefined;
  }
  return (await prompt.prompt()) as Answer<string>;
}

/** Space marks an entry, as in other lists, also while a search is typed. A search focuses its first match. */
class ListPrompt extends AutocompletePrompt<Choice<string>> {
  other: string | undefined;

  get search(): string {
    return this.userInput.trim();
  }

  /** Whether the search is a text that no entry but `other` stands for. */
  get isForOther(): boolean {
    return this.search !== "" && this.filteredOptions.every(({ value }) => value === this.other);
  }

  protected override _isActionKey(character: string | undefined, key: { name?: string }): boolean {
    if (key.name === "space" && !this.isForOther) this.isNavigating = true;
    return (key.name === "space" && !this.isForOther) || character === "\t";
  }

  protected override _setUserInput(value: string | undefined, write?: boolean): void {
    if ((value ?? "") !== this.userInput) this.focusedValue = undefined;
    super._setUserInput(value, write);
  }
}

/** A list with a filter. The library's own one requires Tab even for one match, and shows no chosen names. */
async function chooseSeveral(
  { message, choices, initial = [], other }: Parameters<PromptSession["chooseSeveral"]>[0],
  streams: Streams,
): Promise<Answer<Chosen>> {
  const draw = (choice: Choice<string>, isFocused: boolean) => {
    const box = prompt.selectedValues.includes(choice.value) ? S_CHECKBOX_SELECTED : S_CHECKBOX_INACTIVE;
    const label = prompt.isForOther ? `${choice.label}: ${prompt.search}` : choice.label;
    return `${box} ${isFocused ? label : dim(label)}`;
  };
  const prompt: ListPrompt = new ListPrompt({
    ...streams,
    options: [...choices],
    multiple: true,
    initialValue: [...initial],
    filter: (search, { value, label }) =>
      value === other || label.toLowerCase().includes(search.trim().toLowerCase()),
    validate: () => {
      const { focusedValue: focused, isNavigating, search, selectedValues: selected } = prompt;
      if (focused === undefined) return `no entry has "${search}": correct or delete it`;
      // Enter selects the focused entry after a search, and where no entry is marked, after a move.
      const isMeant = isNavigating ? selected.length === 0 : search !== "";
      if (isMeant && !selected.includes(focused)) prompt.toggleSelected(focused);
      return prompt.selectedValues.length === 0 ? "choose at least one: Space marks it" : undefined;
    },
    render() {
      const head = frame(this.state, message, streams.output);
      const chosen = choices.filter(({ value }) => this.selectedValues.includes(value));
      if (this.state === "submit" || this.state === "cancel") {
        const names = chosen.map(({ label }) => label).join(", ");
        return head + wrapTextWithPrefix(streams.output, names, `${S_BAR}  `, undefined, undefined, dim);
      }
      const search = `${dim("Search:")} ${this.userInputWithCursor}`;
      const problem = this.state === "error" ? [this.error] : [];
      const empty = this.filteredOptions.length === 0 ? ["no match"] : [];
      const keys = dim("Space: mark • Enter: go on • Type: search");
      const options = limitOptions({
        output: streams.output,
        options: this.filteredOptions,
        cursor: this.cursor,
        columnPadding: 3,
        rowPadding: 6 + problem.length,
        style: draw,
      });
      const lines = [search, ...problem, ...empty, ...options, keys];
      return `${head}${lines.map((line) => behindGutter(streams.output, line)).join("\n")}\n${S_BAR_END}`;
    },
  });
  prompt.other = other;
  const answer = await prompt.prompt();
  if (isCancel(answer)) return answer;
  return { values: prompt.selectedValues, typed: prompt.isForOther ? prompt.search : "" };
}
