// The name of a bundled test file, without its extension.
export function chunkName(file: string): string {
  return file.replaceAll("/", "-").replace(/\.ts$/, "");
}
