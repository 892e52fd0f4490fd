// Content, aliases and what a session sees of it. SPEC: "Installing agents (seed 003)".
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aliasOf,
  type ContentBook,
  type ContentPolicy,
  contentFound,
  contentWritten,
  handleOf,
  isRawHandle,
  NO_CONTENT,
  rootOf,
  VISIBILITIES,
  type Visibility,
  type Writing,
} from "../../../src/machines/installs/content/content.ts";
import { gatePolicy } from "./gateRules.ts";

const { content: seed } = gatePolicy();
const real: ContentPolicy = { lookup: "aliases-first", sameAlias: "last" };

const CODER = "demo/coder.default-1";
const AUDITOR = "demo/auditor.default-2";

function written(...writings: Writing[]): ContentBook {
  let book = NO_CONTENT;
  for (const writing of writings) {
    const next = contentWritten(book, writing);
    if ("fault" in next) throw new Error(next.fault.said);
    book = next.book;
  }
  return book;
}

const writing = (
  session: string,
  name: string,
  text: string,
  visibility: Visibility = "session",
): Writing => ({ session, name, text, visibility });

const textOf = (book: ContentBook, session: string, reference: string, policy = seed) => {
  const found = contentFound(book, session, reference, policy);
  return "fault" in found ? null : found.text;
};

describe("handles and aliases", () => {
  it("[INS50] are the SHA-256 of the content, and its first eight digits", () => {
    const { handle, alias } = contentWritten(NO_CONTENT, writing("s", "a.py", "print(1)")) as {
      handle: string;
      alias: string;
    };

    expect(handle).toBe(handleOf("print(1)"));
    expect(handle).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(alias).toBe(handle.slice(7, 15));
    expect(handleOf(new TextEncoder().encode("é"))).toBe(handleOf("é"));
  });

  it("[INS50] a blank name is refused; the same text is kept once", () => {
    const blank = contentWritten(NO_CONTENT, writing("s", " ", "x"));
    const book = written(writing("s", "a", "x"), writing("t", "b", "x"));

    expect(blank).toMatchObject({ fault: { said: "content name must not be empty" } });
    expect(Object.keys(book.texts)).toHaveLength(1);
  });

  it("[INS50] tells a raw handle from a name: 64 digits, not 63", () => {
    expect(isRawHandle(handleOf("x"))).toBe(true);
    expect(isRawHandle(handleOf("x").slice(0, -1))).toBe(false);
    expect(isRawHandle("a.py")).toBe(false);
  });
});

describe("what a session sees", () => {
  it("[INS51] is its own, what sessions of its root share, and what is global; by name, alias and handle", () => {
    const book = written(
      writing(CODER, "mine", "1", "private"),
      writing(CODER, "ours", "2"),
      writing(CODER, "all", "3", "global"),
    );
    const seen = (session: string) =>
      [
        ["mine", "1"],
        ["ours", "2"],
        ["all", "3"],
      ].map(([name = "", text = ""]) =>
        [name, aliasOf(handleOf(text)), handleOf(text)].map(
          (reference) => textOf(book, session, reference) === text,
        ),
      );

    expect(seen(CODER).flat()).not.toContain(false);
    for (const session of [AUDITOR, "demo"]) {
      expect(seen(session)).toEqual([
        Array(3).fill(false),
        Array(3).fill(true),
        Array(3).fill(true),
      ]);
    }
    expect(seen("other")).toEqual([
      Array(3).fill(false),
      Array(3).fill(false),
      Array(3).fill(true),
    ]);
  });

  it("[INS51] a handle is no key: who was not given the content does not read it by its hash", () => {
    const book = written(writing(CODER, "secret", "token", "private"));

    expect(textOf(book, AUDITOR, handleOf("token"))).toBeNull();
    expect(contentFound(book, AUDITOR, handleOf("token"), seed)).toMatchObject({
      fault: { field: "reference", todo: expect.stringContaining("artifact_id") },
    });
  });

  it("[INS51] the nearest counts: a session's own before its root's, before a global one; of one scope, the last", () => {
    const book = written(
      writing("other", "a", "global", "global"),
      writing(AUDITOR, "a", "root"),
      writing(CODER, "a", "old"),
      writing(CODER, "a", "new"),
      writing("demo2", "b", "x", "global"),
    );

    expect(textOf(book, CODER, "a")).toBe("new");
    expect(textOf(book, "demo", "a")).toBe("new");
    expect(textOf(book, AUDITOR, "a")).toBe("root");
    expect(textOf(book, "third", "a")).toBe("global");
  });

  it("[INS51] what is written again under a name counts again; what it named before stays to be read by its hash", () => {
    const book = written(writing("s", "a", "1"), writing("s", "a", "2"), writing("s", "a", "1"));

    expect(textOf(book, "s", "a")).toBe("1");
    expect(textOf(book, "s", handleOf("2"))).toBe("2");
  });

  it("[INS52] names come before aliases; in the real system eight hex digits are never a name", () => {
    const book = written(writing("s", "deadbeef", "by name"));

    expect(textOf(book, "s", "deadbeef")).toBe("by name");
    expect(textOf(book, "s", "deadbeef", real)).toBeNull();
    expect(textOf(book, "s", `sha256:${aliasOf(handleOf("by name"))}`)).toBe("by name");
    // Seven digits are a name for both.
    expect(textOf(written(writing("s", "deadbee", "x")), "s", "deadbee", real)).toBe("x");
  });

  it("[INS52] a name farther off comes before an alias in a nearer scope", () => {
    const alias = aliasOf(handleOf("by alias"));
    const book = written(
      writing("other", alias, "by name", "global"),
      writing(AUDITOR, "a", "by alias"),
      writing(CODER, "b", "by alias", "private"),
    );

    expect(textOf(book, CODER, alias)).toBe("by name");
    expect(textOf(book, CODER, alias, real)).toBe("by alias");
  });

  it("[INS52] an alias that fits two contents is refused with both; in the real system the last one counts", () => {
    const [a, b] = [`sha256:${"0".repeat(64)}`, `sha256:${"0".repeat(63)}1`];
    const book: ContentBook = {
      texts: { [a]: "first", [b]: "second" },
      entries: [
        { session: "s", name: "a", handle: a, visibility: "session" },
        { session: "s", name: "b", handle: b, visibility: "session" },
      ],
    };

    expect(contentFound(book, "s", "00000000", seed)).toMatchObject({
      fault: { found: `00000000, which fits ${a} and ${b}` },
    });
    expect(textOf(book, "s", "00000000", real)).toBe("second");
    expect(textOf(book, "s", "a")).toBe("first");
  });

  it("[INS51] nobody ever reads what was written private elsewhere, in any order of writings", () => {
    const session = fc.constantFrom("a", "a/x", "a/y", "b", "b/x");
    const one = fc.record({
      session,
      name: fc.constantFrom("n", "m"),
      text: fc.constantFrom("1", "2", "3"),
      visibility: fc.constantFrom(...VISIBILITIES),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), session, (writings, reader) => {
        const book = written(...writings);
        for (const text of ["1", "2", "3"]) {
          const isSeen = writings.some(
            (by) =>
              by.text === text &&
              (by.session === reader ||
                by.visibility === "global" ||
                (by.visibility === "session" && rootOf(by.session) === rootOf(reader))),
          );
          expect(textOf(book, reader, handleOf(text)) === text).toBe(isSeen);
          expect(textOf(book, reader, aliasOf(handleOf(text))) === text).toBe(isSeen);
        }
      }),
    );
  });
});
