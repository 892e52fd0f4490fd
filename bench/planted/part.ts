// Worlds of which the causes are known: somebody does something or does not, by chance, and a keeper harms once a clause is complete.
import * as Schema from "effect/Schema";
import {
  type AsWritten,
  ask,
  definePart,
  fields,
  type Letter,
  metricsIn,
  type Outcome,
  questionsBy,
  service,
  startActor,
} from "../../src/index.ts";
import type { PlantedWorld, Step } from "./worlds.ts";

const { outsideEvent, says } = fields;
const section = Schema.Struct({ world: says(Schema.String, "A world, as JSON.") });
const tell = outsideEvent("planted.tell", "Somebody outside says it.", {
  step: says(Schema.String, "Which step."),
});
const metrics = {
  "planted.harms": metricsIn("harms")("Harms.", { "planted.harmed": 1 }),
};
type Section = { readonly planted?: typeof section.Type };
type Events = { "planted.tell": typeof tell.Type };
type OfStep = { readonly step: string };

declare module "../../src/index.ts" {
  interface Mail {
    "planted.turn": OfStep;
    /** To a port of its own, which decides by chance. */
    "planted.asked": OfStep & { readonly purpose: string; readonly perMille: number };
    "planted.decided": OfStep & { readonly yes: boolean };
    "planted.did": OfStep;
    "planted.harmed": object;
  }
  interface Metrics extends Readonly<typeof metrics> {}
  interface Sections extends Section {}
  interface SectionSources extends Section {}
  interface EventSources extends Events {}
  interface OutsideEvents extends AsWritten<Events> {}
}

const MINUTE = 60_000;
const KEEPER = "keeper";
const worldIn = (own: Section["planted"]): PlantedWorld =>
  own === undefined ? { name: "", kind: "", steps: [], harm: [] } : JSON.parse(own.world);

const asks = (port: string, step: string, perMille: number): Letter => {
  const event = { type: "planted.asked", purpose: port, step, perMille } as const;
  return ask({ to: `port/planted.${port}`, key: step, event });
};

interface Held {
  readonly world: PlantedWorld;
  /** What was done, and the deliveries that said so. */
  readonly facts: readonly string[];
  readonly seqs: readonly number[];
  readonly fired: readonly number[];
}

const turnOf = ({ id, by }: Step, delayMs: number): Letter => ({
  to: by === null ? KEEPER : `hand/${by}`,
  ...{ event: { type: "planted.turn", step: id }, delayMs },
});

function harmed(state: Held, letters: readonly Letter[] = []): Outcome<Held> {
  const delayMs = (state.world.delayMinutes ?? 0) * MINUTE + 1;
  // A log that knows no better: it rests on everything that was heard by then.
  const harm = {
    to: KEEPER,
    event: { type: "planted.harmed" },
    because: state.seqs,
    delayMs,
  } as const;
  return { state, letters: [...letters, harm] };
}

function heard(state: Held, step: string, seq: number): Outcome<Held> {
  const { world } = state;
  const facts = [...state.facts, step];
  const seqs = [...state.seqs, seq];
  const next = world.steps
    .filter(
      ({ after = [] }) => after.includes(step) && !after.some((one) => state.facts.includes(one)),
    )
    .map((one) => turnOf(one, MINUTE));
  const full = world.harm.flatMap(({ all }, at) =>
    all.every((one) => facts.includes(one)) && !state.fired.includes(at) ? [at] : [],
  );
  const now = { ...state, facts, seqs, fired: [...state.fired, ...full] };
  const rolls = full.flatMap((at) => {
    const { perMille = 1_000 } = world.harm[at] ?? {};
    return perMille < 1_000 ? [asks("luck", `harm ${at}`, perMille)] : [];
  });
  return rolls.length < full.length
    ? harmed(now, [...next, ...rolls])
    : { state: now, letters: [...next, ...rolls] };
}

const stepOf = (world: PlantedWorld, id: string): Step | undefined =>
  world.steps.find((one) => one.id === id);

