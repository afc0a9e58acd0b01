// A difference between the service's document and the local checks, judged by its effect.

export interface Difference {
  /** One sentence: the fact in the document. */
  readonly message: string;
  /** Whether a create can be refused after a local check, or an answer be misread. */
  readonly matters: boolean;
  /** One sentence: the mend, or the reason why it does not matter. */
  readonly hint: string;
}

export function harmful(message: string, hint: string): Difference {
  return { message, matters: true, hint };
}

export function harmless(message: string, hint: string): Difference {
  return { message, matters: false, hint };
}
