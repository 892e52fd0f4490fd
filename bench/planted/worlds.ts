/** Forty-four planted worlds, and what is true of each: worked out from its chances, and from no run. */

export interface Step {
  readonly id: string;
  /** Who chooses it; null of what nobody chooses, and of what comes from outside. */
  readonly by: string | null;
  /** In minutes; absent where it follows another. */
  readonly at?: number;
  /** It comes up once one of these was done. */
  readonly after?: readonly string[];
  readonly perMille: number;
  readonly outside?: true;
}

export interface PlantedWorld {
  readonly name: string;
  readonly kind: string;
  readonly steps: readonly Step[];
  /** It comes to harm once all of one clause was done, as often as that clause says. */
  readonly harm: readonly { readonly all: readonly string[]; readonly perMille?: number }[];
  readonly delayMinutes?: number;
}

const outside = (id: string, at: number): Step => ({
  id,
  by: null,
  at,
  perMille: 1_000,
  outside: true,
});
const choice = (id: string, at: number, perMille = 1_000, by = `p${id}`): Step => ({
  id,
  by,
  at,
  perMille,
});
const then = (
  id: string,
  after: string | readonly string[],
  perMille = 1_000,
  by = `p${id}`,
): Step => ({
  ...{ id, by, perMille },
  after: [after].flat(),
});
const hidden = (id: string, at: number, perMille: number): Step => ({ id, by: null, at, perMille });
const thenHidden = (id: string, after: string, perMille: number): Step => ({
  id,
  by: null,
  after: [after],
  perMille,
});

/** Something that nobody chose after a busy step: without that step all later luck is drawn otherwise. */
const SHIFT = thenHidden("v", "n0", 500);

/** A late hour at which it is looked at what was done: nobody chooses it. */
const CLOCK = hidden("clock", 45, 1_000);

/** Somebody busy, of whom nothing comes. */
const noise = (count: number, from = 3): readonly Step[] =>
  Array.from({ length: count }, (_, at) => choice(`n${at}`, from + 4 * at, 700, "busy"));

const all = (...clauses: string[]): PlantedWorld["harm"] =>
  clauses.map((clause) => {
    const [names = "", perMille] = clause.split("@");
    return { all: names.split("+"), ...(perMille && { perMille: Number(perMille) }) };
  });

const of = (
  kind: string,
  ...worlds: readonly Omit<PlantedWorld, "kind" | "name">[]
): PlantedWorld[] => worlds.map((one, at) => ({ kind, name: `${kind} ${at + 1}`, ...one }));

