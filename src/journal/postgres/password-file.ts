// Finds a password in the text of libpq's password file: that of the first line that matches. Not with pgpass: it reads
// the process's own variables, knows no `passfile`, and prints its warnings itself.

interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

export function findPassword(text: string, { database, host, port, user }: Login): string | undefined {
  const wanted = [host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    const fields = line.split(/(?<!\\):/).map((field) => field.replace(/\\(.)/g, "$1"));
    const [password, ...others] = [fields[4], ...fields.slice(0, 4)];
    const matches = wanted.every((value, index) => others[index] === "*" || others[index] === value);
    if (!line.startsWith("#") && matches && password !== undefined) return password;
  }
  return undefined;
}
