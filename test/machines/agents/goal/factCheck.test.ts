import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../../src/contract/anyText.ts";
import { mentionsIn, quoteMissing } from "../../../../src/machines/agents/goal/goalGateParts.ts";
import { isPlainPath } from "../../../../src/machines/folders.ts";

const OWN = "/agentOS/workspace/cedar/1-page.md";
const limits = { claimsMax: 20, quoteMinChars: 1 };

/** Path by path with its quoted passages. */
const claims = (text: string, changed: Partial<typeof limits> = {}) =>
  mentionsIn(text, OWN, { ...limits, ...changed }).map(({ path, quotes }) => [path, ...quotes]);

describe("a path", () => {
  it.each([
    ["See /agentOS/a/notes.md for more", ["/agentOS/a/notes.md"]],
    ["(/agentOS/a/notes.md), and", ["/agentOS/a/notes.md"]],
    ["It is in /agentOS/a/notes.md.", ["/agentOS/a/notes.md"]],
    ["below /agentOS/a/ somewhere", ["/agentOS/a"]],
    ["It goes on in /agentOS/a/notes.md...", ["/agentOS/a/notes.md"]],
    ["It is all below /agentOS/a/.", ["/agentOS/a"]],
    ["of /agentOS/a//", ["/agentOS/a"]],
    ["/agentOS/a_1/b-2/c~d@e+f=g%h.txt", ["/agentOS/a_1/b-2/c~d@e+f=g%h.txt"]],
    ["`/agentOS/a/notes.md`", ["/agentOS/a/notes.md"]],
    ['"/agentOS/a/notes.md"', ["/agentOS/a/notes.md"]],
    ["/agentOS/b.md then /agentOS/a.md then /agentOS/b.md", ["/agentOS/b.md", "/agentOS/a.md"]],
    ["all of /agentOS/a/*.md", ["/agentOS/a"]],
    ["path=/agentOS/a.md", ["/agentOS/a.md"]],
  ])("[GA5] in %j is %j", (text, paths) => {
    expect(claims(text)).toEqual(paths.map((path) => [path]));
  });

  it.each([
    "/agentOS alone",
    "/agentOS/",
    "host/agentOS/a.md",
    "https://example.org/agentOS/a.md",
    "../agentOS/a.md",
    "x//agentOS/a.md",
    "_/agentOS/a.md",
    "../a-/agentOS/a.md",
    "/agentOS/a/../b.md",
    "/agentOS//b.md",
    "/agentos/b.md",
    `my own ${OWN}`,
    "nothing",
    "",
  ])("[GA5] is not in %j", (text) => {
    expect(claims(text)).toEqual([]);
  });
});

describe("a quoted passage", () => {
  const NOTES = "/agentOS/a/notes.md";

  it.each([
    [`${NOTES} says "all is well"`, ["all is well"]],
    [`${NOTES} says “all is well”`, ["all is well"]],
    [`${NOTES} has \`return 1\` in it`, ["return 1"]],
    [`${NOTES}: "one", then "two"`, ["one", "two"]],
    [`${NOTES} says "one" and again "one"`, ["one"]],
  ])("[GA6] stands in %j", (text, quotes) => {
    expect(claims(text)).toEqual([[NOTES, ...quotes]]);
  });

  it("[GA6] is none where the quotes are around nothing but a path", () => {
    expect(claims(`in \`${NOTES}\` stands "one"`)).toEqual([[NOTES, "one"]]);
  });

  it.each([
    `It is in ${NOTES}. He said "all is well"`,
    `Is it in ${NOTES}? "Yes"`,
    `${NOTES} was read! "Yes"`,
    `${NOTES}\n"all is well"`,
  ])("[GA6] in %j stands in another sentence", (text) => {
    expect(claims(text)).toEqual([[NOTES]]);
  });

  it("[GA6] a point before anything but white space ends no sentence", () => {
    expect(claims(`${NOTES}, e.g.x, says " one "`)).toEqual([[NOTES, "one"]]);
  });

  it.each([
    `"all is well" stands in ${NOTES}`,
    `${NOTES} "all is\nwell"`,
    `${NOTES} “all is\nwell”`,
    `${NOTES} \`all is\nwell\``,
    `${NOTES} and my ${OWN} "mine"`,
    `${NOTES} and /agentOS/../x "mine"`,
  ])("[GA6] in %j is no claim about it", (text) => {
    expect(claims(text)).toEqual([[NOTES]]);
  });

  it("[GA6] belongs to the path named last before it", () => {
    expect(claims('/agentOS/a.md "one", /agentOS/b.md "two", /agentOS/a.md "three"')).toEqual([
      ["/agentOS/a.md", "one", "three"],
      ["/agentOS/b.md", "two"],
    ]);
  });

  it("[GA7] shorter than the policy says is none", () => {
    expect(claims(`${NOTES} says "👻👻" and "👻👻👻"`, { quoteMinChars: 3 })).toEqual([
      [NOTES, "👻👻👻"],
    ]);
  });

  it("[GA4] stands in a text whatever the white space, and with its case", () => {
    const mention = { path: NOTES, quotes: ["all  is well", "Done"] };

    expect(quoteMissing(mention, "Here\nall is\n\twell. Done")).toBeUndefined();
    expect(quoteMissing(mention, "all is well. done")).toBe("Done");
    expect(quoteMissing(mention, "allis well")).toBe("all  is well");
  });
});

describe("the bound", () => {
  const text = '/agentOS/a.md "one" "two" /agentOS/b.md "three" /agentOS/c.md';

  it.each([
    [0, []],
    [1, [["/agentOS/a.md"]]],
    [2, [["/agentOS/a.md", "one"]]],
    [4, [["/agentOS/a.md", "one", "two"], ["/agentOS/b.md"]]],
    [6, [["/agentOS/a.md", "one", "two"], ["/agentOS/b.md", "three"], ["/agentOS/c.md"]]],
  ])("[GA7] of %i claims counts paths and passages alike", (claimsMax, found) => {
    expect(claims(text, { claimsMax })).toEqual(found);
  });

  it("[GA7] a claim said twice counts once", () => {
    expect(
      claims('/agentOS/a.md "one" /agentOS/a.md "one" /agentOS/b.md', { claimsMax: 3 }),
    ).toEqual([["/agentOS/a.md", "one"], ["/agentOS/b.md"]]);
  });
});

it("[GA5, GA7] whatever a text holds: plain paths, never its own, each once, and few", () => {
  const piece = fc.oneof(
    fc.constantFrom("/agentOS/", "a.md", '"', "`", "“", "”", ".", " ", "\n", "..", OWN, "/"),
    anyText({ maxLength: 6 }),
  );

  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(6), (pieces, claimsMax) => {
      const found = mentionsIn(pieces.join(""), OWN, { ...limits, claimsMax });
      const paths = found.map(({ path }) => path);

      expect(paths.filter((path) => !isPlainPath(path) || path === OWN)).toEqual([]);
      expect(new Set(paths).size).toBe(paths.length);
      expect(found.flatMap(({ path, quotes }) => [path, ...quotes]).length).toBeLessThanOrEqual(
        claimsMax,
      );
    }),
  );
});
