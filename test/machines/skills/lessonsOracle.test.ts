// [SK17] Lessons against the real system's recorded answers.
import { afterAll, describe } from "vitest";
import {
  creditLesson,
  newLesson,
  renderLesson,
  triggerKey,
} from "../../../src/machines/skills/lesson.ts";
import {
  type EpisodeWorth,
  guardRefusal,
  isVerified,
  lessonGate,
} from "../../../src/machines/skills/lessonGate.ts";
import { type Playbook, writeLesson } from "../../../src/machines/skills/playbook.ts";
import { pruneLessons, trimLessons, utilityOf } from "../../../src/machines/skills/retention.ts";
import {
  coverage,
  distanceBetween,
  keywords,
  rarityIn,
  retrieveLessons,
} from "../../../src/machines/skills/retrieval.ts";
import { MILLION } from "../../../src/machines/units.ts";
import { draftFrom, lessonFrom, msOf } from "./ghostLesson.ts";
import {
  type Agreement,
  AgreementTable,
  agreement,
  type GhostCase,
  type GhostLesson,
  isOracleThere,
} from "./ghostOracle.ts";
import { lessonPolicy } from "./lessonPolicy.ts";

const table = new AgreementTable();
const agrees = agreement(table);
const { playbook, utility, dream } = lessonPolicy({
  "skills.utility.form": "real",
  "skills.playbook.overflow": "utility",
  "skills.playbook.prune": "quartile",
});

interface WithLessons {
  readonly playbook: readonly GhostLesson[];
}
const triggersOf = (book: readonly { readonly trigger: string }[]) =>
  book.map(({ trigger }) => trigger);
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

