// What a bundle that is written by hand begins with.
import { FORMAT_VERSION, RULES_VERSION } from "../../src/run/bundle.ts";

export const opening = {
  format: FORMAT_VERSION,
  product: "ghostlight 0",
  rulesVersion: RULES_VERSION,
  scenario: { name: "x", text: "", sha256: "" },
  variant: null,
  seed: 1,
  policy: {},
  untilMs: null,
  origin: "scripted",
  providers: {},
  startsAt: "2026-01-01T00:00:00Z",
} as const;
