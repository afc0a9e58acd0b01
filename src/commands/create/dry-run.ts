// `incident create --dry-run`: the requests that a create would send, as text or as shell commands. Sends nothing,
// reads no key, and states which checks only the service can make.
import { createRequest } from "../../api/client.ts";
import { settingsSources } from "../../api/settings-files.ts";
import { idForGeneration, idForText } from "../../delivery/incident-id.ts";
import { createBody } from "../../incident/wire.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import { environmentVariables } from "../../settings/environment-variables.ts";
import { applyPrecedence } from "../../settings/precedence.ts";
import { checkServiceTarget, type ServiceTarget } from "../../settings/resolve.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { GlobalFlags, Report } from "../define-command.ts";
import type { Format } from "../formats.ts";

/** A create as it would be sent, without the key. */
export interface DryRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, with JSON escapes for the characters that a terminal would hide or interpret. */
  readonly body: string;
}

export async function dryRunReport(
  context: Context & Pick<Reporter, "info">,
  definitions: readonly LocatedDefinition[],
  flags: GlobalFlags & {
    readonly key?: string | undefined;
    readonly dedupKey?: string | undefined;
    readonly format: Format;
  },
): Promise<Report> {
  const target = await readTarget(context, flags);
  const service = { baseUrl: target.baseUrl.value, account: target.account.value };
  const requests = definitions.map(({ definition }): DryRequest => {
    const keyed =
      flags.dedupKey !== undefined
        ? idForGeneration(service, flags.dedupKey, 0)
        : flags.key && idForText(service, flags.key);
    const id = definition.id?.toLowerCase() ?? keyed ?? context.system.random.guid();
    const sent = target.clientIds?.value === "unsupported" ? undefined : id;
    const { headers, body, ...request } = createRequest(
      { ...target, apiKey: { value: "", origin: "nowhere" } },
      createBody(definition, sent, target.account.value),
    );
    const { authorization: _, ...shown } = headers as Record<string, string>;
    return { ...request, headers: shown, body: escapeJson(body) };
  });
  context.info("nothing was sent");
  context.info(
    "not checked: the connection, the key, the services, and whether the service accepts the request",
  );
  const { origin } = target.key;
  if (flags.format === "curl" && origin !== environmentVariables.apiKey) {
    context.info(
      `the command takes the key from ${environmentVariables.apiKey}: set it to the key from ${origin}`,
    );
  }
  if (flags.dedupKey !== undefined)
    context.info("with --dedup-key, a create sends nothing while an incident with the same key is open");
  const isFresh =
    flags.key === undefined &&
    flags.dedupKey === undefined &&
    definitions.some(({ definition }) => definition.id === undefined);
  if (isFresh) context.info("without an id in the definition, each run uses a new one");
  const { renderCurl, renderRequests } = await import("../../view/request.ts");
  return {
    data: requests.length === 1 ? requests[0] : requests,
    page: (style) => renderRequests(style, requests),
    views: { curl: () => joinSafe(requests.map((request) => renderCurl(request))) },
  };
}

/** Resolves the settings without the key, so that no key command runs and no key file is opened. */
async function readTarget(context: Context, flags: GlobalFlags): Promise<ServiceTarget> {
  const sources = settingsSources(context, flags);
  const effective = await applyPrecedence(sources);
  const setting = effective.key.setting ?? { value: { kind: "value", key: "" }, origin: "nowhere" };
  return checkServiceTarget({ ...effective, key: { ...effective.key, setting } }, sources);
}

/** Writes the characters that a terminal would hide or interpret as their JSON escapes. */
function escapeJson(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
