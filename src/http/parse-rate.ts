// Reads a rate as people write it: `100/60s` is 100 requests in any 60 seconds.
import { Failure } from "../failure.ts";
import type { Rate } from "./pace.ts";

const unitMilliseconds: ReadonlyMap<string, number> = new Map([
  ["s", 1000],
  ["m", 60_000],
]);

/** `origin` names the flag or the variable in the message. Throws a `Failure` "usage". */
export function parseRate(text: string, origin: string): Rate {
  const [, requests, count, unit = "s"] = /^([1-9]\d{0,6})\/([1-9]\d{0,4})?(s|m)?$/.exec(text) ?? [];
  const window = Number(count ?? 1) * (unitMilliseconds.get(unit) ?? 0);
  if (requests !== undefined && text.at(-1) !== "/") return { requests: Number(requests), window };
  throw new Failure("usage", `${origin} cannot be "${text}"`, {
    hint: "write requests and a time, such as 600/60s",
  });
}
