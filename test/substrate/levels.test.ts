// What a level changes, and what it must not.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../src/contract/anyText.ts";
import type { Carried, Json } from "../../src/machines/letter.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import type { SeenDelivery } from "../../src/substrate/envelope.ts";
import { Kernel } from "../../src/substrate/kernel.ts";
import { LEVELS, type Level } from "../../src/substrate/level.ts";
import type { PortRequest, Provider } from "../../src/substrate/port.ts";
import { charsWithin } from "../../src/substrate/strictJson.ts";
import { caller, letter, needed, office } from "./office.ts";

/** How one letter with this note ends a run in which a text may be so long. */
function endWith(level: Level, note: unknown, payloadChars: number): string {
  const event = { type: "test.noted", note: note as Json } as const; // Some of them are no JSON.
  const world = office({
    level,
    actors: { speaker: ({ type }) => (type === "test.go" ? [{ to: "speaker", event }] : []) },
    limits: { payloadChars },
  });
  world.kernel.postFromOutside("x", letter("speaker", "test.go"));
  try {
    world.run();
    return `ended after ${world.kernel.delivered}`;
  } catch (error) {
    return String(error);
  }
}

const ends = (note: unknown, most: number): string[] =>
  LEVELS.map((level) => endWith(level, note, most));

/** Longer than every other letter here. */
const START_CHARS = 80;
const padded = (note: Json): Json => [note, "-".repeat(START_CHARS)];

const odd = fc.oneof(
  anyText(),
  fc.string({ unit: fc.constantFrom("\u0000", '"', "\\", "\n", "é", "語", "\u{1f600}", "\ud800") }),
  fc.double(),
  fc.constantFrom(undefined, Number.NaN, -0, 5e-324, 1.7976931348623157e308, 1n, Symbol("no")),
  fc.constantFrom(() => 0, new Date(0), new Map(), /x/, new Array(2), Object.create(null)),
);
const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue({ noUnicodeString: false }),
    odd,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(anyText({ maxLength: 3 }), tie("value"), { maxKeys: 3 }),
  ),
})).value;

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner: unknown) => [inner], 0);

const thrownBy = (work: () => unknown): string => {
  try {
    work();
    return "nothing";
  } catch (error) {
    return String(error);
  }
};