export const WORLDS: readonly PlantedWorld[] = [
  ...of(
    "chain",
    { steps: [outside("a", 1), then("b", "a"), ...noise(3)], harm: all("b") },
    { steps: [choice("a", 1), then("b", "a"), then("c", "b"), ...noise(3)], harm: all("c") },
    {
      steps: [outside("a", 2), then("b", "a", 900), then("c", "b", 900), ...noise(4)],
      harm: all("c"),
    },
    {
      steps: [choice("a", 2, 900), then("b", "a"), then("c", "b"), then("d", "c"), ...noise(2)],
      harm: all("d"),
    },
  ),
  ...of(
    "fork",
    { steps: [outside("a", 1), then("s", "a"), ...noise(3)], harm: all("a") },
    {
      steps: [choice("a", 2, 800), then("s", "a"), then("t", "a"), ...noise(3)],
      harm: all("a@900"),
    },
    {
      steps: [choice("a", 5, 700), then("s", "a", 900), ...noise(4), SHIFT],
      harm: all("a@800"),
      delayMinutes: 5,
    },
    {
      steps: [outside("a", 20), then("s", "a"), then("t", "s"), ...noise(4)],
      harm: all("a@700"),
      delayMinutes: 5,
    },
  ),
  ...of(
    "collider",
    {
      steps: [choice("a", 2, 800), choice("b", 2, 800), then("s", ["a", "b"]), ...noise(3)],
      harm: all("a"),
    },
    {
      steps: [outside("a", 4), choice("b", 3), then("s", ["a", "b"]), ...noise(3)],
      harm: all("a@800"),
      delayMinutes: 4,
    },
    {
      steps: [choice("a", 9, 600), outside("b", 2), then("s", ["a", "b"]), ...noise(2)],
      harm: all("a"),
      delayMinutes: 3,
    },
  ),
  ...of(
    "conjunction",
    { steps: [outside("a", 1), choice("b", 3), ...noise(3)], harm: all("a+b") },
    { steps: [choice("a", 1, 900), choice("b", 30, 900), ...noise(4)], harm: all("a+b") },
    {
      steps: [choice("a", 5, 900), outside("b", 6), choice("c", 7, 900), ...noise(3)],
      harm: all("a+b+c"),
    },
    {
      steps: [choice("a", 5), choice("b", 9), ...noise(3)],
      harm: all("a+b@800"),
      delayMinutes: 20,
    },
  ),
  ...of(
    "over-determination",
    { steps: [outside("a", 5), choice("b", 5), ...noise(3)], harm: all("a", "b"), delayMinutes: 1 },
    { steps: [choice("a", 4), choice("b", 6), ...noise(3)], harm: all("a", "b"), delayMinutes: 9 },
    {
      steps: [choice("a", 4, 950), choice("b", 5, 950), choice("c", 6, 950), ...noise(2)],
      harm: all("a", "b", "c"),
      delayMinutes: 9,
    },
    {
      steps: [choice("a", 4, 900), choice("b", 6, 900), ...noise(3)],
      harm: all("a", "b@900"),
      delayMinutes: 9,
    },
    {
      steps: [outside("a", 3), outside("b", 8), choice("c", 9), ...noise(3)],
      harm: all("a+b", "c"),
      delayMinutes: 5,
    },
  ),
  ...of(
    "pre-emption",
    { steps: [outside("a", 5), choice("b", 40), ...noise(3)], harm: all("a", "b") },
    {
      steps: [choice("a", 20), outside("b", 2), thenHidden("w", "b", 1_000), ...noise(3)],
      harm: all("a", "w+late"),
      delayMinutes: 0,
    },
    { steps: [choice("a", 5), choice("b", 50, 950), ...noise(4)], harm: all("a", "b@950") },
    { steps: [choice("a", 5), choice("b", 30), then("c", "b"), ...noise(3)], harm: all("a", "c") },
  ).map((one) =>
    // The second one's backup comes long after: its own cause lies before the first.
    one.name === "pre-emption 2"
      ? { ...one, steps: [...one.steps, hidden("late", 60, 1_000)] }
      : one,
  ),
  ...of(
    "symptom before cause",
    { steps: [choice("a", 2, 800), then("s", "a"), ...noise(4), CLOCK], harm: all("a+clock") },
    {
      steps: [
        outside("z", 1),
        hidden("u", 2, 800),
        then("s", "u"),
        choice("a", 20, 900),
        ...noise(3),
      ],
      harm: all("u+a"),
    },
    {
      steps: [outside("z", 1), hidden("u", 2, 800), then("s", "u"), outside("a", 25), ...noise(3)],
      harm: all("u+a@900"),
    },
    {
      steps: [choice("a", 3, 700), then("s", "a"), then("t", "s"), ...noise(3), CLOCK],
      harm: all("a+clock@900"),
    },
  ),
  ...of(
    "delayed harm",
    { steps: [outside("a", 1), ...noise(8), CLOCK], harm: all("a+clock") },
    { steps: [choice("a", 1, 700), ...noise(8), CLOCK], harm: all("a+clock@900"), delayMinutes: 5 },
    { steps: [choice("a", 4, 800), ...noise(6)], harm: all("a"), delayMinutes: 90 },
  ),
  ...of(
    "decoy",
    {
      steps: [
        outside("z", 1),
        hidden("u", 2, 600),
        then("d", "u"),
        choice("a", 9, 900),
        ...noise(3),
      ],
      harm: all("u+a"),
    },
    {
      steps: [
        outside("z", 1),
        hidden("u", 2, 700),
        then("d", "u"),
        then("e", "d"),
        outside("a", 9),
        ...noise(3),
      ],
      harm: all("u+a"),
    },
    {
      steps: [choice("a", 1, 900), thenHidden("u", "a", 600), then("d", "u"), ...noise(3)],
      harm: all("u"),
      delayMinutes: 3,
    },
    {
      steps: [choice("a", 6, 900), hidden("u", 7, 500), then("d", "u"), ...noise(3), SHIFT],
      harm: all("a+u"),
      delayMinutes: 3,
    },
  ),
  ...of(
    "graded",
    {
      steps: [choice("a", 2, 900), hidden("u", 9, 150), ...noise(3)],
      harm: all("a", "u"),
      delayMinutes: 9,
    },
    {
      steps: [outside("a", 2), choice("b", 3, 900), ...noise(3)],
      harm: all("a@800", "b@150"),
      delayMinutes: 9,
    },
    {
      steps: [outside("a", 4), hidden("u", 9, 200), ...noise(3), SHIFT],
      harm: all("a@700", "u"),
      delayMinutes: 9,
    },
  ),
  ...of(
    "no cause",
    { steps: [choice("a", 1, 800), hidden("u", 20, 500), ...noise(3), SHIFT], harm: all("u") },
    {
      steps: [outside("a", 1), hidden("u", 2, 400), then("d", "u"), ...noise(4)],
      harm: all("u"),
      delayMinutes: 9,
    },
    {
      steps: [outside("a", 1), choice("b", 2), hidden("u", 30, 1_000), ...noise(3)],
      harm: all("u"),
    },
    {
      steps: [choice("a", 1, 500), hidden("u", 9, 700), then("d", "u"), ...noise(5), SHIFT],
      harm: all("u@700"),
      delayMinutes: 9,
    },
    {
      steps: [outside("a", 1), choice("b", 3, 500), hidden("u", 50, 300), ...noise(6), SHIFT],
      harm: all("u"),
    },
  ),
];

