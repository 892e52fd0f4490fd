/** The numbers and switches of lessons and of the playbook that keeps them. Source: seed 001; rulings K. */
import { choice, integer, subset, type ValuesOf } from "../policyLeaf.ts";
import { MILLION, minutes } from "../units.ts";

const thousandths = { unit: "thousandths", min: 0, max: 1000 };
const millionths = { unit: "millionths", min: 0, max: MILLION };
const lessons = (min: number) => ({ unit: "lessons", min, max: 10_000 });

/** The classes of tasks a lesson may be of. Source: dossier 1.7; the seed names none. */
export const DOMAINS = [
  "algo",
  "bash",
  "concurrency",
  "data_analysis",
  "python_general",
  "regex_parse",
  "sql",
  "web_automation",
] as const;

export const playbookLeaves = {
  size: integer(50, {
    ...lessons(1),
    says: "Most lessons the playbook keeps (PLAYBOOK_MAX).",
    source: "seed 001, Retention formula",
  }),
  overflow: choice("pins-block", ["pins-block", "utility"], {
    says: "What happens once the head and verified lessons fill the playbook: they stay in order and block everything else, or all but the head compete by utility, where an unverified lesson can outlive verified ones.",
    source: "seed 001, Retention formula; RULINGS K4",
  }),
  distanceBelow: integer(450_000, {
    unit: "millionths",
    min: 0,
    max: 4 * MILLION,
    says: "A lesson is retrieved when its distance from the query is below this; the distance is twice (1 − cosine).",
    source: "seed 001, Retrieval feedback loop; RULINGS K5 (scale: dossier 1.9)",
  }),
  limit: integer(5, {
    ...lessons(0),
    says: "Most lessons put into one prompt.",
    source: "seed 001, Retrieval feedback loop",
  }),
  keywordWeight: integer(400, {
    ...thousandths,
    says: "What shared keywords weigh beside (1 − distance).",
    source: "RULINGS K5",
  }),
  keywordFloor: integer(300, {
    ...thousandths,
    says: "Where no distances are known, the least share of a query's keywords that a lesson must cover.",
    source: "ours, as in the real system: the seed says nothing",
  }),
  countRetrieval: choice("injection", ["injection", "turn"], {
    says: "Whether a lesson's retrievals grow with each prompt it enters, or once a turn. A lesson that both prompts of a turn show has a hit_rate of ½ or less.",
    source: "seed 001, Retrieval feedback loop; RULINGS K14",
  }),
  creditWithinMs: integer(minutes(5), {
    unit: "ms",
    min: 0,
    max: minutes(24 * 60),
    says: "How long after it was surfaced a lesson is credited with a success.",
    source: "seed 001, Retrieval feedback loop",
  }),
  creditWords: integer(2, {
    unit: "words",
    min: 0,
    max: 20,
    says: "Words a query must share with a lesson for its success to be the lesson's too.",
    source: "ours, as in the real system: the seed says nothing",
  }),
  creditConfidence: integer(50_000, {
    ...millionths,
    says: "What a credit adds to confidence.",
    source: "ours, as in the real system: the seed says nothing",
  }),
  verifiedConfidence: integer(200_000, {
    ...millionths,
    says: "What being verified adds to confidence.",
    source: "ours, as in the real system: the seed says nothing",
  }),
  prune: choice("never-helpful", ["never-helpful", "quartile"], {
    says: "What a pruning drops: lessons surfaced often and never helpful, or those surfaced often in the lowest quarter by utility.",
    source: "seed 001, Retrieval feedback loop; RULINGS K8",
  }),
  pruneRetrievals: integer(5, {
    unit: "retrievals",
    min: 0,
    max: 1_000,
    says: "A lesson surfaced less often than this is never pruned.",
    source: "seed 001, Retrieval feedback loop",
  }),
  pruneShare: integer(250, {
    ...thousandths,
    says: "Most of the playbook that one pruning drops.",
    source: "seed 001, Retrieval feedback loop",
  }),
};

export type PlaybookPolicy = ValuesOf<typeof playbookLeaves>;

/** What the gates of self-play look at. */
export const lessonGateLeaves = {
  domains: subset(DOMAINS, DOMAINS, {
    says: "The taxonomy: a lesson must be of at least one of these domains.",
    source: "seed 001, Path B; names: dossier 1.7",
  }),
  ngram: integer(6, {
    unit: "words",
    min: 2,
    max: 100,
    says: "So many words in a row that a lesson shares with its challenge, setup or validator refuse it.",
    source: "seed 001, Path B",
  }),
  novelty: integer(500, {
    ...thousandths,
    says: "From this novelty on, a solution found at once is worth a lesson.",
    source: "ours, as in the real system: the seed says nothing",
  }),
  compression: integer(50, {
    ...thousandths,
    says: "Above this saving in length, a solution found at once is worth a lesson.",
    source: "ours, as in the real system: the seed says nothing",
  }),
};

export type LessonGatePolicy = ValuesOf<typeof lessonGateLeaves>;
