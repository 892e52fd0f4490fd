// What the formulas imply, found by trying.
import { describe, expect, it } from "vitest";
import {
  analysePlaybook,
  type PlaybookAnalysis,
} from "../../../src/actors/skills/playbookAnalysis.ts";
import { playbookFindings } from "../../../src/actors/skills/playbookFindings.ts";
import { sentencesBy } from "../../../src/actors/skills/playbookSentences.ts";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import { newLesson } from "../../../src/machines/skills/lesson.ts";
import { lessonPolicy } from "../../machines/skills/lessonPolicy.ts";

type Overrides = { readonly [path: string]: PolicyValue };

function analysedNow(set: Overrides) {
  const analysis = analysePlaybook(lessonPolicy(set));
  const findings = playbookFindings(analysis);
  return { analysis, ids: findings.map(({ id }) => id), findings };
}

/** One policy is analysed once, whatever is asked of it. */
const known = new Map<string, ReturnType<typeof analysedNow>>();
function analysed(set: Overrides = {}): ReturnType<typeof analysedNow> {
  const name = JSON.stringify(set);
  const analysis = known.get(name) ?? analysedNow(set);
  known.set(name, analysis);
  return analysis;
}

describe("dead clauses", () => {
  it("[SK36] the second clause of the retire rule holds and never decides", () => {
    const { analysis, findings } = analysed();
    const clause = analysis.clauses.find(({ id }) => id === "retire-young");
    expect(clause).toMatchObject({ decides: 0 });
    expect(clause?.holds).toBeGreaterThan(0);
    expect(findings.find(({ id }) => id === "retire-young")?.says).toMatch(
      /never decides: .* \(K1\)\.$/,
    );
    for (const { id, says } of findings) expect(says.includes("(K1)")).toBe(id === "retire-young");
  });

  it("[SK36] it decides as soon as it asks for fewer failures than the first: then nothing is said", () => {
    const { ids, analysis } = analysed({ "skills.retireAfter": 6 });
    expect(ids).not.toContain("retire-young");
    expect(analysis.clauses.find(({ id }) => id === "retire-young")?.decides).toBeGreaterThan(0);
  });

  it("[SK36] a clause of the retire rule decides where it holds and the other one does not", () => {
    // Of 13 numbers of failures (0 … 12) and 5 of uses (0 … 4): 6 failures or more; 5 or more of less than 2 uses.
    const { analysis } = analysed({
      "skills.retireAfter": 6,
      "skills.retireYoungAfter": 5,
      "skills.youngUses": 2,
    });

    expect(analysis.clauses.slice(0, 2)).toMatchObject([
      { id: "retire-failures", tried: 13 * 5, holds: 7 * 5, decides: 7 * 3 },
      { id: "retire-young", tried: 13 * 5, holds: 8 * 2, decides: 1 * 2 },
    ]);
  });

  it("[SK36] the quarter of a pruning decides, and a share that is all of it never holds", () => {
    const clause = ({ analysis }: ReturnType<typeof analysed>) =>
      analysis.clauses.find(({ id }) => id === "prune-share");

    expect(clause(analysed())?.decides).toBeGreaterThan(0);
    expect(clause(analysed({ "skills.playbook.pruneShare": 1_000 }))).toMatchObject({ holds: 0 });
    expect(analysed({ "skills.playbook.pruneShare": 1_000 }).ids).toContain("prune-share");
  });

  it("[SK36] staleness decides in either form, by its penalty or by its factor", () => {
    const decides = (form: string) =>
      analysed({ "skills.utility.form": form }).analysis.clauses.find(({ id }) => id === "stale")
        ?.decides;

    expect(decides("seed")).toBeGreaterThan(0);
    expect(decides("real")).toBeGreaterThan(0);
  });

  it("[SK36] the cap on frequency is dead in the form seed, staleness where nothing can be stale", () => {
    expect(analysed().ids).toContain("frequency-cap");
    expect(analysed({ "skills.utility.form": "real" }).ids).not.toContain("frequency-cap");
    expect(analysed().ids).not.toContain("stale");
    expect(analysed({ "skills.utility.staleBelow": 0 }).ids).toContain("stale");
  });
});

