// The form of a row of the table of fields, and functions over any such table. The table is in definition.ts.
import type { FormName, Notes } from "../rules/kinds.ts";

/** `own`: each page has a place for it. `hidden`: no page shows it. Else it is a line of its own, with this label. */
export type Show = "own" | "hidden" | { readonly label: string; readonly as: "text" | "time" };

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

/** The kinds of values that are not a text in some form. A row has no schema, so that only a check loads zod. */
interface OtherKinds {
  readonly dateOrNull: string | null;
  readonly boolean: boolean;
  readonly integer: number;
}

/** A row of the table. A field that is not shown or not compared says so, or it does not compile. */
export interface Field extends Notes {
  readonly description: string;
  /** Of a field that is no enumeration, and no list. */
  readonly kind?: FormName | keyof OtherKinds;
  /** The values of an enumeration. */
  readonly values?: readonly string[];
  /** The fields of each entry of a list. */
  readonly entries?: Table;
  readonly show: Show;
  readonly compare: Compare;
  readonly isRequired?: true;
  readonly input?: Input;
  /** The service fills it in, so that `get -o definition` leaves it out. */
  readonly isFilledIn?: true;
}

export type Table = Readonly<Record<string, Field>>;

type ValueOf<F> = F extends { readonly entries: infer T }
  ? MappingOf<T>[]
  : F extends { readonly values: readonly (infer V)[] }
    ? V
    : F extends { readonly kind: infer K extends keyof OtherKinds }
      ? OtherKinds[K]
      : string;

type RequiredName<T> = { [K in keyof T]: T[K] extends { isRequired: true } ? K : never }[keyof T];

/** The mappings whose fields are these. */
export type MappingOf<T> = { [K in keyof T & RequiredName<T>]: ValueOf<T[K]> } & {
  [K in Exclude<keyof T, RequiredName<T>>]?: ValueOf<T[K]> | undefined;
};

export interface NamedField extends Field {
  readonly name: string;
}

export const named = (fields: Table): readonly NamedField[] =>
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
