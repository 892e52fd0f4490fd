// A part of a program's own, as a program writes it: cars that wait for a ferry, or drive round the bay.
import * as Schema from "effect/Schema";
import fc from "fast-check";
import { assign, setup } from "xstate";
import {
  type At,
  ask,
  type Delivered,
  definePart,
  fields,
  integer,
  metricsIn,
  type Outbox,
  onlyLogged,
  parseDuration,
  post,
  type Service,
  startActor,
  startOf,
} from "../../src/index.ts";

const leaves = {
  places: integer(2, { unit: "cars", min: 1, max: 50, says: "Cars on one ferry.", source: "ours" }),
  everyMs: integer(600_000, {
    ...{ unit: "ms", min: 1_000, max: 86_400_000, source: "ours" },
    says: "Between two ferries.",
  }),
};

const cars = metricsIn("cars");
const metrics = {
  "ferry.aboard": cars("Cars that were taken across.", { "ferry.called": 1 }),
  "ferry.round": cars("Cars that drove round the bay.", { "car.turned": 1 }),
} as const;
type FerryMetrics = typeof metrics;

const car = Schema.Struct({
  id: fields.says(fields.id, "Its number plate."),
  at: fields.says(fields.duration, "When it comes."),
});
const ferry = Schema.Struct({ cars: fields.says(fields.listOf(car, 0, 100), "Who comes.") });
const held = fields.outsideEvent("ferry.hold", "The next ferry does not sail.", {});

declare module "../../src/index.ts" {
  interface Mail {
    /** To `port/ferry.weigh`. */
    "car.arrived": { readonly purpose: "ferry.weigh"; readonly car: string };
    "car.weighed": { readonly patienceMs: number };
    "ferry.joined": { readonly car: string };
    "ferry.called": { readonly places: number };
    "car.turned": { readonly car: string };
    "ferry.sailed": { readonly [field in never]: never };
    "ferry.held": { readonly [field in never]: never };
  }
  interface PolicyTree {
    readonly ferry: typeof leaves;
  }
  interface Sections {
    readonly ferry?: { readonly cars: readonly { readonly id: string; readonly atMs: number }[] };
  }
  interface OutsideEvents {
    "ferry.hold": object;
  }
  interface SectionSources {
    readonly ferry?: typeof ferry.Type;
  }
  interface EventSources {
    "ferry.hold": typeof held.Type;
  }
  interface Inputs {
    car: { readonly car: string };
  }
  interface Metrics extends FerryMetrics {}
  interface Figures {
    readonly carsAboard: number;
  }
}

const msOf = (text: string): number => parseDuration(text) ?? 0;

const carMachine = setup({
  types: {
    context: {} as { readonly car: string; readonly patienceMs: number },
    events: {} as Delivered<"car.weighed" | "ferry.called">,
    input: {} as { readonly car: string; readonly at: At },
    emitted: {} as Outbox,
  },
  actions: {
    weigh: post(({ context: { car: name } }) => [
      ask({
        ...{ to: "port/ferry.weigh", key: "weigh" },
        event: { type: "car.arrived", purpose: "ferry.weigh", car: name },
      }),
    ]),
    join: post(({ context: { car: name } }) => [
      { to: "ferry", event: { type: "ferry.joined", car: name } },
    ]),
    turn: post(({ context: { car: name } }) => [
      { to: "ferry", event: { type: "car.turned", car: name } },
    ]),
  },
  delays: { patience: ({ context }) => context.patienceMs, scales: 60_000 },
}).createMachine({
  id: "car",
  context: ({ input }) => ({ car: input.car, patienceMs: 0 }),
  initial: "arriving",
  states: {
    arriving: {
      entry: "weigh",
      on: {
        "car.weighed": {
          target: "waiting",
          actions: assign(({ event }) => ({ patienceMs: event.patienceMs })),
        },
      },
      after: { scales: "round" },
    },
    waiting: { entry: "join", on: { "ferry.called": "aboard" }, after: { patience: "round" } },
    aboard: { type: "final" },
    round: { type: "final", entry: "turn" },
  },
});

interface FerryState {
  readonly line: readonly string[];
  readonly isHeld: boolean;
}

const ferryService = (places: number, everyMs: number): Service<FerryState> => ({
  ...{ kind: "service", id: "ferry", ignores: [] },
  on: {
    "ferry.joined": (state, event) => onlyLogged({ ...state, line: [...state.line, event.car] }),
    "car.turned": (state, event) =>
      onlyLogged({ ...state, line: state.line.filter((one) => one !== event.car) }),
    "ferry.held": (state) => onlyLogged({ ...state, isHeld: true }),
    "ferry.sailed": ({ line, isHeld }) => ({
      state: { line: isHeld ? line : line.slice(places), isHeld: false },
      letters: [
        ...(isHeld ? [] : line.slice(0, places)).map((name) => ({
          ...{ to: `car/${name}`, event: { type: "ferry.called", places } as const },
        })),
        { to: "ferry", event: { type: "ferry.sailed" }, delayMs: everyMs },
      ],
    }),
  },
  init: () => ({
    state: { line: [], isHeld: false },
    letters: [{ to: "ferry", event: { type: "ferry.sailed" }, delayMs: everyMs }],
  }),
});

