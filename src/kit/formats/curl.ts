// -o curl: the requests of a dry run as commands.
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import { renderCurl } from "../../view/request.ts";
import type { Results } from "../report.ts";

export const draw = {
  requests: ({ requests }: Results["requests"]) => joinSafe(requests.map(renderCurl)),
};
