// `sessions.test.ts` with fifty of them.
process.env["GHOSTLIGHT_SESSIONS"] = "50";
await import("./sessions.test.ts");

export {};
