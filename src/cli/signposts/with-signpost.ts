// Adds the way out to a usage failure of the parser: the command or the flag that stands in for one of another tool,
// the limits of the API, or the nearest spelling. Loaded only when a command line is wrong.
import { Failure } from "../../failure.ts";
import { isGuid } from "../../rules/forms.ts";
import { didYouMean, nearest } from "../../text/suggest.ts";
import { parseWords } from "../completion/complete.ts";
import { groups, specs } from "../registry.ts";
import { flagNames, flagSignpost } from "./flags.ts";
import { change, type Signpost, wordSignpost } from "./words.ts";

const missingId: Signpost = {
  message: "incident get needs the id of an incident",
  hint: "add the id; this command lists the ids of the incidents that were declared from here",
  commands: [{ command: "incident journal list", purpose: "the incidents that were declared from here" }],
};

export function withSignpost(argv: readonly string[], failure: Failure): Failure {
  const { group, operands, spec } = parseWords(argv);
  const [word = ""] = operands;
  const id = operands.find(isGuid);
  if (spec?.name === "sandbox" && operands.length > 0 && !argv.includes("--"))
    return replaced(failure, { hint: "write -- before the command: incident sandbox -- COMMAND" }, id);
  const [, kind, name = ""] = /^unknown (command|option) '(-*[^=']*)/.exec(failure.message) ?? [];
  if (kind === "option") {
    const hint = flagSignpost(name, spec);
    if (hint !== undefined) return replaced(failure, { hint }, id);
    const near = nearest(name.replace(/^-+/, ""), flagNames(spec));
    return near === undefined ? failure : replaced(failure, { hint: didYouMean(`--${near}`) }, id);
  }
  if (kind === "command") {
    const signpost = wordSignpost([group, word].filter(Boolean).join(" ")) ?? guessByForm(word);
    if (signpost !== undefined) return replaced(failure, signpost, id);
    const near = nearest(word, commandWords(group));
    return near === undefined ? failure : replaced(failure, { hint: didYouMean(near) }, id);
  }
  if (spec?.name === "create" && id !== undefined) return replaced(failure, change, id);
  if (spec?.name === "get" && operands.length === 0 && failure.message.includes("'id'"))
    return replaced(failure, missingId, id);
  return failure;
}

function commandWords(group: string | undefined): readonly string[] {
  if (group === undefined)
    return [...new Set([...specs.map(({ name }) => name.split(" ")[0] ?? name), ...Object.keys(groups)])];
  return specs.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []));
}

/** An id or a file in the place of the command. */
function guessByForm(word: string): Signpost | undefined {
  if (isGuid(word)) return { hint: "use incident get ID" };
  if (!/\.(ya?ml|json)$/.test(word)) return undefined;
  return { hint: `use incident validate ${word}, or incident create -f ${word}` };
}

function replaced(failure: Failure, { commands, hint, message }: Signpost, id: string | undefined): Failure {
  const withId = (text: string) => (id === undefined ? text : text.replace(/\bID\b/, id));
  return new Failure("usage", message ?? failure.message, {
    hint: withId(hint),
    ...(commands && {
      commands: commands.map(({ command, purpose }) => ({ command: withId(command), purpose })),
    }),
  });
}
