/**
 * What the models of a random world with synt may say: the right thing for each stage, and each way
 * of not saying it. Ours.
 */
import fc from "fast-check";
import { EXECUTOR_TEXTS } from "../../../contract/standInExecutor.ts";
import type { Json } from "../../../machines/letter.ts";

export interface Said {
  readonly [field: string]: Json;
}

const TESTS: Json = [
  { name: "happy path", input: { items: [3, 1, 2] }, expect: { ok: true, ok_count_eq: 3 } },
  { name: "empty list", input: { items: [] }, expect: { ok: true, ok_count_eq: 0 } },
  { name: "invalid args", input: { items: 7 }, expect: { ok: false, error_class: "invalid_args" } },
  { name: "one item", input: { items: [0] }, expect: { ok: true, entries_min: 1 } },
];
const DESCRIPTION =
  "SCOPO: works through a list of entries. PATTERN: call it with items. NON: it fetches nothing by " +
  "itself. OUT: ok, entries, ok_count.";
const AFFINITY = ["entries", "list", "items", "work", "through", "each"];
const SIGNATURE = {
  args_schema: { type: "object", properties: { items: { type: "array" } }, required: ["items"] },
  capabilities: [],
  reverse_pattern: null,
  takes: ["entries"],
  gives: ["entries"],
};
const CODE = EXECUTOR_TEXTS.whole.text;

const namingAnswer = (name: string): Json => ({
  ...{ name, revertible: false, critical: false, target_kind: "none" },
});
const rewritten = (name: string): Json => ({
  ...{ name, description: DESCRIPTION, affinity: AFFINITY, tests: TESTS, code: CODE },
  ...SIGNATURE,
});

/** What the user asks for, what is planned for it, and what the missing one would be called. */
export const WISHES = [
  {
    says: "Share the photos of the year.",
    plan: { steps: ["read_files", "share_files_zip"], towards: ["share_files"] },
    name: "share_files_zip",
  },
  {
    says: "Count the lines of every list.",
    plan: { steps: ["compute_entries"] },
    name: "compute_entries",
  },
  { says: "Crack the password of this archive.", plan: { steps: ["crack_files_zip"] }, name: null },
  { says: "Leave the letters out.", plan: { steps: ["filter_messages"] }, name: null },
  {
    says: "Which links are in here?",
    plan: { steps: ["find_urls", "read_urls_html"] },
    name: null,
  },
  {
    says: "Order my videos by date.",
    plan: { steps: ["read_files", "order_video_file"], towards: ["sort_files"] },
    name: "describe_images",
  },
  {
    says: "Say what the pictures show.",
    plan: { missing: "describe_images" },
    name: "describe_images",
  },
  { says: "Do as you think best.", plan: { steps: [] }, name: null },
] as const;

/** Of nightly rewrites: what stands in the question, and the name that is given. */
const REWRITES: readonly (readonly [match: string, name: string])[] = [
  ["store_pdf", "write_files_pdf"],
  ["order_file", "order_file"],
  ["case csv", "filter_messages_csv"],
  ["compress_urls", "compress_urls"],
];

const head = WISHES.map(({ says, plan }, index) => ({
  ...{ id: `plan-${index}`, to: "plan", match: says.slice(1), answer: plan as Json },
}));

/** The right answer to each question. */
const RIGHT: readonly Said[] = [
  ...head,
  ...WISHES.map(({ says, name }, index) => ({
    ...{ id: `naming-${index}`, to: "naming", match: says.slice(1) },
    answer: name === null ? { name: null, reason: "outside the vocabulary" } : namingAnswer(name),
  })),
  { id: "signature", to: "signature", answer: SIGNATURE },
  { id: "tests", to: "tests", answer: { tests: TESTS } },
  {
    id: "description",
    to: "description",
    answer: { description: DESCRIPTION, affinity: AFFINITY },
  },
  { id: "code", to: "code", answer: CODE },
  {
    ...{ id: "propose", to: "propose" },
    answer: { name: "compute_entries", description: DESCRIPTION, code: CODE, ...SIGNATURE },
  },
  { id: "poc-tests", to: "pocTests", answer: { tests: TESTS } },
  ...REWRITES.map(([match, name], index) => ({
    ...{ id: `rewrite-${index}`, to: "transform", match, answer: rewritten(name) },
  })),
];

const STAGES =
  "plan naming signature tests description code propose pocTests transform judge".split(" ");

/** What may go wrong with a call of a model. */
const WRONG: readonly Said[] = [
  ...Array.from({ length: 3 }, () => ({ fails: "the connection was lost" })),
  { answer: "I would rather not.", after: "3s" },
  { answer: {} },
  { answer: { score: -1, tests: [], name: "Bad Name", steps: [7] } },
  { answer: {}, after: "90m" },
  { answer: {}, tokens: { asked: 900_000, answered: 900_000 } },
  { answer: EXECUTOR_TEXTS.raising.text },
  { answer: EXECUTOR_TEXTS.slow.text },
  { answer: EXECUTOR_TEXTS.wrong.text },
  { answer: EXECUTOR_TEXTS.foreign.text },
  { answer: EXECUTOR_TEXTS.unknown.text },
  { answer: EXECUTOR_TEXTS.broken.text },
  ...Array.from({ length: 3 }, () => ({
    answer: { score: 0.9, reasoning: "no", violates: "It reaches no more than it needs." },
  })),
];

const wrong = fc.record({
  to: fc.constantFrom(...STAGES, "code", "judge"),
  says: fc.constantFrom(...WRONG),
  weight: fc.constantFrom(1, 1, 1, 9),
});

type Wrong = typeof wrong extends fc.Arbitrary<infer T> ? T : never;

export const rightAnswers = (score: number): readonly Said[] => [
  ...RIGHT,
  { id: "judge", to: "judge", answer: { score, reasoning: "as the rubric says" } },
];

/** The right answers to all questions, a judge's score, and a few wrong ones beside them. */
export const syntAnswers: fc.Arbitrary<readonly Said[]> = fc
  .record({
    score: fc.constantFrom(0.9, 0.9, 1, 0.5, 0.3, 0),
    wrong: fc.oneof<fc.Arbitrary<readonly Wrong[]>[]>(
      fc.constant([]),
      fc.array(wrong, { maxLength: 4 }),
    ),
  })
  .map(({ score, wrong: faults }) => [
    ...rightAnswers(score),
    ...faults.map(({ to, says, weight }, index) => ({ id: `wrong-${index}`, to, weight, ...says })),
  ]);
