// Optional fields that are there or not.
import { expect, it } from "vitest";
import { defined } from "../../src/machines/defined.ts";
import type { Mail } from "../../src/machines/letter.ts";

it("[PT1] a field that is undefined is left out, and null or false is kept", () => {
  const said: Mail["tool.replied"] = defined({ ok: false, result: null, error: undefined });

  expect(Object.entries(said)).toEqual([
    ["ok", false],
    ["result", null],
  ]);
});
