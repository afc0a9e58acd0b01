// Asks with lists and lines on a terminal. The only importer of @clack/prompts, which loads with the first question.
import type { Transform, Writable } from "node:stream";
import {
  autocompleteMultiselect,
  type CANCEL_SYMBOL,
  isCancel,
  password,
  select,
  settings,
  text,
} from "@clack/prompts";
import type { Choice, PromptSession } from "../context.ts";
import { markPastes, unmarkPastes } from "./paste.ts";
import { escapeLine } from "./safe-text.ts";
import { createKeys, createScreen, discardKeys } from "./streams.ts";

export interface Terminal {
  readonly color: boolean;
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
  ): Promise<T | undefined> {
    const { color, input, output, signal } = terminal;
    const keys = createKeys(input);
    const screen = createScreen(output, color);
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
      const { fallback, placeholder = fallback, initial, isHidden, check } = question;
      const message = escapeLine(question.message);
      const validate = (typed = "") => escaped(check(typed));
      const answer = await ask((streams) =>
        isHidden
          ? password({ ...streams, message, mask: " ", validate, clearOnError: true })
          : text({
              ...streams,
              message,
              validate,
              ...(placeholder !== undefined && { placeholder: escapeLine(placeholder) }),
              ...(initial !== undefined && { initialValue: initial }),
            }),
      );
      return answer?.trim();
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
