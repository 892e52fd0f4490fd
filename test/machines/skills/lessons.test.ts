// Lessons: the guard, verification, retrieval, credit, utility, and what the playbook keeps.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  creditLesson,
  DOMAINS,
  type Lesson,
  newLesson,
  playbookSection,
} from "../../../src/machines/skills/lesson.ts";
import { guardRefusal, isVerified, lessonGate } from "../../../src/machines/skills/lessonGate.ts";
import {
  countSurfacing,
  creditBook,
  type Playbook,
  pruneBook,
  writeLesson,
} from "../../../src/machines/skills/playbook.ts";
import { trimLessons, UTILITY_TERMS, utilityOf } from "../../../src/machines/skills/retention.ts";
import {
  coverage,
  distanceBetween,
  keywords,
  rarityIn,
  retrieveLessons,
} from "../../../src/machines/skills/retrieval.ts";
import { minutes } from "../../../src/machines/units.ts";
import { lessonPolicy } from "./lessonPolicy.ts";

const seed = lessonPolicy();
const draft = {
  ...{ trigger: "parsing log files", antiPattern: "", correctPattern: "use a regular expression" },
  ...{
    domains: ["regex_parse"],
    confidence: 500_000,
    sourceChallengeHash: "",
    source: "self_play",
  },
  ...{ verified: false, verificationAttempted: false },
};
const lesson = (some: Partial<Lesson> = {}): Lesson => ({ ...newLesson(draft, 0), ...some });

const anyLesson = fc
  .record({
    trigger: fc.string({ minLength: 1 }),
    confidence: fc.nat(1_000_000),
    verified: fc.boolean(),
    retrievals: fc.nat(40),
    helped: fc.nat(40),
    frequency: fc.nat(1_000),
    writtenAtMs: fc.nat(1_000),
  })
  .map(({ helped, ...some }) =>
    lesson({ ...some, helpfulRetrievals: Math.min(helped, some.retrievals) }),
  );
const anyBook = fc.array(anyLesson, { maxLength: 70 });
const anyForm = fc
  .constantFrom("seed", "real")
  .map((form) => lessonPolicy({ "skills.utility.form": form }));

