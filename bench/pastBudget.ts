/** Counts held against a written budget. */
import type { Counts, CountTable } from "./counts.ts";

const names: Readonly<Record<keyof Counts, string>> = {
  calls: "calls of functions",
  hashes: "hashes",
  canonicalTexts: "canonical texts",
  bytes: "bytes allocated",
};
/** Bytes differ a little between versions of Node; the rest hardly does. */
const ROOM: Readonly<Record<keyof Counts, number>> = {
  calls: 1.05,
  hashes: 1.01,
  canonicalTexts: 1.01,
  bytes: 1.15,
};
const kinds = Object.keys(names) as readonly (keyof Counts)[];

/** A line for each budget that is exceeded, or that there is no count for. */
export function pastBudget(counts: CountTable, budget: CountTable): readonly string[] {
  const unknown = Object.keys(budget).filter((what) => counts[what] === undefined);
  const past = Object.entries(counts).flatMap(([what, own]) =>
    kinds.flatMap((kind) => {
      const allowed = budget[what]?.[kind];
      if (allowed === undefined) return [`${what}: no budget for ${names[kind]}`];
      if (own[kind] <= allowed) return [];
      const by = allowed === 0 ? "" : `, ${((own[kind] / allowed - 1) * 100).toFixed(1)} %`;
      const found = `${shown(own[kind])} ${names[kind]} per delivery`;
      return [
        `${what}: ${found}, past the budget of ${shown(allowed)} by ${shown(own[kind] - allowed)}${by}`,
      ];
    }),
  );
  return [...unknown.map((what) => `${what}: a budget for what is not run`), ...past];
}

/** What is counted now, and some more. */
export const withRoom = (counts: CountTable): CountTable =>
  Object.fromEntries(
    Object.entries(counts).map(([what, own]) => [
      what,
      {
        calls: roomy(own, "calls"),
        hashes: roomy(own, "hashes"),
        canonicalTexts: roomy(own, "canonicalTexts"),
        bytes: Math.ceil(own.bytes * ROOM.bytes),
      },
    ]),
  );

const roomy = (own: Counts, kind: keyof Counts): number =>
  Math.ceil(own[kind] * ROOM[kind] * 100) / 100;

const shown = (value: number): string => String(Number(value.toFixed(2)));
