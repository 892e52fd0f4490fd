// `escape.test.ts` with the attacks that end at the same wall as another.
process.env["GHOSTLIGHT_ALIKE"] = "yes";
await import("./escape.test.ts");

export {};
