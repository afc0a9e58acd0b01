// The files of a journal in a folder: their names, and the text of a file of events, which has a line for each event
// that was written together with others. The file has the name of each of them, and a line begins with its own.

export function eventName(log: string, number: number): string {
  return `${log}-${String(number).padStart(3, "0")}.json`;
}

export function lineOf(name: string, event: object): string {
  return `${JSON.stringify({ file: name, ...event })}\n`;
}

/** The line of the event `name`. An event that was written alone may omit its name. */
export function findLine(name: string, text: string): string {
  const start = JSON.stringify({ file: name }).replace("}", ",");
  return text.split("\n").find((line) => line.startsWith(start)) ?? text;
}
