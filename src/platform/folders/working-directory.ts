// The working directory of this process, which can be removed while a shell is in it.
import { Failure } from "../../failure.ts";

export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Failure("usage", "the working directory is gone, or a folder above it cannot be read", {
      hint: "go to another folder with cd, and run it again",
      cause: error,
    });
  }
}
