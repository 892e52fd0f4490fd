/**
 * `npm run bench:lessons`: lessons. Retrievals from a playbook of 10,000, by meaning and by words alone, with the share of
 * either part; writing into one of 50. Milliseconds of the processor; absolute numbers belong to the machine.
 */
import os from "node:os";
import { parts } from "../src/builtIn/parts.ts";
import { policyWith } from "../src/contract/policyTree.ts";
import { type Lesson, newLesson } from "../src/machines/skills/lesson.ts";
import { type Playbook, writeLesson } from "../src/machines/skills/playbook.ts";
import { distanceBetween, retrieveLessons } from "../src/machines/skills/retrieval.ts";
import { embed } from "../src/substrate/hashedEmbedding.ts";
import { processorMs } from "./processorTime.ts";

const LESSONS = 10_000;
const QUERIES = 20;
const WRITES = 2_000;

const { playbook, utility } = policyWith(parts, {}).skills;
const words = (text: string) => text.split(" ");
const subject = (index: number): string =>
  `parsing ${FORMATS[index % FORMATS.length]} files of case ${index} with rule ${index % 97}`;
const FORMATS = ["csv", "json", "apache log", "sqlite", "yaml", "markdown", "binary"];

const draftOf = (index: number) => ({
  ...{ trigger: subject(index), antiPattern: "", correctPattern: "read it line by line" },
  ...{ domains: ["data_analysis"], confidence: 500_000, sourceChallengeHash: "", source: "bench" },
  ...{ verified: index % 3 === 0, verificationAttempted: false },
});

function measured(): object {
  const lessons: Lesson[] = Array.from({ length: LESSONS }, (_, n) => newLesson(draftOf(n), n));
  const vectors = lessons.map(({ trigger }) => embed(trigger, words));
  const queries = Array.from({ length: QUERIES }, (_, n) => `how to parse json of case ${n * 401}`);
  let distances: number[][] = [];
  const comparing = processorMs(() => {
    distances = queries.map((query) => {
      const asked = embed(query, words);
      return vectors.map((vector) => distanceBetween(asked, vector));
    });
  });
  let found = 0;
  const byMeaning = processorMs(() => {
    for (const [index, query] of queries.entries()) {
      found += retrieveLessons(query, lessons, distances[index] ?? null, playbook).found.length;
    }
  });
  const byWords = processorMs(() => {
    for (const query of queries)
      found += retrieveLessons(query, lessons, null, playbook).found.length;
  });
  let book: Playbook = [];
  const writing = processorMs(() => {
    for (let index = 0; index < WRITES; index += 1) {
      book = writeLesson(book, draftOf(index), index, { playbook, utility }).book;
    }
  });
  if (found === 0 || book.length !== playbook.size) throw new Error("nothing was found or kept");
  const each = (ms: number, times: number) => Number((ms / times).toFixed(3));
  return {
    node: process.version,
    processors: os.availableParallelism(),
    lessons: LESSONS,
    retrievalMs: {
      comparingMeanings: each(comparing, QUERIES),
      rankingByMeaning: each(byMeaning, QUERIES),
      rankingByWords: each(byWords, QUERIES),
    },
    writeMs: each(writing, WRITES),
  };
}

console.log(JSON.stringify(measured(), null, 2));
