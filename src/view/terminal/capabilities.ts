// What the place that is written to can show, from the flags and the environment, as people expect it.

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether to colour: a flag first, then NO_COLOR, then FORCE_COLOR, then a terminal that can. */
export function colourOf(
  env: Environment,
  isTerminal: boolean,
  flags: { readonly color?: boolean | undefined; readonly noColor?: boolean | undefined },
): boolean {
  if (flags.noColor) return false;
  if (flags.color) return true;
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced) return forced !== "0" && forced !== "false";
  return isTerminal && env.TERM !== "dumb";
}

/** Whether symbols beyond ASCII can be shown. A locale that is not set, as in most pipelines, is UTF-8 today. */
export function unicodeOf(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return !locale || /utf-?8/i.test(locale);
}