/** P(harm) with these left out: over every way in which chance may go. */
export function probability({ steps, harm }: PlantedWorld, without: readonly string[]): number {
  const from = (at: number, done: ReadonlySet<string>): number => {
    const step = steps[at];
    if (step === undefined) {
      return (
        1 -
        harm.reduce(
          (none, { all: names, perMille = 1_000 }) =>
            names.every((one) => done.has(one)) ? none * (1 - perMille / 1_000) : none,
          1,
        )
      );
    }
    const comes = !without.includes(step.id) && (step.after?.some((one) => done.has(one)) ?? true);
    const share = comes ? step.perMille / 1_000 : 0;
    return (
      (share > 0 ? share * from(at + 1, new Set([...done, step.id])) : 0) +
      (share < 1 ? (1 - share) * from(at + 1, done) : 0)
    );
  };
  return from(0, new Set());
}

/** What is true of a world. */
export interface Truth {
  /** Those without which it happens less, and each by how much. */
  readonly effects: { readonly [id: string]: number };
  /** Those whose effect is the largest. */
  readonly top: readonly string[];
  /** Smallest sets of several that do as much as leaving out everything, where no single one of theirs does. */
  readonly sets: readonly (readonly string[])[];
}

export function truthOf(world: PlantedWorld): Truth {
  const ids = world.steps.filter(({ by, outside: is }) => by !== null || is).map(({ id }) => id);
  const own = probability(world, []);
  const least = probability(world, ids);
  const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-9;
  const effects = Object.fromEntries(
    ids.map((id) => [id, own - probability(world, [id])] as const).filter(([, one]) => one > 1e-9),
  );
  const most = Math.max(0, ...Object.values(effects));
  const top = Object.keys(effects).filter((id) => isSame(effects[id] ?? 0, most));
  const sets: string[][] = [];
  for (let size = 1; size <= 3 && !isSame(own, least); size += 1) {
    for (const set of subsets(ids, size)) {
      if (sets.some((one) => one.every((id) => set.includes(id)))) continue;
      if (isSame(probability(world, set), least)) sets.push(set);
    }
  }
  return { effects, top, sets: sets.filter(({ length }) => length > 1) };
}

function subsets(ids: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return ids.flatMap((id, at) => subsets(ids.slice(at + 1), size - 1).map((rest) => [id, ...rest]));
}
