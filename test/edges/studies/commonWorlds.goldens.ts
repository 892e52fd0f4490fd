// Each shipped study in a small version, whole runs: the same bytes whether or not what is common is played once.
import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { sweepPlan } from "../../../src/edges/studies/playStudy.ts";
import { worldOf } from "../../../src/edges/studies/runKey.ts";
import { playersHost } from "../../../src/edges/studies/servedRuns.ts";
import { loadStudy } from "../../../src/edges/studies/studyFile.ts";
import { type FamilyRuns, studyPlayer } from "../../../src/edges/studies/studyPlayer.ts";
import { groupedBy } from "../../../src/machines/grouped.ts";
import { runAt } from "../../../src/studies/sweep.ts";
import { lists } from "./sweptRuns.ts";

const cache = process.env["GHOSTLIGHT_CACHE"] ?? null;
const { sandbox, shell } = playersHost({ sandbox: "pyodide", cache });
afterAll(async () => {
  await Promise.all([sandbox.close(), shell.close()]);
});

/** Points of each variant, evenly from all. */
const POINTS = 5;

const studies = readdirSync("studies").flatMap((file) => file.match(/^(.+)\.yaml$/)?.[1] ?? []);
/** Their goals watch promises, so that each run is played by itself. */
const APART = ["synt-weights", "synt-weights-chains"];

describe("the shipped studies", () => {
  it.each(studies)(
    "[ST270] %s comes to the same bytes",
    async (name) => {
      const { study, file } = loadStudy(lists, name);
      const share = { ...worldOf(study), sandbox: "pyodide", cache } as const;
      const apart = await studyPlayer({ ...share, isApart: true }, sandbox, shell);
      const together = await studyPlayer(share, sandbox, shell);
      const all = sweepPlan(study, file).points.map((point) => runAt(study, point, 0));
      let spared = 0;
      for (const own of groupedBy(all, ({ variant }) => variant).values()) {
        const step = Math.ceil(own.length / POINTS);
        const [first, ...others] = own.filter((_, place) => place % step === 0);
        if (first === undefined) continue;
        const runs: FamilyRuns = [first, ...others];
        const [one, other] = [await apart(runs), await together(runs)];
        spared += other.deliveries.spared;

        expect(JSON.stringify(other.facts)).toBe(JSON.stringify(one.facts));
      }
      expect(spared > 0).toBe(!APART.includes(name));
    },
    240_000,
  );
});
