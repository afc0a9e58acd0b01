// Checks --key and --dedup-key against each other and against the definitions.
import { Failure } from "../../failure.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";

/** `--key` and `--dedup-key` identify a single incident without an id. */
export function checkKeys(
  { dedupKey, key }: { readonly dedupKey: string | undefined; readonly key?: string },
  definitions: readonly LocatedDefinition[],
): void {
  if (key !== undefined && dedupKey !== undefined) {
    throw new Failure("usage", "--key and --dedup-key cannot be used together", {
      hint: "use --key for one incident forever, or --dedup-key for one incident at a time",
    });
  }
  const text = key ?? dedupKey;
  if (text === undefined) return;
  const flag = key === undefined ? "--dedup-key" : "--key";
  const [only, ...others] = definitions;
  if (text.trim() === "") {
    throw new Failure("usage", `${flag} is empty`, {
      hint:
        key === undefined
          ? "give it a text that names the problem, such as the group of an alert"
          : "give it a text that names this incident, such as a build's number",
    });
  }
  if (others.length > 0) {
    throw new Failure(
      "usage",
      `${flag} names one incident, but there are ${definitions.length} definitions`,
      {
        hint: "give each definition an id, or create them one by one with a key each",
      },
    );
  }
  if (only?.definition.id !== undefined) {
    throw new Failure(
      "usage",
      `${flag} cannot be used with a definition that has an id (${only.definition.id})`,
      {
        hint: `remove the id or ${flag}`,
      },
    );
  }
}
