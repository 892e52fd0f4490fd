import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../../src/contract/anyText.ts";
import {
  NAME_CHARS_MAX,
  sanitizedName,
} from "../../../../src/machines/agents/synthesis/qualityGate.ts";

describe("sanitizedName", () => {
  it("[SY1] replaces what is no letter, digit or underscore, then lowers the case", () => {
    expect(sanitizedName("My Tool (v2)")).toBe("my_tool__v2_");
    expect(sanitizedName("naïve")).toBe("na_ve");
  });

  it("[SY1] counts code points: an emoji is one character, as it is in Python", () => {
    expect(sanitizedName("a😀b")).toBe("a_b");
    expect(sanitizedName(`${"😀".repeat(59)}ab`)).toBe(`${"_".repeat(59)}a`);
  });

  it("[SY1] cuts after 60 characters, not before", () => {
    expect(sanitizedName("a".repeat(60))).toHaveLength(NAME_CHARS_MAX);
    expect(sanitizedName(`${"a".repeat(60)}b`)).toBe("a".repeat(60));
  });

  it("[SY1] refuses a name of which nothing but underscores is left", () => {
    expect(["", "   ", "___", "…!?", `${"-".repeat(60)}a`].map(sanitizedName)).toEqual(
      new Array(5).fill(null),
    );
    expect(sanitizedName("__proto__")).toBeNull();
    expect(sanitizedName("_a")).toBe("_a");
  });

  it("[SY1] gives a plain name for any text, and the same one again for that name", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (given) => {
        const name = sanitizedName(given);

        if (name === null) return;
        expect(name).toMatch(/^[a-z0-9_]{1,60}$/);
        expect(sanitizedName(name)).toBe(name);
      }),
    );
  });
});
