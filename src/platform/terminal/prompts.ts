// Asks with lists and lines on a terminal. The only importer of @clack/prompts and @clack/core, which load with the
// first question.
import type { Transform, Writable } from "node:stream";
import { styleText } from "node:util";
import { AutocompletePrompt, type CANCEL_SYMBOL, isCancel } from "@clack/core";
import {
  limitOptions,
  S_BAR,
  S_BAR_END,
  S_CHECKBOX_INACTIVE,
  S_CHECKBOX_SELECTED,
  select,
  symbol,
  text,
} from "@clack/prompts";
import type { Choice, PromptLook, PromptSession } from "../context.ts";
import { markPastes, unmarkPastes } from "./paste.ts";
import { createKeys, createScreen } from "./streams.ts";

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
  async function ask<T>(question: (streams: Streams) => Promise<Answer<T>>): Promise<T | undefined> {
    const { input, output, signal } = terminal;
    const keys = createKeys(input);
    const screen = createScreen(output, terminal);
    const resize = () => screen.emit("resize");
    output.on("resize", resize);
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
    text: ({ message, placeholder, initial, check }) =>
      ask((streams) =>
        text({
          ...streams,
          message,
          ...(placeholder !== undefined && { placeholder }),
          ...(initial !== undefined && { initialValue: initial }),
          validate: (answer) => check(answer ?? ""),
        }),
      ).then((answer) => answer?.trim()),
    choose: ({ message, choices, initial }) =>
      ask((streams) =>
        select<string>({
          ...streams,
          message,
          options: choices.map((choice) => ({ ...choice })),
          ...(initial !== undefined && { initialValue: initial }),
        }),
      ) as Promise<never>,
    chooseSeveral: (question) => ask((streams) => chooseSeveral(question, streams)),
  };
}

const dim = (part: string) => styleText("dim", part);

/** The library's own list requires Tab even for a single match, and shows a count instead of the chosen names. */
async function chooseSeveral(
  { message, choices, initial = [] }: Parameters<PromptSession["chooseSeveral"]>[0],
  streams: Streams,
): Promise<Answer<readonly string[]>> {
  const draw = (choice: Choice<string>, isFocused: boolean) => {
    const box = prompt.selectedValues.includes(choice.value) ? S_CHECKBOX_SELECTED : S_CHECKBOX_INACTIVE;
    return `${box} ${isFocused ? choice.label : dim(choice.label)}`;
  };
  const prompt: AutocompletePrompt<Choice<string>> = new AutocompletePrompt<Choice<string>>({
    ...streams,
    options: [...choices],
    multiple: true,
    initialValue: [...initial],
    filter: (search, { value, label }) =>
      [value, label].some((text) => text.toLowerCase().includes(search.trim().toLowerCase())),
    validate: () => {
      if (prompt.selectedValues.length > 0) return undefined;
      // After a search or a move, Enter selects the focused entry.
      const isMeant = prompt.userInput.trim() !== "" || prompt.isNavigating;
      if (!isMeant || prompt.focusedValue === undefined) return "choose at least one: Tab marks it";
      prompt.toggleSelected(prompt.focusedValue);
      prompt.value = prompt.selectedValues;
      return undefined;
    },
    render() {
      const head = `${dim(S_BAR)}\n${symbol(this.state)}  ${message}\n${dim(S_BAR)}  `;
      const chosen = choices.filter(({ value }) => this.selectedValues.includes(value));
      if (this.state === "submit" || this.state === "cancel") {
        return head + dim(chosen.map(({ label }) => label).join(", "));
      }
      const search = `${dim("Search:")} ${this.userInputWithCursor}`;
      const problem = this.state === "error" ? [this.error] : [];
      const empty = this.filteredOptions.length === 0 ? ["nothing matches"] : [];
      const keys = dim(`Tab: mark • Enter: go on • Type: search`);
      const options = limitOptions({
        output: streams.output,
        options: this.filteredOptions,
        cursor: this.cursor,
        columnPadding: 3,
        rowPadding: 6 + problem.length,
        style: draw,
      });
      const lines = [...problem, ...empty, ...options, keys].map((line) => `${S_BAR}  ${line}`);
      return [head + search, ...lines, S_BAR_END].join("\n");
    },
  });
  return (await prompt.prompt()) as Answer<readonly string[]>;
}
