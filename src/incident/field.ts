// The form of a row of the table of fields, and functions over any such table. The table is in definition.ts.
import { mappingWith } from "../rules/build.ts";
import type { RuleNotes, RuleSchema, Rules } from "../rules/rule-schema.ts";

/** `own`: each page has a place for it. `hidden`: no page shows it. Else it is a line of its own, with this label. */
export type Show =
  | "own"
  | "hidden"
  | { readonly label: string; readonly as: "text" | "time"; readonly note?: string };

/**
 * How a value is compared with that of the service. `answer`: with the answer to the request alone. `list`: entry by
 * entry, see comparison.ts. `never`: it only names something.
 */
export type Compare = "text" | "name" | "instant" | "value" | "answer" | "list" | "never";

/** How a person gives a field outside of a file. */
export interface Input {
  /** The flag without its dashes. */
  readonly flag: string;
  /** The summary of the flag in the help; of an enumeration its values without it. */
  readonly summary?: string;
  /** Asked at a terminal; a field without a question is not asked for. */
  readonly question?: string;
  /** The meaning of each value of an enumeration. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The words for it in a list of fields: `the severity`. */
  readonly label: string;
}

/** A row of the table. A field that is not shown or not compared says so, or it does not compile. */
export interface Field {
  readonly rules: RuleSchema;
  readonly show: Show;
  readonly compare: Compare;
  readonly isRequired?: true;
  readonly input?: Input;
  /** The service fills it in, so that `get -o definition` leaves it out. */
  readonly isFilledIn?: true;
}

type Fields = Readonly<Record<string, Field>>;

type ValueOf<F> = F extends { readonly rules: { readonly "x-value"?: infer T } } ? T : never;

type RequiredName<T> = { [K in keyof T]: T[K] extends { isRequired: true } ? K : never }[keyof T];

/** The mappings whose fields are these. */
export type MappingOf<T> = { [K in keyof T & RequiredName<T>]: ValueOf<T[K]> } & {
  [K in Exclude<keyof T, RequiredName<T>>]?: ValueOf<T[K]> | undefined;
};

/** The rules of a mapping with these fields. */
export function mapping<const T extends Fields>(fields: T, notes: RuleNotes = {}): Rules<MappingOf<T>> {
  const rows = Object.entries<Field>(fields);
  const required = rows.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const properties = Object.fromEntries(rows.map(([name, { rules }]) => [name, rules]));
  return mappingWith(properties, required, notes) as RuleSchema;
}

export interface NamedField extends Field {
  readonly name: string;
}

export const named = (fields: Fields): readonly NamedField[] =>
  Object.entries(fields).map(([name, field]) => ({ ...field, name }));

/** A field that a person gives as one text: by a flag, by an answer, or in a file. */
export interface TextField extends NamedField, Input {
  /** The name of its flag, as a run reads it, and of its answer in a draft. */
  readonly key: string;
  readonly isOfUpdate: boolean;
}

export const given = (fields: readonly NamedField[], isOfUpdate = false): readonly TextField[] =>
  fields.flatMap(({ input, ...field }) => {
    if (input === undefined) return [];
    const key = input.flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [{ ...field, ...input, key, isOfUpdate }];
  });