describe("terms", () => {
  it("[SK35] ranges are those of the form", () => {
    const range = (term: string, set = {}) =>
      analysed(set).analysis.terms.find((one) => one.term === term);
    expect(range("confidence")).toMatchObject({ least: 0, most: 500_000 });
    expect(range("hitRate")).toMatchObject({ least: 0, most: 800_000 });
    expect(range("frequency", { "skills.utility.form": "real" })).toMatchObject({ most: 300_000 });
    expect(range("stale")).toMatchObject({ least: -300_000, most: 0 });
  });

  it("[SK35] verified decides nothing while pins block, and something once all compete", () => {
    const decides = (set = {}) =>
      analysed(set).analysis.terms.find(({ term }) => term === "verified")?.decides;
    expect(decides()).toBe(0);
    expect(analysed().ids).toContain("dead-term");
    expect(decides({ "skills.playbook.overflow": "utility" })).toBeGreaterThan(0);
  });
});

describe("the cap", () => {
  it("[SK37] 50 verified lessons starve all 50 useful ones; without pins none starves", () => {
    const { cap } = analysed().analysis;
    expect(cap).toMatchObject({ size: 50, useful: 50 });
    expect(cap.rows.at(-1)).toEqual({ pins: 50, kept: 0, starved: 50 });
    expect(cap.rows[0]).toEqual({ pins: 0, kept: 50, starved: 0 });
    expect(analysed({ "skills.playbook.overflow": "utility" }).analysis.cap.rows.at(-1)?.kept).toBe(
      1,
    );
  });

  it("[SK37] a small and a large playbook are told too", () => {
    expect(analysed({ "skills.playbook.size": 1 }).analysis.cap.rows).toEqual([
      { pins: 0, kept: 1, starved: 0 },
      { pins: 1, kept: 0, starved: 1 },
    ]);
    expect(analysed({ "skills.playbook.size": 10_000 }).analysis.cap.rows[0]?.kept).toBe(50);
  });
});

describe("sentences", () => {
  it("[SK37] the shared retention is not borne out, and constants are not seen", () => {
    expect(analysed().ids).toEqual(expect.arrayContaining(["retention", "constants"]));
  });

  it("[SK37] pins and pruning are borne out by default, and not by the real system's ways", () => {
    for (const id of ["pins", "prune", "log"]) expect(analysed().ids).not.toContain(id);
    const real = analysed({
      "skills.playbook.overflow": "utility",
      "skills.playbook.prune": "quartile",
      "skills.utility.form": "real",
    });
    expect(real.ids).toEqual(expect.arrayContaining(["pins", "prune", "log"]));
  });

  it("[SK37] one book that breaks a sentence is enough, and a weight of nothing is no end of a logarithm", () => {
    const real = {
      "skills.playbook.overflow": "utility",
      "skills.playbook.prune": "quartile",
      "skills.utility.form": "real",
    };
    const draft = {
      ...{ trigger: "t", antiPattern: "a", correctPattern: "c", domains: [], source: "self_play" },
      ...{ sourceChallengeHash: "", verificationAttempted: false },
    };
    const lessons = (count: number, verified: boolean, confidence: number) =>
      Array.from({ length: count }, () => ({
        ...newLesson({ ...draft, verified, confidence }, 0),
        ...{ retrievals: 9, helpfulRetrievals: 1 },
      }));
    const mixed = [...lessons(20, false, 900_000), ...lessons(20, true, 0)];
    const says = (set: Overrides, ...books: (typeof mixed)[]) =>
      Object.fromEntries(sentencesBy(lessonPolicy(set), books).map((one) => [one.id, one.says]));

    expect(says(real, mixed, lessons(3, true, 0))).toMatchObject({
      pins: expect.stringContaining("In 1 of 2 full playbooks"),
    });
    expect(says(real, lessons(40, true, 0))).not.toHaveProperty("pins");
    expect(says(real, mixed)).toMatchObject({ prune: expect.stringContaining("In 1 of 1 ") });
    expect(says({ ...real, "skills.utility.frequency": 0 })).not.toHaveProperty("log");
  });

  it("[SK37] two prompts a turn halve what hit_rate can be", () => {
    expect(analysed().analysis.turns).toEqual({
      ...{ newest: 5, kept: 50 },
      ...{ countedPerTurn: 2, hitRateMost: 500_000, staleBelowTurns: 0.7 },
    });
    const turn = analysed({ "skills.playbook.countRetrieval": "turn" });
    expect(turn.analysis.turns).toMatchObject({ hitRateMost: 1_000_000 });
    expect(turn.ids).not.toContain("two-prompts");
  });

  it("[SK35, SK37] says of which lessons it holds that two prompts count, and nothing where no lesson is shown", () => {
    const says = (policy = {}) => {
      const findings = playbookFindings(analysed(policy).analysis);
      return findings.find(({ id }) => id === "two-prompts")?.says;
    };

    expect(says()).toContain(
      "shows the 5 newest; an older one that the plan alone shows counts once",
    );
    expect(says({ "skills.playbook.size": 5 })).toContain("shows every lesson");
    expect(says({ "skills.playbook.limit": 0 })).toBeUndefined();
  });
});