describe("the guard", () => {
  const from = (challenge: string) => ({ challenge, setup: "", validator: "" });
  const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}x`).join(" ");

  it.each([
    [5, null],
    [6, "challenge"],
  ])("[SK21] %i shared words in a row: %s", (count, cause) => {
    const trigger = `before ${words(count)} after`;
    const refusal = guardRefusal(
      { ...draft, trigger },
      from(`other ${words(count)} end`),
      seed.dream,
    );
    expect(refusal?.cause ?? null).toBe(cause);
    const bare = guardRefusal({ ...draft, trigger: words(count) }, from(words(count)), seed.dream);
    expect(bare?.cause ?? null).toBe(cause);
  });

  it("[SK21] the pattern is held against setup and validator, the trigger against the challenge", () => {
    const copied = { ...draft, trigger: words(6), correctPattern: words(6) };
    const cause = (learned: object) =>
      guardRefusal(copied, { challenge: "", setup: "", validator: "", ...learned }, seed.dream)
        ?.cause ?? null;
    const pattern = { ...draft, correctPattern: words(6) };
    const all = { challenge: "", setup: "", validator: words(6) };
    expect(guardRefusal(pattern, all, seed.dream)?.cause).toBe("validator");
    expect(cause({ setup: words(6) })).toBe("setup");
    expect(cause({ validator: words(6) })).toBe("validator");
    expect(cause({ challenge: words(6) })).toBe("challenge");
    expect(
      guardRefusal({ ...draft, trigger: words(6) }, { ...from(""), setup: words(6) }, seed.dream),
    ).toBe(null);
    expect(guardRefusal({ ...draft, correctPattern: words(6) }, from(words(6)), seed.dream)).toBe(
      null,
    );
  });

  it("[SK21] numbers and single letters are no words: constants alone pass", () => {
    const correctPattern = "10 20 3 4 5 60 7a 8th 90 12 13 u v w x y z";
    const learned = { challenge: "", setup: correctPattern, validator: correctPattern };
    expect(guardRefusal({ ...draft, correctPattern }, learned, seed.dream)).toBe(null);
  });

  it("[SK21] an empty lesson and one outside the taxonomy are refused, in that order", () => {
    const cause = (some: object) =>
      guardRefusal({ ...draft, ...some }, from(""), seed.dream)?.cause;
    expect(cause({ trigger: " ", domains: [] })).toBe("empty");
    expect(cause({ correctPattern: "\n" })).toBe("empty");
    expect(cause({ domains: ["cooking"] })).toBe("domains");
    expect(cause({ domains: ["cooking", "sql"] })).toBe(undefined);
    for (const domain of DOMAINS) expect(cause({ domains: [domain] })).toBe(undefined);
  });

  it("[SK21] as many words as the policy says are the first to refuse, whatever stands around them", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 20 }),
        (ngram, shared) => {
          const refusal = guardRefusal(
            { ...draft, trigger: `aa ${words(shared)} bb` },
            from(`cc ${words(shared)} dd`),
            { ...seed.dream, ngram },
          );
          expect(refusal !== null).toBe(shared >= ngram);
        },
      ),
    );
  });
});

it.each([
  [false, 1, true, true],
  [false, 3, true, true],
  [false, 3, false, false],
  [true, 2, true, true],
  [true, 1, true, false],
  [true, 2, false, false],
])(
  "[SK22] without: passed %s after %i, with: passed %s, so verified %s",
  (passed, attempts, ok, is) => {
    expect(isVerified({ passed, attempts }, { passed: ok })).toBe(is);
  },
);

describe("an episode", () => {
  const episode = {
    ...{ passed: true, attempt: 0, isNewCluster: false, isMastered: false, wasAborted: false },
    ...{ validatorCrashed: false, isFromJournal: false, novelty: null, compression: 0 },
  };
  const worth = (some: object) => lessonGate({ ...episode, ...some }, seed.dream);

  it("[SK23] is worth a lesson when a struggle was won, when it was the first, or news", () => {
    expect(worth({ attempt: 1 })).toEqual({ extracts: true, worth: "struggled" });
    for (const passed of [true, false]) {
      expect(worth({ passed, isNewCluster: true }).extracts).toBe(true);
    }
    expect([500, 499].map((novelty) => worth({ novelty }).worth)).toEqual(["novel", "familiar"]);
    expect([51, 50].map((compression) => worth({ compression }).worth)).toEqual([
      "new",
      "familiar",
    ]);
  });

  it("[SK23] is not when it was aborted, crashed the validator, was mastered, or failed again", () => {
    expect(worth({ passed: false })).toEqual({ extracts: false, worth: "repeated-failure" });
    expect(worth({ attempt: 2, isMastered: true }).worth).toBe("mastered");
    expect(worth({ passed: false, isMastered: true }).worth).toBe("mastered");
    expect(worth({ passed: false, wasAborted: true }).worth).toBe("aborted");
    expect(worth({ passed: false, validatorCrashed: true }).worth).toBe("validator-crashed");
    expect(worth({ isNewCluster: true, isFromJournal: true }).extracts).toBe(false);
  });
});

describe("retrieval", () => {
  const book = ["reading files", "sorting numbers", "opening sockets"].map((trigger) =>
    lesson({ trigger }),
  );

  it.each([
    [449_999, 1],
    [450_000, 0],
  ])("[SK24] at a distance of %i millionths %i are found", (distance, count) => {
    const { found } = retrieveLessons(
      "anything",
      book,
      [2_000_000, distance, 2_000_000],
      seed.playbook,
    );
    expect(found).toHaveLength(count);
  });

  it("[SK24] what is near is not looked for by its words, and equals keep their order", () => {
    const far = retrieveLessons(
      "sorting numbers",
      book,
      [900_000, 900_000, 900_000],
      seed.playbook,
    );
    expect(far).toEqual({ way: "meaning", found: [] });
    const near = retrieveLessons("anything", book, [100_000, 100_000, 50_000], seed.playbook);
    expect(near.found.map(({ index }) => index)).toEqual([2, 0, 1]);
  });

  it("[SK24] shared words weigh .4 beside 1 − distance", () => {
    const [first, second] = retrieveLessons(
      "sorting numbers",
      book,
      [100_000, 400_000, 440_000],
      seed.playbook,
    ).found;
    expect(first).toMatchObject({ index: 1, score: 1_000_000 });
    expect(second).toMatchObject({ index: 0, score: 900_000 });
  });

  it("[SK24] without a query the first five, without meanings by words alone", () => {
    const six = Array.from({ length: 6 }, (_, n) => lesson({ trigger: `subject${n}` }));
    expect(retrieveLessons(" ", six, null, seed.playbook)).toMatchObject({ way: "recent" });
    const recent = retrieveLessons("", six, null, seed.playbook).found;
    expect(recent.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    const { way, found } = retrieveLessons("the subject3", six, null, seed.playbook);
    expect({ way, at: found.map(({ index }) => index) }).toEqual({ way: "keywords", at: [3] });
  });

  it("[SK24] where no distances are known, keywords of .3 are found, and of less they are not", () => {
    // Each word in none or in all of the triggers weighs as any other: a trigger covers so many of the query's ten.
    const ten = Array.from({ length: 10 }, (_, n) => `subject${n}`);
    const found = (covered: number) =>
      retrieveLessons(
        ten.join(" "),
        [lesson({ trigger: ten.slice(0, covered).join(" ") })],
        null,
        seed.playbook,
      ).found.map(({ score }) => score);

    expect([found(3), found(2)]).toEqual([[300_000], []]);
  });

  it("[SK24] the distance is twice what is missing of a cosine of 1", () => {
    expect(distanceBetween([1, 0], [3, 0])).toBe(0);
    expect(distanceBetween([1, 0], [0, 1])).toBe(2_000_000);
    expect(distanceBetween([1, 0], [-1, 0])).toBe(4_000_000);
    expect(distanceBetween([0, 0], [1, 0])).toBe(2_000_000);
  });

  const rarity = rarityIn(["parse log", "parse csv", "parse json"]);
  const share = (query: string, trigger: string) => coverage(keywords(query), trigger, rarity);

  it("[SK25] a trigger covers a share of the query's weight", () => {
    expect(share("how do I parse it", "the parse of it")).toBe(1);
    expect(share("the of and", "the of and")).toBe(0);
    expect(share("parse log", "csv")).toBe(0);
  });

  it("[SK25] rare words weigh more, function words and those of two letters nothing", () => {
    const [common, rare] = [Math.log(0.5 / 3.5 + 1), Math.log(2.5 / 1.5 + 1)];
    expect(share("parse log", "parse csv")).toBeCloseTo(common / (common + rare), 12);
    expect([...keywords("Use x1 the CSV_file, 42 times")]).toEqual(["csv_file", "times"]);
  });

  it("[SK25] the function words are these 108, and tell nothing", () => {
    const words =
      "the this that these those one two such same other you your yours her him his she they them their " +
      "our its itself myself who whom what when where which why how and but for than then because while not " +
      "are was were been being did does doing done had has have can must should will would about above after " +
      "again against back before below between both down during from into off out over through under until " +
      "with all any each few more most only some very also here just now once still there too day man new old " +
      "time way get let need put say see use";

    expect(new Set(words.split(" "))).toHaveProperty("size", 108);
    expect([...keywords(words)]).toEqual([]);
  });

  it("[SK25] a word that no trigger has weighs as the rarest", () => {
    expect(share("log unheard", "log")).toBeCloseTo(0.5, 12);
    expect(share("parse unheard", "parse")).toBeLessThan(0.5);
  });

  it("[SK24] what is found is near, at most five, and the best first", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyLesson, fc.nat(4_000_000)), { maxLength: 30 }),
        fc.string(),
        (some, query) => {
          const [lessons, distances] = [some.map(([one]) => one), some.map(([, far]) => far)];
          const { way, found } = retrieveLessons(query, lessons, distances, seed.playbook);
          expect(found.length).toBeLessThanOrEqual(5);
          if (way !== "meaning") return;
          expect(found.every(({ index }) => (distances[index] ?? 0) < 450_000)).toBe(true);
          const scores = found.map(({ score }) => score ?? 0);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        },
      ),
    );
  });
});

describe("credit", () => {
  const shown = lesson({ retrievals: 1, lastRetrievedAtMs: 1_000 });
  const at = (nowMs: number, one = shown, success = {}) =>
    creditLesson(one, success, nowMs, seed.playbook);

  it.each([
    [1_000 + minutes(5), 1],
    [1_001 + minutes(5), 0],
  ])("[SK26] a success at %i ms counts %i times", (nowMs, helped) => {
    expect(at(nowMs).helpfulRetrievals).toBe(helped);
  });

  it("[SK26] each showing is credited once", () => {
    const once = at(2_000);
    expect(at(3_000, once)).toBe(once);
    const again = { ...once, lastRetrievedAtMs: 2_500 };
    expect(at(3_000, again).helpfulRetrievals).toBe(2);
    expect(at(3_000, lesson())).toMatchObject({ helpfulRetrievals: 0 });
    const atOnce = at(1_000);
    expect(atOnce.helpfulRetrievals).toBe(1);
    expect(at(2_000, atOnce)).toBe(atOnce);
  });

  it("[SK26] a success that was about something else is not the lesson's", () => {
    const helped = (query: string) => at(2_000, shown, { query }).helpfulRetrievals;
    expect(helped("read the files of a book")).toBe(0);
    expect(helped("log, log, log")).toBe(0);
    expect(helped("log files")).toBe(1);
    expect(helped("a regular expression")).toBe(1);
    expect(helped("a log, a regular one")).toBe(1);
    expect(at(2_000, shown, { triggers: ["log files"] }).helpfulRetrievals).toBe(0);
    expect(at(2_000, shown, { triggers: ["log files, parsing"] }).helpfulRetrievals).toBe(1);
  });

  it("[SK26] confidence grows with each credit, up to 1", () => {
    expect(at(2_000).confidence).toBe(550_000);
    expect(at(2_000, { ...shown, confidence: 980_000 }).confidence).toBe(1_000_000);
    const { book, credited: who } = creditBook([shown, lesson()], {}, 2_000, seed);
    expect(who).toEqual([book[0]]);
  });
});

describe("utility", () => {
  it("[SK27] as printed: raw hit_rate, ln(frequency), and a penalty for what is stale", () => {
    const total = (some: Partial<Lesson>) => utilityOf(lesson(some), seed.utility).total;
    expect(total({})).toBe(250_000);
    expect(total({ retrievals: 4, helpfulRetrievals: 1 })).toBe(450_000);
    expect(total({ verified: true })).toBe(550_000);
    expect(total({ confidence: 0 })).toBe(0);
    expect(total({ frequency: 20 })).toBe(250_000 + 299_573);
    expect(total({ frequency: 0 })).toBe(250_000);
    expect(total({ retrievals: 20, helpfulRetrievals: 7 })).toBe(530_000);
    expect(total({ retrievals: 20, helpfulRetrievals: 6 })).toBe(490_000 - 300_000);
    expect(total({ retrievals: 4 })).toBe(250_000);
    expect(total({ retrievals: 5 })).toBe(-50_000);
  });

  it("[SK27] is stale after five retrievals and below .35, and neither at .35 nor after four", () => {
    const isStale = (retrievals: number, helpfulRetrievals: number) =>
      utilityOf(lesson({ retrievals, helpfulRetrievals }), seed.utility).isStale;

    expect([isStale(5, 1), isStale(4, 0)]).toEqual([true, false]);
    expect([isStale(10_000, 3_499), isStale(10_000, 3_500)]).toEqual([true, false]);
  });

  it("[SK28] as in the real system: smoothed, capped, and halved when stale", () => {
    const { utility } = lessonPolicy({ "skills.utility.form": "real" });
    const of = (some: Partial<Lesson>) => utilityOf(lesson(some), utility);
    expect(of({}).terms).toMatchObject({
      confidence: 250_000,
      hitRate: 400_000,
      frequency: 69_315,
    });
    expect(of({ frequency: 19 })).toMatchObject({ isCapped: false });
    expect(of({ frequency: 20 })).toMatchObject({ isCapped: true, terms: { frequency: 300_000 } });
    expect(of({ retrievals: 5, helpfulRetrievals: 1 })).toMatchObject({ isStale: true });
    expect(of({ retrievals: 5, helpfulRetrievals: 1 }).total).toBe(
      Math.round((250_000 + 228_571 + 69_315) / 2),
    );
    expect(of({ confidence: 0 }).terms.confidence).toBe(250_000);
    expect(utilityOf(lesson({ confidence: 0 }), seed.utility).terms.confidence).toBe(0);
  });

  it("[SK27, SK28] every term is a whole number, they add up, and more of anything good is never worth less", () => {
    fc.assert(
      fc.property(anyLesson, anyForm, fc.nat(500_000), (one, { utility }, more) => {
        const { terms, total } = utilityOf(one, utility);
        expect(Number.isSafeInteger(total)).toBe(true);
        expect(UTILITY_TERMS.reduce((sum, term) => sum + terms[term], 0)).toBe(total);
        const than = (some: Partial<Lesson>) => utilityOf({ ...one, ...some }, utility).total;
        if (one.confidence > 0) {
          expect(than({ confidence: one.confidence + more })).toBeGreaterThanOrEqual(total);
        }
        expect(than({ verified: true })).toBeGreaterThanOrEqual(total);
        expect(than({ frequency: one.frequency + 1 })).toBeGreaterThanOrEqual(total);
        expect(than({ helpfulRetrievals: one.helpfulRetrievals + 1 })).toBeGreaterThanOrEqual(
          total,
        );
      }),
    );
  });
});

describe("the playbook", () => {
  const pins = (count: number) =>
    Array.from({ length: count }, (_, n) => lesson({ trigger: `pin${n}`, verified: true }));
  const write = (book: Playbook, some: object, policy = seed) =>
    writeLesson(book, { ...draft, trigger: "newest", ...some }, 7, policy);

  const { book: first } = write([], { trigger: "How do I parse JSON?", correctPattern: "short" });
  const again = write(first, {
    ...{ trigger: "JSON: parse it, please", correctPattern: "longer pattern" },
    ...{ domains: ["algo", "regex_parse"], verified: true, confidence: 600_000 },
  });

  it("[SK20] the same words in another order are no new lesson", () => {
    expect(again.outcome).toBe("reinforced");
    expect(again.book).toHaveLength(1);
    expect(again.lesson).toMatchObject({ trigger: "How do I parse JSON?" });
    expect(write(first, { trigger: "How do I parse XML?" }).book).toHaveLength(2);
  });

  it("[SK20] the lesson that is there counts on, keeps the longer pattern and stays verified", () => {
    const kept = { correctPattern: "longer pattern", verified: true };
    const domains = ["algo", "regex_parse"];
    expect(again.lesson).toMatchObject({ ...kept, domains, frequency: 2 });
    for (const correctPattern of ["short", "as long a one!"]) {
      const third = write(again.book, { trigger: "parse JSON", correctPattern });
      expect(third.lesson).toMatchObject({ ...kept, domains, frequency: 3 });
    }
  });

  it("[SK20] being verified adds confidence", () => {
    const more = (verified: boolean) =>
      write(first, { trigger: "parse JSON", verified, confidence: 600_000 }).lesson?.confidence;
    expect([more(true), more(false)]).toEqual([800_000, 500_000]);
  });

  it("[SK29] 50 pins block an unverified lesson, and it evicts none of them", () => {
    const { outcome, book, dropped } = write(pins(50), { confidence: 1_000_000 });
    expect(outcome).toBe("blocked");
    expect(book).toEqual(pins(50));
    expect(dropped).toMatchObject([{ cause: "blocked-by-pins", lesson: { trigger: "newest" } }]);
    expect(write(pins(49), {}).outcome).toBe("written");
  });

  it("[SK29] a verified one comes in, and the oldest pin goes", () => {
    const { outcome, dropped } = write(pins(50), { verified: true });
    expect(outcome).toBe("written");
    expect(dropped).toMatchObject([{ cause: "oldest-pin", lesson: { trigger: "pin49" } }]);
  });

  it("[SK29] with overflow by utility an unverified lesson takes the place of a pin", () => {
    const policy = lessonPolicy({ "skills.playbook.overflow": "utility" });
    const { outcome, dropped } = write(pins(50), {}, policy);
    expect(outcome).toBe("written");
    expect(dropped).toMatchObject([{ cause: "lowest-utility", lesson: { verified: true } }]);
  });

  it("[SK29] the head stays however poor it is; of the others the least useful goes", () => {
    const others = Array.from({ length: 50 }, (_, n) =>
      lesson({ trigger: `other${n}`, confidence: 500_000 + n }),
    );
    const { book, dropped } = write(others, { confidence: 0 });
    expect(book[0]?.trigger).toBe("newest");
    expect(dropped).toMatchObject([{ cause: "lowest-utility", lesson: { trigger: "other0" } }]);
  });

  it("[SK29] at most 50 are kept, nothing is lost unsaid, and no unverified lesson evicts a pin", () => {
    fc.assert(
      fc.property(fc.array(anyLesson, { maxLength: 140 }), anyForm, (drafts, policy) => {
        let book: Playbook = [];
        for (const [index, one] of drafts.entries()) {
          const trigger = `subject${index}`;
          const next = writeLesson(book, { ...one, trigger }, index, policy);
          expect(next.book.length).toBeLessThanOrEqual(50);
          expect(next.book.length + next.dropped.length).toBe(book.length + 1);
          if (!one.verified) {
            expect(next.dropped.filter((gone) => gone.lesson.verified)).toEqual([]);
          }
          book = next.book;
        }
      }),
      { numRuns: 40 },
    );
  });

  it("[SK30] pruned are those shown five times in vain, and at most a quarter", () => {
    const useless = { retrievals: 5, confidence: 100_000 };
    const kept = [
      lesson({ retrievals: 4 }),
      lesson({ ...useless, helpfulRetrievals: 1 }),
      lesson({ ...useless, verified: true }),
    ];
    const gone = lesson({ ...useless, trigger: "gone" });
    expect(pruneBook([...kept, gone], seed)).toEqual({
      book: kept,
      dropped: [{ lesson: gone, cause: "never-helpful" }],
    });
    expect(pruneBook([gone, gone, gone], seed).dropped).toEqual([]);
  });

  it("[SK30] no pruning drops more than a quarter, a verified lesson, or one that helped", () => {
    fc.assert(
      fc.property(anyBook, anyForm, (some, policy) => {
        const { book, dropped } = pruneBook(some, policy);
        expect(dropped.length).toBeLessThanOrEqual(some.length / 4);
        expect(book.length + dropped.length).toBe(some.length);
        for (const { lesson: one } of dropped) {
          expect(one).toMatchObject({ verified: false, helpfulRetrievals: 0 });
          expect(one.retrievals).toBeGreaterThanOrEqual(5);
        }
      }),
    );
  });

  it("[SK30] of a hundred useless lessons 25 go, of 99 only 24, the least useful first", () => {
    const useless = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        lesson({ retrievals: 5, confidence: n, trigger: `${n}` }),
      );
    const gone = (count: number) =>
      pruneBook(useless(count), seed).dropped.map((one) => one.lesson.trigger);

    expect(gone(100)).toEqual(Array.from({ length: 25 }, (_, n) => `${n}`));
    expect(gone(99)).toHaveLength(24);
  });

  it("[SK30] by quarters nothing goes from above the lowest quarter, though fewer may go from below", () => {
    const policy = lessonPolicy({ "skills.playbook.prune": "quartile" });
    // Of twelve the fourth is the last that counts as low; those below it were shown too seldom.
    const book = Array.from({ length: 12 }, (_, n) =>
      lesson({ trigger: `${n}`, confidence: n * 10_000, retrievals: n < 3 ? 1 : 4 }),
    );
    const dropped = pruneBook(book, {
      ...policy,
      playbook: { ...policy.playbook, pruneRetrievals: 4 },
    });

    expect(dropped.dropped.map((one) => one.lesson.trigger)).toEqual(["3"]);
  });

  it("[SK30] by quarters a lesson goes that helped nine times in ten, when its peers did too", () => {
    const policy = lessonPolicy({ "skills.playbook.prune": "quartile" });
    const peers = Array.from({ length: 10 }, (_, n) =>
      lesson({ retrievals: 10, helpfulRetrievals: 9, writtenAtMs: n }),
    );
    expect(pruneBook(peers, policy).dropped).toHaveLength(2);
    expect(pruneBook(peers.slice(1), policy).dropped).toEqual([]);
  });

  it("[SK30] by quarters the newest come first where one goes; where none goes, the order stays", () => {
    const policy = lessonPolicy({ "skills.playbook.prune": "quartile" });
    const shown = (retrievals: number) =>
      Array.from({ length: 10 }, (_, n) => lesson({ retrievals, writtenAtMs: n }));
    const timesOf = (book: readonly Lesson[]) => book.map(({ writtenAtMs }) => writtenAtMs);

    expect(timesOf(pruneBook(shown(5), policy).book)).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
    expect(pruneBook(shown(4), policy)).toEqual({ book: shown(4), dropped: [] });
  });

  it("[SK31, SK68] what is shown is counted, and stands under the header with its tick", () => {
    const [first, second] = [lesson({ verified: true, antiPattern: "splitting" }), lesson()];
    const book = countSurfacing([first, second], new Set([first]), 9);
    expect(book[0]).toMatchObject({ retrievals: 1, lastRetrievedAtMs: 9 });
    expect(book[1]).toBe(second);
    expect(playbookSection([])).toBe("");
    expect(playbookSection([first], true)).toBe(
      [
        "### SKILL PLAYBOOK:",
        "## RECENT LESSONS LEARNED (Follow these to avoid repeats):",
        "1. TRIGGER (✓): parsing log files",
        "   DOMAINS: regex_parse",
        "   ANTI-PATTERN: splitting",
        "   CORRECT-PATTERN: use a regular expression",
      ].join("\n"),
    );
    expect(playbookSection([first, { ...second, domains: ["bash", "sql"] }])).toContain(
      "\n2. TRIGGER (·): parsing log files\n   DOMAINS: bash, sql\n",
    );
  });
});

it("[SK29] of a playbook with room all stays in order; of a full one the head, pins, then the most useful stay", () => {
  const one = (trigger: string, verified: boolean, confidence = 0) =>
    lesson({ trigger, verified, confidence });
  const [head, pin, old] = [one("head", false), one("pin", true), one("old pin", true)];
  const [low, high] = [one("low", false), one("high", false, 900_000)];
  const trimmed = (size: number, overflow: "pins-block" | "utility", ...all: readonly Lesson[]) => {
    const { kept, dropped } = trimLessons(all, { size, overflow }, seed.utility);
    const gone = dropped.map(({ lesson: left, cause }) => `${left.trigger}: ${cause}`);
    return [kept.map(({ trigger }) => trigger), gone];
  };

  expect(trimmed(3, "pins-block")).toEqual([[], []]);
  expect(trimmed(4, "pins-block", head, low, pin, high)).toEqual([
    ["head", "low", "pin", "high"],
    [],
  ]);
  expect(trimmed(3, "pins-block", head, low, pin, high)).toEqual([
    ["head", "pin", "high"],
    ["low: lowest-utility"],
  ]);
  expect(trimmed(2, "pins-block", head, low, pin, old)).toEqual([
    ["pin", "old pin"],
    ["head: blocked-by-pins", "low: lowest-utility"],
  ]);
  expect(trimmed(2, "pins-block", one("new pin", true), pin, old)).toEqual([
    ["new pin", "pin"],
    ["old pin: oldest-pin"],
  ]);
  expect(trimmed(2, "utility", head, low, pin, one("sure", true, 900_000))).toEqual([
    ["head", "sure"],
    ["pin: lowest-utility", "low: lowest-utility"],
  ]);
});
