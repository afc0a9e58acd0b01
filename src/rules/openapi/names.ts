// Names of parameters and fields are the same whatever their spelling: `nextId`, `next_id` and `next-id`.

export function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
