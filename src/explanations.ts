// Gone: see the next commits.
export {};
