// A part of a test's own for long runs: runners in a ring, who hand a baton on, ask for the road, and stumble in the end.
import * as Schema from "effect/Schema";
import {
  ask,
  definePart,
  drawn,
  fields,
  integer,
  type Letter,
  metricsIn,
  type Outcome,
  questionsBy,
  service,
  startActor,
} from "../../src/index.ts";

const { says } = fields;

const leaves = {
  stumbleAt: integer(2_000, {
    ...{ unit: "laps", min: 1, max: 1_000_000, source: "ours" },
    says: "Every runner stumbles on this lap.",
  }),
};

const metrics = {
  "relay.stumbled": metricsIn("runners")("Runners who stumbled.", { "relay.stumbled": 1 }),
};

const relay = Schema.Struct({
  runners: says(Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 1_000 })), "How many."),
});

type Section = { readonly relay?: typeof relay.Type };

declare module "../../src/index.ts" {
  interface Mail {
    "relay.ran": { readonly lap: number };
    "relay.handed": { readonly note: string };
    /** To `port/relay.road`. */
    "road.asked": { readonly purpose: "relay.road"; readonly lap: number };
    "road.told": { readonly slope: number; readonly note: string };
    "relay.stumbled": { readonly runner: number };
  }
  interface PolicyTree extends Readonly<{ relay: typeof leaves }> {}
  interface Metrics extends Readonly<typeof metrics> {}
  interface Sections extends Section {}
  interface SectionSources extends Section {}
}

interface Runner {
  readonly number: number;
  readonly next: string;
  readonly handed: number;
  readonly slope: number;
  /** The delivery that told it of the road. */
  readonly told: readonly number[];
}

/** As long as what agents write to one another. */
const NOTE = "The baton is yours, the road is dry, and the others are far behind. ".repeat(4);
const LAP_MS = 1_000;
/** Laps between two questions. */
const ASKS_EVERY = 4;

function ran(state: Runner, lap: number, stumbleAt: number): Outcome<Runner> {
  const own = `runner/${state.number}`;
  const letters: Letter[] = [
    { to: own, event: { type: "relay.ran", lap: lap + 1 }, delayMs: LAP_MS },
    { to: state.next, event: { type: "relay.handed", note: `${lap}: ${NOTE}` } },
  ];
  if (lap % ASKS_EVERY === 0) {
    const event = { type: "road.asked", purpose: "relay.road", lap } as const;
    letters.push(ask({ to: "port/relay.road", key: "road", event }));
  }
  if (lap === stumbleAt) {
    const event = { type: "relay.stumbled", runner: state.number } as const;
    letters.push({ to: own, event, because: state.told });
  }
  return { state, letters };
}

const runner = (stumbleAt: number) => ({
  ...service<Runner>(
    "runner",
    { number: 0, next: "", handed: 0, slope: 0, told: [] },
    {
      "relay.ran": (state, { lap }) => ran(state, lap, stumbleAt),
      "relay.handed": (state) => ({ state: { ...state, handed: state.handed + 1 }, letters: [] }),
      "road.told": (state, { slope, at }) => ({
        state: { ...state, slope, told: [at.seq] },
        letters: [],
      }),
      "relay.stumbled": (state) => ({ state, letters: [] }),
    },
  ),
  init: (input: object) => {
    const { number, of } = input as { readonly number: number; readonly of: number }; // See the opening.
    const next = `runner/${(number + 1) % of}`;
    return { state: { number, next, handed: 0, slope: 0, told: [] }, letters: [] };
  },
});

export default definePart({
  name: "relay",
  isThere: (world) => world.relay !== undefined,
  policy: { relay: leaves },
  metrics,
  services: ({ relay: { stumbleAt } }) => ({ runner: runner(stumbleAt) }),
  ports: { runner: ["port/relay.road"] },
  stage: {
    opening: ({ relay: own }) =>
      Array.from({ length: own?.runners ?? 0 }, (_, number) => number).flatMap((number) => [
        {
          id: "stage",
          letter: startActor("runner", `runner/${number}`, { number, of: own?.runners ?? 0 }),
        },
        {
          id: "start",
          letter: { to: `runner/${number}`, event: { type: "relay.ran", lap: 1 }, delayMs: 1 },
        },
      ]),
  },
  scriptedPorts: ({ random }) => ({
    "port/relay.road": drawn(
      random,
      (draw) => ({ type: "road.told", slope: draw.integer(0, 9), note: NOTE }),
      5,
    ),
  }),
  words: {
    "road.told": ({ slope }, { to }) => `${to} was told of a slope of ${slope}.`,
    "relay.stumbled": ({ runner: number }) => `Runner ${number} stumbled.`,
  },
  questions: questionsBy("stumble:NUMBER", "no runner stumbled", ({ event }) =>
    event.type === "relay.stumbled" ? String(event.runner) : undefined,
  ),
  scenario: {
    fields: { behind: { relay: says(Schema.optionalKey(relay), "A ring of runners.") } },
    events: {},
    peopledBy: "relay",
  },
});

/** A world of it: some 500 deliveries a virtual second with 200 runners. */
export const relayText = (runners: number, seconds: number): string => `why: "Runners tire."
source: ours
startsAt: 2026-01-01T00:00:00Z
seed: 7
runsFor: ${seconds}s
relay:
  runners: ${runners}
expect:
  - { name: they stumble, metric: relay.stumbled, op: ">", value: 0 }
`;