const keeper = {
  ...service<Held>(
    KEEPER,
    { world: worldIn(undefined), facts: [], seqs: [], fired: [] },
    {
      "planted.turn": (state, { step }) => ({
        state,
        letters: [asks("luck", step, stepOf(state.world, step)?.perMille ?? 0)],
      }),
      "planted.decided": (state, { step, yes, at }) => {
        if (!yes) return { state, letters: [] };
        return step.startsWith("harm ") ? harmed(state) : heard(state, step, at.seq);
      },
      "planted.did": (state, { step, at }) => heard(state, step, at.seq),
      "planted.harmed": (state) => ({ state, letters: [] }),
    },
  ),
  init: (input: object) => ({
    state: { ...(input as { readonly world: PlantedWorld }), facts: [], seqs: [], fired: [] },
    letters: [],
  }),
};

/** Asks its model at each turn, and says what it did. */
const hand = {
  ...service<{ readonly world: PlantedWorld }>(
    "hand",
    { world: worldIn(undefined) },
    {
      "planted.turn": (state, { step }) => ({
        state,
        letters: [asks("choose", step, stepOf(state.world, step)?.perMille ?? 0)],
      }),
      "planted.decided": (state, { step, yes }) => ({
        state,
        letters: yes ? [{ to: KEEPER, event: { type: "planted.did", step } }] : [],
      }),
    },
  ),
  init: (input: object) => ({ state: input as { readonly world: PlantedWorld }, letters: [] }),
};

export const plantedPart = definePart({
  name: "planted",
  isThere: ({ planted }) => planted !== undefined,
  metrics,
  services: () => ({ keeper, hand }),
  ports: { keeper: ["port/planted.luck"], hand: ["port/planted.choose"] },
  stage: {
    opening: ({ planted }) => {
      const world = worldIn(planted);
      const people = [...new Set(world.steps.flatMap(({ by }) => by ?? []))];
      const start = (machine: string, address: string) => ({
        id: "stage",
        letter: startActor(machine, address, { world }),
      });
      if (planted === undefined) return [];
      return [
        start("keeper", KEEPER),
        ...people.map((name) => start("hand", `hand/${name}`)),
        ...world.steps
          .filter(({ at, outside }) => at !== undefined && !outside)
          .map((one) => ({ id: "stage", letter: turnOf(one, (one.at ?? 0) * MINUTE) })),
      ];
    },
    letterOf: (event) =>
      event.does === "planted.tell"
        ? { to: KEEPER, event: { type: "planted.did", step: event.step } }
        : undefined,
  },
  scriptedPorts: ({ random, without }) => {
    const port = (isChoice: boolean) => ({
      answer: ({
        from,
        purpose,
        nth,
        event,
      }: {
        from: string;
        purpose: string;
        nth: number;
        event: object;
      }) => {
        const { step, perMille } = event as { readonly step: string; readonly perMille: number };
        const yes = random.at(from, purpose, nth).integer(0, 999) < perMille && !without.has(step);
        return {
          event: { type: "planted.decided", step, yes } as const,
          latencyMs: 10,
          ...(isChoice && { choice: yes ? step : `not-${step}` }),
        };
      },
    });
    return { "port/planted.choose": port(true), "port/planted.luck": port(false) };
  },
  words: {
    "planted.did": ({ step }, { from }) => `${from} did ${step}.`,
    "planted.harmed": () => "It came to harm.",
  },
  questions: questionsBy("harm:IT", "nothing came to harm", ({ event }) =>
    event.type === "planted.harmed" ? "it" : undefined,
  ),
  scenario: {
    fields: { behind: { planted: says(Schema.optionalKey(section), "A planted world.") } },
    events: { behind: [tell] },
    peopledBy: "planted",
  },
});

/** The scenario of a world, as a file says it. */
export const plantedText = (world: PlantedWorld): string =>
  JSON.stringify({
    ...{
      why: "A planted world.",
      source: "ours",
      startsAt: "2026-01-01T00:00:00Z",
      seed: 1,
      runsFor: "2h",
    },
    planted: { world: JSON.stringify(world) },
    events: world.steps
      .filter(({ outside }) => outside)
      .map(({ id, at = 1 }) => ({ id, at: `${at}m`, does: "planted.tell", step: id })),
    expect: [{ name: "harm", metric: "planted.harms", op: ">=", value: 1 }],
  });
