// The address of an incident in the service's web application, from the setting `webUrl`. The user alone sets it, because
// people follow it.
import { catchFailure, Failure } from "../failure.ts";
import { isLoopback } from "../platform/loopback.ts";
import { isGuid } from "../rules/forms.ts";
import type { Setting } from "./setting.ts";

const placeholder = "{id}";

const example =
  "write it as https://app.example.com/incidents/{id}, as your browser shows it for an incident";

export function checkWebUrl(setting: Setting<string>): Setting<string> {
  const { value } = setting;
  const refuse = (problem: string, hint: string) =>
    new Failure("usage", `the address of the web application from ${setting.origin} ${problem}`, { hint });
  if (!value.includes(placeholder)) throw refuse(`has no ${placeholder}`, example);
  const filled = fill(value, "0");
  if (!/^[\x21-\x7e]+$/.test(value) || !URL.canParse(filled)) throw refuse("is not a URL", example);
  const url = new URL(filled);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    throw refuse(`does not begin with https:// (${url.protocol})`, example);
  if (url.username !== "" || url.password !== "")
    throw refuse("has a login in it", "remove it: the browser asks for it");
  if (url.origin !== new URL(fill(value, "1")).origin)
    throw refuse(`has ${placeholder} in the name of the host`, example);
  return setting;
}

/** Undefined where the setting is missing or wrong, or the id is no GUID: a link stops no command. */
export function incidentLink(webUrl: Setting<string> | undefined, id: string): string | undefined {
  if (webUrl === undefined || !isGuid(id) || catchFailure(() => checkWebUrl(webUrl)) !== undefined)
    return undefined;
  return fill(webUrl.value, id);
}

function fill(value: string, id: string): string {
  return value.replaceAll(placeholder, () => id);
}
