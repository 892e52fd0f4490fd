// What is promised of skills, lessons and macros, and that a broken formula is found.
import { describe, expect, it, vi } from "vitest";
import { bookProperties } from "../../src/actors/skills/properties/books.ts";
import { macroProperties } from "../../src/actors/skills/properties/macros.ts";
import * as macroRun from "../../src/machines/skills/macro.ts";
import * as macroBook from "../../src/machines/skills/macroBook.ts";
import * as skillBook from "../../src/machines/skills/skillBook.ts";
import { tryUnit } from "../../src/run/check/check.ts";

vi.mock(import("../../src/machines/skills/macroBook.ts"), async (original) => {
  const real = await original();
  return { ...real, addMacro: vi.fn(real.addMacro) };
});
vi.mock(import("../../src/machines/skills/macro.ts"), async (original) => {
  const real = await original();
  return { ...real, nextCall: vi.fn(real.nextCall) };
});
vi.mock(import("../../src/machines/skills/skillBook.ts"), async (original) => {
  const real = await original();
  return { ...real, countCall: vi.fn(real.countCall) };
});

const properties = [...bookProperties, ...macroProperties];

describe.each(properties)("$id", (property) => {
  it("[SK15, SK29, SK80, SK83, SK94, SK105] fares over drawn inputs as it is expected to", () => {
    const { violation, moments } = tryUnit(property, 1, 300);

    expect(violation === null).toBe(property.expected === "holds");
    expect(moments).toBeGreaterThan(0);
  });
});

describe("a broken rule", () => {
  const breach = (id: string) => {
    const found = properties.find((one) => one.id === id);
    return found && tryUnit(found, 1, 500).violation?.says;
  };

  it("[SK94, PR3] is found: a book of macros without an end", () => {
    vi.mocked(macroBook.addMacro).mockImplementation((book, macro) => ({
      book: [...book, macro],
      evicted: [],
    }));

    expect(breach("macros-are-bounded")).toContain("are kept");
    vi.mocked(macroBook.addMacro).mockReset();
  });

  it("[SK83, PR3] is found: a run without an end", async () => {
    const real = await vi.importActual<typeof macroRun>("../../src/machines/skills/macro.ts");
    vi.mocked(macroRun.nextCall).mockImplementation((run, policy) =>
      real.nextCall(run, { ...policy, stepsMax: 1_000 }),
    );

    expect(breach("macros-are-bounded")).toContain("steps");
    vi.mocked(macroRun.nextCall).mockReset();
  });

  it("[SK15, PR3] is found: a skill whose failures nobody counts", () => {
    vi.mocked(skillBook.countCall).mockImplementation((book) => book);

    expect(breach("skills-telemetry-is-a-recount")).toContain("a recount");
    vi.mocked(skillBook.countCall).mockReset();
  });
});
