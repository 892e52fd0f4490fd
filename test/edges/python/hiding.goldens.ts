// `hiding.test.ts` with each piece by itself.
process.env["GHOSTLIGHT_EACH_HIDING"] = "yes";
await import("./hiding.test.ts");

export {};
