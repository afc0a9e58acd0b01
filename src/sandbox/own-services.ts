// The services that the sandbox lists.
export const ownServices = [
  { name: "Checkout", id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b" },
  { name: "Search", id: "8a1d5f70-2c3b-4e9a-b6d4-0f1e2d3c4b5a" },
  { name: "Sign-in", id: "c4e7a912-6b5d-4f38-8e01-9d2c3b4a5f6e" },
];
