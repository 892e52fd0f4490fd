// `bwrap.test.ts` with nasty tools too.
process.env["GHOSTLIGHT_NASTY_TOOLS"] = "8";
await import("./bwrap.test.ts");

export {};
