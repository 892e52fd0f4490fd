import { expect, it } from "vitest";
import { utf8Length } from "../../src/machines/utf8Length.ts";

it("[FS7] a text is as long as its bytes in UTF-8", () => {
  const ends = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
  const encoder = new TextEncoder();

  for (const text of ["", "aä€😀", ...ends.map((one) => `a${String.fromCodePoint(one)}b`)]) {
    expect(utf8Length(text)).toBe(encoder.encode(text).length);
  }
});
