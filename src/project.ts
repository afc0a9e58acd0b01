// The facts of this project that its owner fills in before the first release. package.json repeats the repository.

/** The address of the repository, such as `https://github.com/OWNER/NAME`; empty while there is none. */
export const repository = "";
