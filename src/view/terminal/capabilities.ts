// Detects the capabilities of the output, colors and Unicode, from the flags and the environment.

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether to use color. In order of precedence: a flag, NO_COLOR, FORCE_COLOR, the terminal. */
export function supportsColor(
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

/** Whether the output can show symbols beyond ASCII. Takes an unset locale, as in most pipelines, for UTF-8. */
export function supportsUnicode(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return !locale || /utf-?8/i.test(locale);
}
