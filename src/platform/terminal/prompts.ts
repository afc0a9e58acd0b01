// Asks with lists and lines on a terminal. The only importer of @clack/prompts, which loads with the first question.
import type { Transform, Writable } from "node:stream";
import {
  autocompleteMultiselect,
  type CANCEL_SYMBOL,
  isCancel,
  log,
  password,
  select,
  settings,
  text,
} from "@clack/prompts";
import type { Choice, PromptLook, PromptSession } from "../context.ts";
import { hiddenPaste, markPastes, unmarkPastes } from "./paste.ts";
import { escapeLine } from "./safe-text.ts";
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

// A letter that was meant for another question moves nothing, and Escape is not Ctrl-C.
for (const key of ["h", "j", "k", "l", "escape"]) settings.aliases.delete(key);

export function createPrompts(terminal: Terminal): PromptSession {
  /** Each question has its own streams, so that earlier key presses do not answer it. */
  async function ask<T>(
    question: (streams: Streams) => Promise<T | typeof CANCEL_SYMBOL>,
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
    text: async (question) => {
      const { fallback, placeholder = fallback, initial, isHidden, check, mayShow } = question;
      const message = escapeLine(question.message);
      const isUnshown = (typed = "") => typed.includes(hiddenPaste);
      const problemOf = (typed: string) => escaped(check(typed));
      const validate = (typed = "") => (isUnshown(typed) ? undefined : problemOf(typed));
      const one = (streams: Streams) =>
        isHidden
          ? password({ ...streams, message, mask: " ", validate, clearOnError: true })
          : text({
              ...streams,
              message,
              validate,
              ...(placeholder !== undefined && { placeholder: escapeLine(placeholder) }),
              ...(initial !== undefined && { initialValue: initial }),
            });
      for (;;) {
        const answer = await ask(one, mayShow);
        if (!isUnshown(answer)) return answer?.trim();
        // The terminal never showed the paste, which can be a secret: the question is asked again.
        log.error(`${hiddenPaste}: ${problemOf(hiddenPaste)}`, {
          output: createScreen(terminal.output, terminal),
        });
      }
    },
    choose: ({ choices, initial, message }) =>
      ask((streams) => {
        const options = optionsOf(choices);
        return select<string>({
          ...streams,
          message: escapeLine(message),
          options,
          ...(initial && { initialValue: initial }),
        });
      }) as Promise<never>,
    chooseSeveral: ({ choices, initial = [], message }) =>
      ask((streams) => {
        const listed = { message: escapeLine(message), options: optionsOf(choices) };
        const several = { ...listed, initialValues: [...initial], required: true };
        return autocompleteMultiselect<string>({ ...streams, ...several });
      }),
  };
}

const escaped = (text: string | undefined) => (text === undefined ? undefined : escapeLine(text));

function optionsOf<T extends string>(choices: readonly Choice<T>[]) {
  return choices.map(({ explanation, label, value }) => ({
    value: value as string,
    label: escapeLine(label),
    ...(explanation !== undefined && { hint: escapeLine(explanation) }),
  }));
}