describe("a limit and a bare run", () => {
  it.each<[string, Json]>([
    ["words", "some words"],
    ["escapes", 'a "quoted"\\ line\n\t\u0000\u001f'],
    ["surrogate pairs", "語 \u{1f600}\u{1f600}"],
    ["numbers", [0, -0, 1e21, 1e-7, -1.2345678901234567e100, 0.1, 5e-324]],
    ["the rest", { true: true, null: null, list: [[], {}], "\u{1f600}": "" }],
  ])("[KN10] [KN27] a text of %s fits at the boundary and not one before it", (_, some) => {
    const note = padded(some);
    const most = canonicalJson({ type: "test.noted", note }).length;

    expect(ends(note, most)).toEqual(Array(3).fill("ended after 3"));
    const [past] = ends(note, most - 1);
    expect(past).toBe(
      `LimitReached: limit payloadChars reached: ${most - 1} in test.noted from speaker`,
    );
    expect(ends(note, most - 1)).toEqual(Array(3).fill(past));
  });

  it("[KN15] [KN27] what is no strict JSON, or too long, ends the run with the same words on each level", () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: START_CHARS, max: 400 }), (note, most) => {
        const [first, ...others] = ends(note, most);
        expect(others).toEqual([first, first]);
      }),
      { numRuns: 500 },
    );
  });

  it.each([99, 100, 101, 498, 499, 500])(
    "[KN15] [KN27] %i levels deep are the same on each level",
    (depth) => {
      const [first, ...others] = ends(nested(depth), 4_000);
      expect(others).toEqual([first, first]);
      // The event around it is a level more.
      expect(first?.includes("500 levels deep")).toBe(depth >= 500);
    },
  );

  it("[KN15] [KN27] a list that each letter nests one level deeper ends the run alike on each level", () => {
    const wrapped = (note: Json): Json => [note, 1, 2, 3, 4, 5, 6, 7];
    const ended = LEVELS.map((level) => {
      const actors = {
        speaker: (heard: Carried) => {
          const word = wrapped("word" in heard ? heard.word : 0);
          const event = { type: "test.said", word: word as unknown as string } as const; // Of any kind here.
          return [{ to: "speaker", event }];
        },
      };
      const world = office({ level, actors });
      world.kernel.postFromOutside("x", letter("speaker", "test.go"));
      return [thrownBy(() => world.run()), world.kernel.delivered];
    });

    expect(ended).toEqual([ended[0], ended[0], ended[0]]);
    expect(ended[0]).toEqual([expect.stringContaining("500 levels deep"), 500]);
  });

  it("[KN27] whether a text fits is known without making it: each value is looked at once", () => {
    let looks = 0;
    const noted = {
      get word() {
        looks += 1;
        return "ink";
      },
    };

    expect(charsWithin(noted, 100)).toBeLessThanOrEqual(100);
    expect(looks).toBe(1);
  });

  it("[KN27] a text that fits for sure is never longer than was thought, and another is counted", () => {
    fc.assert(
      fc.property(anything, fc.nat(300), (value, most) => {
        const words = thrownBy(() => canonicalJson(value));
        expect(thrownBy(() => charsWithin(value, most))).toBe(words);
        if (words !== "nothing") return;
        const { length } = canonicalJson(value);
        const chars = charsWithin(value, most);
        expect(chars <= most).toBe(length <= most);
        expect(chars).toBeGreaterThanOrEqual(length);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a level", () => {
  const asked: (string | null)[] = [];
  const rendered: string[] = [];
  const provider: Provider = {
    text: ({ type }) => {
      rendered.push(type);
      return type;
    },
    answer: ({ request, purpose, nth }: PortRequest) => {
      asked.push(request);
      return { event: { type: "test.replied", purpose, nth }, latencyMs: 5 };
    },
  };
  const played = (level: Level, port: Provider = provider) => {
    asked.length = 0;
    rendered.length = 0;
    const world = office({ level, actors: { caller }, ports: { "port/llm.chat": port } });
    world.kernel.postFromOutside("x", needed("caller", "plan"));
    world.kernel.postFromOutside("y", needed("caller", "code", { delayMs: 7 }));
    world.run();
    return world;
  };
  const plain = ({ changes, letters, ...one }: SeenDelivery) => ({ ...one, changes, letters });

  it("[KN18] [KN26] shows observers the same of each delivery", () => {
    const [full, recorded, bare] = LEVELS.map((level) => played(level).seen);

    const withoutDigest = played("full").log.map(({ digest: _, ...one }) => one);
    expect(full?.length).toBe(7);
    expect(recorded?.map(plain)).toEqual(withoutDigest);
    expect(bare?.map(plain)).toEqual(withoutDigest);
    expect(withoutDigest.some(({ changes }) => changes.length > 0)).toBe(true);
  });

  it("[KN26] leaves the digest and the recording as they are, where it has them", () => {
    const [full, recorded] = [played("full"), played("recorded")];

    expect(recorded.kernel.digest).toBe(full.kernel.digest);
    expect(recorded.inputs).toEqual(full.inputs);
    expect(full.inputs).toHaveLength(5);
    expect(recorded.log).toEqual([]);
  });

  it("[KN28] without readers makes no digest, no request's text and no hash", () => {
    expect(played("bare").kernel.digest).toBe(null);
    expect([asked, rendered]).toEqual([[null, null], []]);
    played("recorded");
    expect(asked.every((hash) => hash?.length === 64)).toBe(true);
    expect(rendered).toHaveLength(2);
  });

  it("[KN28] gives the hash to a provider that knows calls by it", () => {
    played("full");
    const hashes = [...asked];
    played("bare", { ...provider, needsRequestHash: true });

    expect(asked).toEqual(hashes);
    const { text: _, ...untold } = provider;
    played("full", untold);
    const untoldHashes = [...asked];
    played("bare", { ...untold, needsRequestHash: true });
    expect(asked).toEqual(untoldHashes);
  });

  it("[KN28] refuses who asks for what it does not make", () => {
    const { options } = played("full");
    expect(() => new Kernel({ ...options, level: "bare" })).toThrow("a bare run has no log");
    expect(() => new Kernel({ ...options, level: "recorded" })).toThrow(
      "a recorded run has no log",
    );
    const { onDelivery: _, ...recorded } = options;
    expect(() => new Kernel({ ...recorded, level: "bare" })).toThrow("leaves no recording");
    const { onInput: __, ...bare } = recorded;
    const watched = { ...bare, onCheckpoint: () => {} };
    expect(() => new Kernel({ ...watched, level: "bare" })).toThrow("leaves no recording");
  });

  it("[KN19] [KN28] lets a bare run go on from any checkpoint, and no other from a bare one", () => {
    const end = played("bare");
    for (let steps = 0; steps <= end.kernel.delivered; steps++) {
      for (const level of LEVELS) {
        const world = office({ level, actors: { caller }, ports: { "port/llm.chat": provider } });
        world.kernel.postFromOutside("x", needed("caller", "plan"));
        world.kernel.postFromOutside("y", needed("caller", "code", { delayMs: 7 }));
        for (let step = 0; step < steps; step++) world.kernel.step();
        const saved = JSON.parse(JSON.stringify(world.kernel.checkpoint()));
        const kernel = Kernel.restore(saved, end.options);
        while (kernel.step() === "delivered");
        expect([kernel.delivered, kernel.digest]).toEqual([end.kernel.delivered, null]);
        expect(kernel.contexts()).toEqual(end.kernel.contexts());
        if (level === "bare") {
          expect(() => Kernel.restore(saved, played("full").options)).toThrow(
            "goes on as a bare one",
          );
        }
      }
    }
  });
});
