// `syntax.test.ts` with more texts and worlds.
process.env["GHOSTLIGHT_TEXTS"] ??= "3000";
process.env["GHOSTLIGHT_READ_WORLDS"] ??= "200";
await import("./syntax.test.ts");

export {};
