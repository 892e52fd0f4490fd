/** The picture of an imported log: a row for each who spoke and each tool. */
import { countOf } from "../../../contract/countOf.ts";
import {
  ink,
  type PhaseLooks,
  type Picture,
  type SignLooks,
  type Span,
} from "../../../contract/picture.ts";
import type { Titled } from "../../../edges/report/picture.ts";
import { byLength, parentsIn, type Ran, type Within, withinOf } from "../nested.ts";
import type { WrittenLog } from "./logWriter.ts";

/** Ours. */
const most = { rows: 24, marks: 12, levels: 4, calls: 2_000 };

const phases: PhaseLooks = {
  "an agent's run": {
    ...{ shape: "awaited", colour: ink.band },
    says: "an agent's run, to the last that belongs to it",
  },
  "ran to a result": { shape: "awaited", colour: ink.axis },
  "ran to an error": { shape: "awaited", colour: ink.bad },
};

const PHASES = {
  returned: "ran to a result",
  error: "ran to an error",
  run: "an agent's run",
} as const satisfies { readonly [kind in Ran["kind"]]: string };

const signs: SignLooks = {
  said: { shape: "disc", colour: ink.good, says: "said by an agent" },
  heard: { shape: "disc", colour: ink.quiet, says: "said by others" },
  called: { shape: "disc", colour: ink.band },
  returned: { shape: "disc", colour: ink.axis },
  error: { shape: "disc", colour: ink.bad },
};

/** The log as far as its picture needs it. */
interface PicturedLog extends Pick<WrittenLog, "story"> {
  readonly imported: Pick<WrittenLog["imported"], "clock">;
}

export function logPicture({ story, imported }: PicturedLog): Picture {
  const { points, speakers, tools, others, calls, moreCalls, kinship } = story.imported;
  const parents = parentsIn(kinship);
  const all = [...new Set([...speakers, ...tools].map(({ name }) => name))];
  const names = all.slice(0, most.rows);
  const more = all.length - names.length;
  const runs = imported.clock === "steps" ? [] : parents.runsBeside(calls);
  const within = withinOf([...calls, ...runs], parents);
  const drawn = [...within.keys()].sort(byLength).slice(0, most.calls);
  const { spans, deeper } = spansOf(drawn, within);
  const undrawn = within.size - drawn.length + moreCalls;
  const errors = story.moments.filter(({ kind }) => kind === "error").slice(0, most.marks);
  return {
    says: "who spoke and which tools answered, over time",
    ...{ phases, signs },
    lanes: names.map((name) => ({
      ...{ is: "row", label: name, outcome: "", spans: spans.get(name) ?? [] },
      points: points.filter(({ lane }) => lane === name),
    })),
    nested: [...within].flatMap(([{ began, ended }, around]) =>
      around === undefined ? [] : [[began, ended, around.outer.began, around.isInferred] as const],
    ),
    marks: errors,
    undrawn: [
      ...(imported.clock === "steps" ? ["no times: a second for each record"] : []),
      ...(more > 0 ? [`${others > 0 ? "more than " : ""}${countOf(more, "row")} not drawn`] : []),
      ...(deeper > 0 ? [`${countOf(deeper, "call")} more than ${most.levels} deep`] : []),
      ...(undrawn > 0 ? [`${countOf(undrawn, "shorter call")} not drawn`] : []),
    ],
  };
}

/** By row: the calls of its tool, and below each what lies within it, a level each. A tool within itself stands below its own call alone. */
function spansOf(calls: readonly Ran[], within: ReadonlyMap<Ran, Within | undefined>) {
  const spans = new Map<string, Span[]>();
  let deeper = 0;
  for (const one of calls) {
    const levels = new Map([[one.row, 0]]);
    let outer = within.get(one)?.outer;
    for (let level = 1; outer !== undefined && level < most.levels; level++) {
      levels.set(outer.row, level);
      outer = within.get(outer)?.outer;
    }
    if (outer !== undefined) deeper += 1;
    const span = spanOf(one, within.get(one));
    for (const [row, level] of levels) {
      const under = level === 0 ? {} : { under: { label: one.row, level } };
      const own = spans.get(row);
      if (own === undefined) spans.set(row, [{ ...span, ...under }]);
      else own.push({ ...span, ...under });
    }
  }
  return { spans, deeper };
}

const spanOf = ({ kind, fromMs, toMs }: Ran, around: Within | undefined): Span => ({
  phase: PHASES[kind],
  ...{ fromMs, toMs },
  ...(around && {
    within: `${around.outer.row}${around.isInferred ? " (inferred from times)" : ""}`,
  }),
});

export const logHead = ({ head, endMs, startsAt, imported }: WrittenLog): Titled => ({
  title: head.name,
  startsAt: imported.clock === "steps" ? null : startsAt,
  endMs,
});
