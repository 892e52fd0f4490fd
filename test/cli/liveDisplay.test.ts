import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cutToWidth, displayLines, type LiveState } from "../../src/cli/live/liveDisplay.ts";
import { anyText } from "../../src/contract/anyText.ts";

const figures = {
  ...{ asked: 41, answered: 38, failed: 1, open: 2, usable: 35, promptTokens: 8_200 },
  ...{ answerTokens: 1_234, medianMs: 1_250, lastMs: 850, tries: new Map() },
  lastError: "agent/cedar, plan: timeout: no whole answer within 2000 ms",
};

const state = (glances: readonly string[], more: Partial<LiveState> = {}): LiveState => ({
  ...{ scenario: "village", nowMs: 130_000, endMs: 600_000, realMs: 41_900 },
  ...{ figures, cost: 0.01234, glances },
  ...more,
});

const three = [
  "cedar (load 0.30): Write a page about 気象 and its 数値",
  "birch (load 0.00): no goal",
];

describe("the lines of the display", () => {
  it("[LD1, LD3] at 80 columns", () => {
    expect(displayLines(state(three), { columns: 80, rows: 24 })).toEqual([
      "village 2:10 of 10:00 · 0:41 gone · 41 asked, 38 answered, 1 failed, 2 open",
      "usable 35 of 38 (92 %) · tokens 8200 in, 1234 out",
      "latency 1.3 s median, 850 ms last · cost 0.0123",
      "last error: agent/cedar, plan: timeout: no whole answer within 2000 ms",
      ...three,
    ]);
  });

  it("[LD3] at 40 columns each figure is whole, and what is said of an agent is cut", () => {
    expect(displayLines(state(three), { columns: 40, rows: 24 })).toEqual([
      "village 2:10 of 10:00 · 0:41 gone",
      "41 asked, 38 answered, 1 failed, 2 open",
      "usable 35 of 38 (92 %)",
      "tokens 8200 in, 1234 out",
      "latency 1.3 s median, 850 ms last",
      "cost 0.0123",
      "last error: agent/cedar, plan: timeout…",
      "cedar (load 0.30): Write a page about …",
      "birch (load 0.00): no goal",
    ]);
  });

  it("[LD3] at 20 columns, wide characters take two", () => {
    const lines = displayLines(state(["杉 気象と数値の頁を書いて置く"]), { columns: 20, rows: 24 });

    expect(lines.slice(0, 3)).toEqual(["village 2:10 of 10…", "0:41 gone", "41 asked, 38 answe…"]);
    expect(lines.at(-1)).toBe("杉 気象と数値の頁…");
    expect(stringWidth(lines.at(-1) ?? "")).toBe(18);
  });

  it("[LD4] of 30 agents on 10 rows, those without a line are counted", () => {
    const many = Array.from({ length: 30 }, (_, n) => `agent${n} (load 0.00): no goal`);

    const lines = displayLines(state(many), { columns: 80, rows: 10 });

    expect(lines).toHaveLength(9);
    expect(lines.slice(4)).toEqual([...many.slice(0, 4), "… 26 more"]);
    const [five, six] = [5, 6].map((count) =>
      displayLines(state(many.slice(0, count)), { columns: 80, rows: 10 }).at(-1),
    );
    expect([five, six]).toEqual([many[4], "… 2 more"]);
  });

  it("[LD1] before any answer nothing is said of answers, and without a price nothing of cost", () => {
    const none = { ...figures, asked: 1, answered: 0, failed: 0, open: 1, usable: 0 };
    const fresh = { ...none, promptTokens: 0, answerTokens: 0, medianMs: null, lastMs: null };

    const lines = displayLines(state([], { figures: { ...fresh, lastError: null }, cost: null }), {
      ...{ columns: 80, rows: 24 },
    });

    expect(lines).toEqual([
      "village 2:10 of 10:00 · 0:41 gone · 1 asked, 0 answered, 1 open",
      "tokens 0 in, 0 out",
    ]);
  });

  it("[LD1] the share is 100 % only where every answer could be used", () => {
    const almost = { ...figures, usable: 9_999, answered: 10_000 };

    const lines = displayLines(state([], { figures: almost }), { columns: 80, rows: 24 });

    expect(lines.join()).toContain("usable 9999 of 10000 (99 %)");
  });

  it("[LD3] [LD4] no text and no size of a terminal makes a line wrap, or the display scroll", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      anyText({ maxLength: 60 }),
      fc.constantFrom(
        "👨‍👩‍👧‍👦".repeat(30),
        "e\u0301".repeat(50),
        "漢".repeat(90),
        "\u001b[2J\n\ud800",
      ),
    );
    const size = fc.record({ columns: fc.integer({ min: 1, max: 90 }), rows: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), text, size, (glances, lastError, screen) => {
        const asked = { figures: { ...figures, lastError }, scenario: lastError };
        const lines = displayLines(state(glances, asked), screen);

        expect(lines.length).toBeLessThanOrEqual(Math.max(1, screen.rows - 1));
        for (const line of lines) {
          expect(stringWidth(line)).toBeLessThanOrEqual(screen.columns - 1);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });

  it("[LD3] a grapheme stays whole, and one without end takes no time", () => {
    expect(cutToWidth("a👨‍👩‍👧‍👦b", 4)).toBe("a👨‍👩‍👧‍👦b");
    expect(cutToWidth("a👨‍👩‍👧‍👦bc", 4)).toBe("a👨‍👩‍👧‍👦…");
    expect(cutToWidth("a👨‍👩‍👧‍👦bc", 3)).toBe("a…");
    expect(cutToWidth(`a${"\u0301".repeat(5_000_000)}`, 9).length).toBeLessThan(400);
    expect(cutToWidth("abc", 0)).toBe("");
  });
});
