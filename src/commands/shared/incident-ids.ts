// The ids of incidents on a command line: each a GUID, or an address with one in it, such as that of the web application.
import { Failure } from "../../failure.ts";
import { guidPattern } from "../../rules/forms.ts";
import { advise, argv } from "../../text/advice.ts";

/** Throws a `Failure` "usage" for a text without an id. */
export function readIds(texts: readonly string[]): readonly string[] {
  return texts.map((text) => {
    const [id, ...others] = text.match(new RegExp(guidPattern.source.slice(1, -1), "gi")) ?? [];
    if (id !== undefined && others.length === 0) return id;
    throw new Failure("usage", `"${text}" cannot be an incident's id`, {
      hint: /\s/.test(text)
        ? "a text follows --message"
        : advise`give the whole id, a GUID: ${argv`incident list --open`} and ${argv`incident journal list`} show ids`,
    });
  });
}