export default definePart({
  name: "ferry",
  isThere: (world) => world.ferry !== undefined,
  policy: { ferry: leaves },
  statecharts: () => ({ car: carMachine }),
  services: ({ ferry: { places, everyMs } }) => ({ ferry: ferryService(places, everyMs) }),
  ports: { car: ["port/ferry.weigh"] },
  stage: {
    opening: ({ ferry: own }) =>
      own === undefined
        ? []
        : [
            { id: "stage", letter: startActor("ferry", "ferry", {}) },
            ...own.cars.map(({ id, atMs }) => ({
              id,
              letter: { ...startActor("car", `car/${id}`, { car: id }), delayMs: atMs },
            })),
          ],
    letterOf: ({ does }) =>
      does === "ferry.hold" ? { to: "ferry", event: { type: "ferry.held" } } : undefined,
  },
  scriptedPorts: ({ random }) => ({
    "port/ferry.weigh": {
      answer: ({ from, purpose, nth }) => ({
        event: {
          type: "car.weighed",
          patienceMs: random.at(from, purpose, nth).integer(300_000, 1_500_000),
        },
        latencyMs: 1_000,
      }),
    },
  }),
  words: {
    "ferry.joined": (event) => `${event.car} waits for the ferry.`,
    "ferry.called": (event, { to }) => `${to} drives aboard, one of ${event.places} at most.`,
    "car.turned": (event) => `${event.car} waits no longer and drives round the bay.`,
  },
  questions: {
    forms: ["car:PLATE"],
    none: ["no car drove round the bay"],
    of: ({ event }) => (event.type === "car.turned" ? `car:${event.car}` : undefined),
    find: (deliveries, question) =>
      deliveries.find(
        ({ event }) => event.type === "car.turned" && `car:${event.car}` === question,
      ),
    all: (deliveries) =>
      deliveries.flatMap(({ event }) => (event.type === "car.turned" ? [`car:${event.car}`] : [])),
    trouble: (deliveries) => deliveries.find(({ event }) => event.type === "car.turned"),
  },
  metrics,
  book: {
    start: () => ({ told: {} }),
    step: (_, { event, dueMs: atMs }, moments) => {
      if (event.type !== "car.turned") return;
      moments.push({ atMs, kind: "turned", label: `${event.car} drove round the bay` });
    },
    tellsOf: ({ event }) => startOf(event, "car") !== undefined,
  },
  figures: (_, { last }) => ({ carsAboard: last("ferry.aboard") }),
  promises: async () => ({
    properties: [
      {
        ...{ kind: "world", id: "ferry-takes-all", source: "ours", expected: "holds" },
        says: "No car drives round the bay.",
        watch:
          () =>
          ({ delivery: { event } }) => {
            if (event.type === "car.turned") return `${event.car} drove round`;
            return event.type === "ferry.called" ? true : undefined;
          },
      },
    ],
    worlds: {
      random: (_, set) =>
        fc
          .record({ seed: fc.nat(), minutes: fc.array(fc.nat(59), { maxLength: 6 }) })
          .map(({ seed, minutes }) => ({
            ...{ startsAt: "2026-01-01T00:00:00Z", runsFor: "2h", seed, policy: set },
            ferry: { cars: minutes.map((at, index) => ({ id: `car-${index}`, at: `${at}m` })) },
          })),
    },
  }),
  scenario: {
    fields: {
      behind: { ferry: fields.says(Schema.optionalKey(ferry), "A ferry and its cars.") },
    },
    events: { behind: [held] },
    peopledBy: "ferry",
    sectionsOf: ({ ferry: own }) =>
      own === undefined
        ? {}
        : { ferry: { cars: own.cars.map(({ id, at }) => ({ id, atMs: msOf(at) })) } },
  },
  edge: {
    report: {
      population: ({ ferry: own }) => `${own?.cars.length ?? 0} cars`,
      summary: (_, { carsAboard }) => `${carsAboard} cars were taken across.`,
      variants: {
        title: "What would have taken more across",
        columns: () => ({ head: ["Aboard"], cells: ({ carsAboard }) => [String(carsAboard)] }),
      },
      picture: () => ({ says: "ferries", lanes: [], marks: [] }),
    },
  },
});
