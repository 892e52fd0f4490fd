/** Random, Latin hypercube and Sobol designs of factors: points of the unit cube that keep the constraints. */
import type { Constraint, Design, Factor, Setting } from "../study.ts";
import { constraintText, keeps } from "./constraints.ts";
import { type CubeMap, cubeMap } from "./cubeMap.ts";
import type { DesignRows, Refused } from "./design.ts";
import { latinHypercube } from "./latinHypercube.ts";
import { isPowerOfTwo } from "./powerOfTwo.ts";
import { randomSequence } from "./random.ts";
import { sobolSequence } from "./sobol.ts";
import { SOBOL_DIMENSIONS_MAX } from "./sobolDirections.ts";

/** Ours: a search for points that keep the constraints ends where, after so many, fewer than one in a hundred does. */
const DRAWS_BEFORE_REFUSAL = 10_000;
const KEPT_LEAST = 0.01;

type CountedDesign = Extract<Design, { readonly points: number }>;

export function drawnRows(
  design: CountedDesign,
  factors: readonly Factor[],
  constraints: readonly Constraint[],
  seed: number,
): DesignRows | Refused {
  const map = cubeMap(factors, constraints);
  if ("refused" in map) return map;
  if (design.kind === "sobol" && map.dimensions > SOBOL_DIMENSIONS_MAX) {
    return {
      refused: `${map.dimensions} factors need as many dimensions; a Sobol design has at most ${SOBOL_DIMENSIONS_MAX}. Take \`lhs\` or \`random\`.`,
    };
  }
  return design.kind === "lhs"
    ? fromCube(design.points, map, seed)
    : fromSequence(design, map, seed);
}

function fromCube(count: number, map: CubeMap, seed: number): DesignRows | Refused {
  const all = latinHypercube(count, map.dimensions, seed).map(map.settingAt);
  const settings = all.filter((setting) => map.unkept.every((one) => keeps(one, setting)));
  const rejected = count - settings.length;
  if (settings.length === 0) return noneKept(count, map);
  const notes =
    rejected > 0
      ? [
          `${rejected} of the ${count} points of the hypercube break a constraint and are left out; each stratum is hit once with them only.`,
        ]
      : [];
  return { settings, rejected, notes: [...map.notes, ...notes] };
}

function fromSequence(
  design: Exclude<CountedDesign, { readonly kind: "lhs" }>,
  map: CubeMap,
  seed: number,
): DesignRows | Refused {
  const next =
    design.kind === "sobol"
      ? sobolSequence(map.dimensions, design.isScrambled ? seed : null)
      : randomSequence(map.dimensions, seed);
  const settings: Setting[] = [];
  let draws = 0;
  while (settings.length < design.points) {
    if (draws >= DRAWS_BEFORE_REFUSAL && settings.length < draws * KEPT_LEAST) {
      return settings.length === 0 ? noneKept(draws, map) : fewKept(draws, settings.length, map);
    }
    const setting = map.settingAt(next());
    draws += 1;
    if (map.unkept.every((one) => keeps(one, setting))) settings.push(setting);
  }
  const rejected = draws - design.points;
  const notes = [
    ...(rejected > 0
      ? [
          `${rejected} of ${draws} points break a constraint and are left out; as many more were drawn.`,
        ]
      : []),
    ...(design.kind === "sobol" && !isPowerOfTwo(draws)
      ? [`A Sobol sequence is most even where its length is a power of two; this one has ${draws}.`]
      : []),
  ];
  return { settings, rejected, notes: [...map.notes, ...notes] };
}

const noneKept = (draws: number, map: CubeMap): Refused => ({
  refused: `None of ${draws} points keeps ${unkeptText(map)}. Widen the constraint, or narrow the bounds of the factors.`,
});

const fewKept = (draws: number, kept: number, map: CubeMap): Refused => ({
  refused: `Only ${kept} of ${draws} points keep ${unkeptText(map)}; at least one in a hundred must. Widen the constraint, or narrow the bounds of the factors.`,
});

const unkeptText = ({ unkept }: CubeMap): string =>
  unkept.map((one) => `\`${constraintText(one)}\``).join(" and ");
