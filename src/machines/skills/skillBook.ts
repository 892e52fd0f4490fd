/**
 * The registry of acquired skills as a value: what is saved, counted, degraded and retired. Source: seed 001, persistence,
 * telemetry and retire; rulings K1, K6 and K7.
 */
import type { Json } from "../letter.ts";
import { between, choice, integer, type ValuesOf } from "../policyLeaf.ts";
import { contentHash } from "./contentHash.ts";

const failures = { unit: "failures", min: 1, max: 1_000 };

export const bookLeaves = {
  usageCounts: choice("success", ["success", "both"], {
    says: "Which calls of a skill count as its use: those that succeed, or those that fail too.",
    source: "seed 001, telemetry; RULINGS K7; both in the real system",
  }),
  degradeAfter: integer(3, failures, {
    says: "After how many failures in a row a skill is degraded.",
    source: "seed 001, telemetry; RULINGS K6",
  }),
  retireAfter: integer(3, failures, {
    says: "From how many failures in a row a skill is retired, however much it was used.",
    source: "seed 001, retire, first clause; RULINGS K1",
  }),
  retireYoungAfter: integer(5, failures, {
    says: "From how many failures in a row a skill is retired that was used little.",
    source: "seed 001, retire, second clause; RULINGS K1: it can never decide",
  }),
  youngUses: integer(10, between(0, 1_000_000, "uses"), {
    says: "Below how many uses a skill counts as used little.",
    source: "seed 001, retire, second clause; RULINGS K1",
  }),
};

export type BookPolicy = ValuesOf<typeof bookLeaves>;

export interface SkillRow {
  readonly name: string;
  readonly description: string;
  readonly parametersSchema: Json;
  readonly usageCount: number;
  /** Failures in a row. */
  readonly failureCount: number;
  readonly status: "active" | "degraded";
  readonly contentHash: string;
}

/** In the order in which they were first saved. */
export type SkillBook = readonly SkillRow[];

/** `same`: the hash is the old one, so that its counts and its meaning stay. */
export type Saving = "new" | "changed" | "same";

export const rowOf = (book: SkillBook, name: string): SkillRow | undefined =>
  book.find((row) => row.name === name);

/** A changed skill is active again, its failures forgotten; how often it was used stays. */
export function saveSkill(
  book: SkillBook,
  skill: Pick<SkillRow, "name" | "description" | "parametersSchema"> & { readonly code: string },
): { readonly book: SkillBook; readonly row: SkillRow; readonly saving: Saving } {
  const { name, description, parametersSchema } = skill;
  const hash = contentHash(skill.code, parametersSchema, description);
  const before = rowOf(book, name);
  if (before?.contentHash === hash) return { book, row: before, saving: "same" };
  const row: SkillRow = {
    name,
    description,
    parametersSchema,
    usageCount: before?.usageCount ?? 0,
    failureCount: 0,
    status: "active",
    contentHash: hash,
  };
  return before === undefined
    ? { book: [...book, row], row, saving: "new" }
    : { book: replaceRow(book, row), row, saving: "changed" };
}

const replaceRow = (book: SkillBook, row: SkillRow): SkillBook =>
  book.map((one) => (one.name === row.name ? row : one));

export type CallOutcome = "success" | "failure" | "infra";

/** A call of a skill that is not there, or that the machine broke off, counts for nothing. */
export function countCall(
  book: SkillBook,
  name: string,
  outcome: CallOutcome,
  { usageCounts, degradeAfter }: Pick<BookPolicy, "usageCounts" | "degradeAfter">,
): SkillBook {
  const row = rowOf(book, name);
  if (row === undefined || outcome === "infra") return book;
  const isSuccess = outcome === "success";
  const usageCount = row.usageCount + (isSuccess || usageCounts === "both" ? 1 : 0);
  const failureCount = isSuccess ? 0 : row.failureCount + 1;
  const isDegraded = !isSuccess && (row.status === "degraded" || failureCount >= degradeAfter);
  const status = isDegraded ? "degraded" : "active";
  return replaceRow(book, { ...row, usageCount, failureCount, status });
}

type RetirePolicy = Pick<BookPolicy, "retireAfter" | "retireYoungAfter" | "youngUses">;

/**
 * Which clauses of the retire rule hold, told apart: so many failures in a row; more of them, and little use. The second never
 * decides alone, by ruling K1.
 */
export const retireClauses = (
  { failureCount, usageCount }: Pick<SkillRow, "failureCount" | "usageCount">,
  { retireAfter, retireYoungAfter, youngUses }: RetirePolicy,
) => ({
  failures: failureCount >= retireAfter,
  failuresOfYoung: failureCount >= retireYoungAfter && usageCount < youngUses,
});

export const retirableRows = (book: SkillBook, policy: RetirePolicy) =>
  book
    .map((row) => ({ name: row.name, ...retireClauses(row, policy) }))
    .filter(({ failures, failuresOfYoung }) => failures || failuresOfYoung);

/** Without the row of a retired or deleted skill; its counts are lost with it. */
export const withoutRow = (book: SkillBook, name: string): SkillBook =>
  book.filter((row) => row.name !== name);
