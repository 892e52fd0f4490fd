import { expect, it } from "vitest";
import { glance } from "../../../src/actors/synt/glance.ts";

it("[LD1] a person who watches sees how large the pool is, and which requests are under way", () => {
  const wanted = { need: { intent: "read the mail" } };
  const open = { wanted, isAtGate: false, isRefused: false };
  const contexts = {
    pool: { executors: { a: { isVisible: true }, b: { isVisible: false } } },
    synt: {
      requests: {
        "req-0001": { ...open, state: "generating" },
        "req-0002": { ...open, state: null, isAtGate: true },
        "req-0003": { ...open, state: "born" },
        "req-0004": { ...open, state: null, isRefused: true },
      },
    },
  };

  expect(glance(contexts)).toEqual([
    "synt: 1 executor; req-0001 (generating): read the mail; req-0002 (at the gate): read the mail",
  ]);
  expect(glance({})).toEqual([]);
});
