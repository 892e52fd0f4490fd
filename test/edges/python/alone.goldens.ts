// `alone.test.ts` with a dozen drawn tools and each nasty piece.
process.env["GHOSTLIGHT_MIXED_TOOLS"] = "12";
await import("./alone.test.ts");

export {};
