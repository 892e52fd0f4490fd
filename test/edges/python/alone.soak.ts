// `alone.attacks.ts` with hundreds of tools: GHOSTLIGHT_MIXED_TOOLS says how many.
process.env["GHOSTLIGHT_MIXED_TOOLS"] ??= "300";
await import("./alone.attacks.ts");

export {};