it("[SK35, SK36, SK37] finds and says the same of each of these policies, to the number", async () => {
  const texts = [
    {},
    { "skills.playbook.overflow": "utility", "skills.playbook.prune": "quartile" },
    { "skills.utility.form": "real", "skills.playbook.pruneShare": 1_000 },
    { "skills.retireAfter": 6, "skills.utility.staleBelow": 0 },
    { "skills.playbook.size": 5, "skills.playbook.countRetrieval": "turn" },
  ].map((set) => {
    const { analysis, findings } = analysed(set);
    const { terms, clauses, sentences, total, cap, turns } = analysis;
    const rows = [...terms, ...clauses, ...sentences, total, cap, turns];
    const said = findings.map(({ id, says }) => `${id}: ${says}`);
    return [JSON.stringify(set), ...rows.map((one) => JSON.stringify(one)), ...said].join("\n");
  });

  await expect(`${texts.join("\n\n---\n\n")}\n`).toMatchFileSnapshot("playbookAnalysis.txt");
});

describe("findings, of an analysis made by hand", () => {
  const { analysis } = analysed();
  const none: PlaybookAnalysis = {
    ...{ ...analysis, terms: [], clauses: [], sentences: [] },
    total: { least: 0, most: 1 },
    cap: { size: 8, useful: 3, rows: [{ pins: 8, kept: 3, starved: 0 }] },
    turns: { ...analysis.turns, countedPerTurn: 1 },
  };
  const saysOf = (changed: Partial<PlaybookAnalysis>) =>
    playbookFindings({ ...none, ...changed }).map(({ says }) => says);
  const twice = { ...analysis.turns, countedPerTurn: 2, newest: 5, kept: 8 };
  const term = { ...{ term: "hitRate" as const, tried: 9 }, least: 0, most: 1 };
  const clause = { id: "promote", says: "It helped.", tried: 9 };

  it.each<[string, Partial<PlaybookAnalysis>, string[]]>([
    ["nothing", {}, []],
    ["a term that never decides", { terms: [{ ...term, decides: 0 }] }, ["hitRate of the form"]],
    ["a term that decides once", { terms: [{ ...term, decides: 1 }] }, []],
    ["what another finding says", { terms: [{ ...term, term: "stale", decides: 0 }] }, []],
    ["never", { clauses: [{ ...clause, holds: 0, decides: 0 }] }, ["never holds, in 9 cases"]],
    [
      "once",
      { clauses: [{ ...clause, holds: 1, decides: 0 }] },
      ["tried, and nothing ends otherwise without it."],
    ],
    ["a clause that decides", { clauses: [{ ...clause, holds: 1, decides: 1 }] }, []],
    ["less than nothing", { total: { least: -1, most: 1 } }, ["Utility falls to -0.000001"]],
    [
      "useful lessons that starve when all places are taken",
      {
        cap: {
          ...none.cap,
          rows: [
            { pins: 7, kept: 0, starved: 3 },
            { pins: 8, kept: 2, starved: 1 },
          ],
        },
      },
      ["The cap of 8 starves 1 of 3"],
    ],
    [
      "none that starve before",
      { cap: { ...none.cap, rows: [{ pins: 7, kept: 0, starved: 3 }] } },
      [],
    ],
    ["always stale", { turns: { ...twice, staleBelowTurns: null } }, ["it is always stale. "]],
    [
      "stale below",
      { turns: { ...twice, staleBelowTurns: 0.123456 } },
      ["helps in 0.1235 of these turns"],
    ],
  ])("[SK35, SK36] %s", (_, changed, says) => {
    const said = saysOf(changed);

    expect(said).toHaveLength(says.length);
    for (const [at, one] of says.entries()) expect(said[at]).toContain(one);
  });
});
