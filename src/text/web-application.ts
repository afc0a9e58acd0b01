// Where a person does what the API cannot do.

/** `link` is the address of the incident, where it is known. */
export function inWebApplication(link?: string): string {
  return `in the service's web application${link === undefined ? "" : `: ${link}`}`;
}
