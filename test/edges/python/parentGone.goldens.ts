// `parentGone.test.ts` with each signal, piece of code and wall.
process.env["GHOSTLIGHT_EACH_END"] = "yes";
await import("./parentGone.test.ts");

export {};
