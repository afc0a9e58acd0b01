// -o json: the data of a result. A single incident is an object, several are an array.
import { escapeJson, safe } from "../../platform/terminal/safe-text.ts";
import type { Results } from "../report.ts";

const write = (data: object) => safe`${escapeJson(JSON.stringify(data, undefined, 2))}\n`;
const drawData = ({ data }: { readonly data: object }) => write(data);

const drawIncidents = ({ data, incidents, isList }: Results["incidents"]) => {
  const [first, ...others] = incidents;
  return write(data ?? (first === undefined || others.length > 0 || isList ? incidents : first));
};

export const draw = {
  incidents: drawIncidents,
  plan: ({ facts }: Results["plan"]) => write(facts),
  list: drawData,
  page: drawData,
  requests: drawData,
  problems: drawData,
  schema: drawData,
};