describe.skipIf(!isOracleThere)("(skipped where shared/oracles/ghost.json is absent)", () => {
  afterAll(() => {
    process.stdout.write(`\n${table}\n`);
  });

  agrees<{ s: string }, string>(
    "normalize_trigger",
    ({ s }) => triggerKey(s),
    (key) => key,
  );

  interface Keywords {
    query: string;
    trigger: string;
    idf?: { [word: string]: number };
    corpus?: string[];
  }
  agrees<Keywords, number>(
    "bm25_score",
    ({ query, trigger, idf, corpus = [] }) => {
      const rarity =
        idf === undefined
          ? rarityIn(corpus)
          : { of: new Map(Object.entries(idf)), unseen: Math.max(...Object.values(idf)) };
      return rounded(coverage(keywords(query), trigger, rarity), 9);
    },
    (score) => rounded(score, 9),
  );

  interface Guarded {
    lesson: GhostLesson;
    challenge: string;
    setup_script: string;
    validation_script: string;
  }
  agrees<Guarded, [boolean, string]>(
    "generalization_guard",
    ({ lesson, challenge, setup_script: setup, validation_script: validator }) =>
      guardRefusal(draftFrom(lesson), { challenge, setup, validator }, dream)?.cause ?? null,
    ([ok, reason]) => (ok ? null : GUARD_CAUSES.find(([words]) => reason.includes(words))?.[1]),
  );

  interface Gate {
    passed: boolean;
    attempt: number;
    is_new_cluster: boolean;
    mastered: boolean;
    aborted_by_solver: boolean;
    validator_infra_crash: boolean;
    journal_source: boolean | null;
    solution_novelty: number | null;
    compression_delta: number;
  }
  agrees<Gate, [boolean, string]>(
    "lesson_gate_decision",
    (given) =>
      lessonGate(
        {
          passed: given.passed,
          attempt: given.attempt,
          isNewCluster: given.is_new_cluster,
          isMastered: given.mastered,
          wasAborted: given.aborted_by_solver,
          validatorCrashed: given.validator_infra_crash,
          isFromJournal: given.journal_source ?? false,
          novelty: given.solution_novelty === null ? null : given.solution_novelty * 1_000,
          compression: given.compression_delta * 1_000,
        },
        dream,
      ),
    ([extracts, reason]) => ({
      extracts,
      worth: GATE_WORTHS.find(([words]) => reason.includes(words))?.[1],
    }),
  );

  interface Verified {
    original_passed: boolean;
    original_attempts_used: number;
    verify_passed: boolean;
  }
  agrees<Verified, boolean>(
    "lesson_verified_rule",
    ({ original_passed: passed, original_attempts_used: attempts, verify_passed: ok }) =>
      isVerified({ passed, attempts }, { passed: ok }),
    (verified) => verified,
  );

  const hasOutcomes = ({
    succeeded_retrievals: won = 0,
    failed_retrievals: lost = 0,
  }: GhostLesson) => won + lost >= 4;
  agrees<{ lesson: GhostLesson }, number>(
    "lesson_utility",
    ({ lesson }) => rounded(utilityOf(lessonFrom(lesson), utility).total / MILLION, 4),
    (worth) => worth,
    ({ input }) => (hasOutcomes(input.lesson) ? "by K2 (no term of outcomes)" : null),
  );

  agrees<WithLessons & { max_entries: number }, readonly (string | GhostLesson)[]>(
    "trim_playbook",
    ({ playbook: book, max_entries: size }) =>
      triggersOf(trimLessons(book.map(lessonFrom), { ...playbook, size }, utility).kept),
    (kept) => kept.map((one) => (typeof one === "string" ? one : one.trigger)),
  );

  interface Pruning extends WithLessons {
    GHOST_SKILL_PRUNE?: string;
    env?: { GHOST_SKILL_PRUNE: string | null };
    kwargs: { max_drop_fraction?: number; min_retrievals?: number };
  }
  const prunedTriggers = ({ playbook: book, kwargs }: Pruning) =>
    triggersOf(
      pruneLessons(
        book.map(lessonFrom),
        {
          ...playbook,
          pruneRetrievals: kwargs.min_retrievals ?? playbook.pruneRetrievals,
          pruneShare: (kwargs.max_drop_fraction ?? 0.25) * 1_000,
        },
        utility,
      ).kept,
    );
  const pruningRuled = ({ input }: GhostCase<Pruning, unknown>): Agreement | null => {
    const isOn = (input.GHOST_SKILL_PRUNE ?? input.env?.GHOST_SKILL_PRUNE) === "1";
    if (!isOn && input.playbook.length >= 10) return "by K8 (pruning is on)";
    return input.playbook.some(hasOutcomes) ? "by K2 (no term of outcomes)" : null;
  };
  agrees<Pruning, { playbook: { trigger: string }[] }>(
    "prune_low_utility",
    prunedTriggers,
    (left) => triggersOf(left.playbook),
    pruningRuled,
  );
  agrees<Pruning, { survivors_in_order: string[] }>(
    "prune_low_utility_full",
    prunedTriggers,
    (left) => left.survivors_in_order,
    pruningRuled,
  );

  interface Credit extends WithLessons {
    now: string;
    window_seconds: number;
    query?: string;
    top_triggers?: string[];
  }
  interface Credits {
    after: { trigger: string; helpful_retrievals: number; confidence: number }[];
    credited: number;
    credited_second_call: number;
  }
  agrees<Credit, Credits>(
    "credit_recent_retrievals_full",
    ({ now, window_seconds: window, query, top_triggers: triggers, playbook: given }) => {
      const by = { ...playbook, creditWithinMs: window * 1_000 };
      const success = { ...(query && { query }), ...(triggers && { triggers }) };
      const credit = (book: Playbook) =>
        book.map((one) => creditLesson(one, success, msOf(now), by));
      const before = given.map(lessonFrom);
      const after = credit(before);
      const again = credit(after);
      return {
        after: after.map(({ trigger, helpfulRetrievals, confidence }) => ({
          trigger,
          helpful_retrievals: helpfulRetrievals,
          confidence: confidence / MILLION,
        })),
        credited: after.filter((one, index) => one !== before[index]).length,
        credited_second_call: again.filter((one, index) => one !== after[index]).length,
      };
    },
    (credits) => credits,
  );

  interface Learned {
    returns: (string | null)[];
    playbook: GhostLesson[];
  }
  agrees<{ calls: GhostLesson[] }, Learned>(
    "learn_lesson_sequence",
    ({ calls }) => {
      let book: Playbook = [];
      const returns = calls.map((call, index) => {
        const next = writeLesson(book, draftFrom(call), index, { playbook, utility });
        book = next.book;
        return next.outcome;
      });
      return { returns, playbook: book.map(shortened) };
    },
    ({ returns, playbook: book }) => ({ returns, playbook: book.map(lessonFrom).map(shortened) }),
    ({ expected }) =>
      expected.returns.includes(null) ? "not applicable (no gate on wording in the seed)" : null,
  );

  agrees<GhostLesson, GhostLesson>(
    "build_lesson",
    (given) => newLesson(draftFrom(given), 0),
    (built) => ({ ...lessonFrom({ ...built, timestamp: "1970-01-01T00:00:00" }) }),
  );

  agrees<{ lesson: GhostLesson }, string>(
    "render_lesson",
    ({ lesson }) => renderLesson(lessonFrom(lesson)),
    (text) => text,
    ({ expected }) => (expected.startsWith("SITUATION") ? "not applicable (old fields)" : null),
  );

  interface Vectors {
    distances: (number | number[])[];
    documents: (string | string[])[];
    metadatas?: unknown[];
  }
  interface Retrieval {
    playbook: GhostLesson[] | null;
    query: string | null;
    vector_result?: Vectors | null;
    vector?: Vectors | null;
    kwargs?: { limit?: number; distance_threshold?: number };
    limit?: number;
  }
  interface RetrievedThere {
    branch: string;
    items?: { trigger: string }[];
    triggers?: string[];
  }
  const nearIn = ({ vector, vector_result: nested }: Retrieval) => {
    const given = vector ?? nested;
    if (given === undefined || given === null) return null;
    const metadata = (given.metadatas?.flat() ?? []) as { trigger?: string }[];
    return given.documents.flat().map((document, index) => ({
      trigger: metadata[index]?.trigger ?? /^SITUATION: (.*)/.exec(document)?.[1] ?? document,
      distance: Math.round((given.distances.flat()[index] ?? 0) * MILLION),
    }));
  };
  /** Without metadata the real system finds texts of which it says no name. */
  const isNamed = ({ vector, vector_result: nested }: Retrieval) =>
    (vector ?? nested ?? { metadatas: [] }).metadatas !== undefined;
  const byOf = ({ kwargs = {}, limit }: Retrieval) => ({
    ...playbook,
    limit: kwargs.limit ?? limit ?? playbook.limit,
    distanceBelow: Math.round((kwargs.distance_threshold ?? 0.45) * MILLION),
  });
  const retrieve = (input: Retrieval) => {
    const near = nearIn(input);
    const known = (input.playbook ?? []).map(lessonFrom);
    const unknown = (near ?? [])
      .filter(({ trigger }) => known.every((one) => one.trigger !== trigger))
      .map(({ trigger }) => lessonFrom({ trigger }));
    const lessons = [...known, ...unknown];
    const far = distanceBetween([1], [-1]);
    const distances =
      near &&
      lessons.map((one) => near.find(({ trigger }) => trigger === one.trigger)?.distance ?? far);
    const { way, found } = retrieveLessons(input.query ?? "", lessons, distances, byOf(input));
    return {
      way: found.length === 0 ? "none" : way,
      triggers: found.map(({ lesson: { trigger } }) =>
        isNamed(input) ? trigger.toLowerCase() : "",
      ),
    };
  };
  const there = ({ branch, items, triggers }: RetrievedThere) => ({
    way: WAYS[branch],
    triggers: (triggers ?? triggersOf(items ?? [])).map((one) => one.toLowerCase()),
  });
  const rescued = ({ input, expected }: GhostCase<Retrieval, RetrievedThere>) => {
    const { triggers } = there(expected);
    const { distanceBelow } = byOf(input);
    const isFar = (nearIn(input) ?? []).some(
      ({ trigger, distance }) =>
        distance >= distanceBelow && triggers.includes(trigger.toLowerCase()),
    );
    return isFar && triggers.some((one) => one !== "") ? "by K5 (.45 is strict, no rescue)" : null;
  };
  agrees<Retrieval, RetrievedThere>("playbook_retrieval", retrieve, there, rescued);
  agrees<Retrieval, RetrievedThere>("playbook_retrieval_full", retrieve, there, rescued);
});

const shortened = ({
  trigger,
  correctPattern,
  domains,
  confidence,
  frequency,
  verified,
}: Playbook[number]) => ({
  trigger,
  correctPattern,
  domains,
  confidence,
  frequency,
  verified,
});

const WAYS: { readonly [branch: string]: string } = {
  vector: "meaning",
  vector_empty: "none",
  bm25: "keywords",
  bm25_empty: "none",
  recency: "recent",
  empty_playbook: "none",
};

const GUARD_CAUSES = [
  ["empty trigger", "empty"],
  ["domains", "domains"],
  ["restates the synthetic challenge", "challenge"],
  ["setup_script", "setup"],
  ["validation", "validator"],
] as const;

const GATE_WORTHS: readonly (readonly [string, EpisodeWorth])[] = [
  ["aborted", "aborted"],
  ["crash", "validator-crashed"],
  ["mastered", "mastered"],
  ["journal-mined", "journal"],
  ["struggled", "struggled"],
  ["new cluster or", "new"],
  ["novel shape", "novel"],
  ["low novelty", "familiar"],
  ["first failure", "first-failure"],
  ["repeat failure", "repeated-failure"],
];
