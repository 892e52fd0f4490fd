/** The picture of an imported log: a row for each who spoke and each tool. */
import { countOf } from "../../../contract/countOf.ts";
import { ink, type PhaseLooks, type Picture, type SignLooks } from "../../../contract/picture.ts";
import type { Titled } from "../../../edges/report/picture.ts";
import type { WrittenLog } from "./logWriter.ts";

/** Ours. */
const most = { rows: 24, marks: 12 };

const phases: PhaseLooks = {
  "ran to a result": { shape: "awaited", colour: ink.axis },
  "ran to an error": { shape: "awaited", colour: ink.bad },
};

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
  const { points, speakers, tools, others } = story.imported;
  const all = [...new Set([...speakers, ...tools].map(({ name }) => name))];
  const names = all.slice(0, most.rows);
  const more = all.length - names.length;
  const errors = story.moments.filter(({ kind }) => kind === "error").slice(0, most.marks);
  return {
    says: "who spoke and which tools answered, over time",
    ...{ phases, signs },
    lanes: names.map((name) => {
      const own = points.filter(({ lane }) => lane === name);
      const spans = own.flatMap(({ atMs, kind, tookMs }) => {
        const phase = `ran to ${kind === "error" ? "an error" : "a result"}`;
        return tookMs === undefined
          ? []
          : [{ phase, fromMs: Math.max(0, atMs - tookMs), toMs: atMs }];
      });
      return { is: "row", label: name, outcome: "", spans, points: own };
    }),
    marks: errors,
    undrawn: [
      ...(imported.clock === "steps" ? ["no times: a second for each record"] : []),
      ...(more > 0 ? [`${others > 0 ? "more than " : ""}${countOf(more, "row")} not drawn`] : []),
    ],
  };
}

export const logHead = ({ head, endMs, startsAt, imported }: WrittenLog): Titled => ({
  title: head.name,
  startsAt: imported.clock === "steps" ? null : startsAt,
  endMs,
});
