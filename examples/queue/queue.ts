// A counter with impatient customers: each is served in turn, or leaves when it has waited too long.
import * as Schema from "effect/Schema";
import * as ghost from "ghostlight";
import { assign, setup } from "xstate";

const { fc, fields, integer, post } = ghost;
const { listOf, outsideEvent, says } = fields;

const ms = { unit: "ms", min: 1_000, max: 86_400_000, source: "ours" };
const leaves = {
  clerks: integer(2, { ...ms, unit: "clerks", min: 1, max: 9, says: "How many serve at once." }),
  patienceMs: integer(360_000, { ...ms, says: "How long a customer waits, on average." }),
  errandMs: integer(180_000, { ...ms, says: "How long an errand takes, on average." }),
};
const customers = ghost.metricsIn("customers");
const metrics = {
  "queue.waiting": customers("In the line, now.", {
    ...{ "customer.joined": 1, "customer.called": -1, "customer.left": -1 },
  }),
  "queue.served": customers("Whose errand was done.", { "customer.served": 1 }),
  "queue.left": customers("Who left without it.", { "customer.left": 1 }),
};

const customer = Schema.Struct({
  id: says(fields.id, "Its name."),
  at: says(fields.duration, "When it comes."),
});
const queue = Schema.Struct({ customers: says(listOf(customer, 0, 999), "Who comes, and when.") });
const clerkLeaves = outsideEvent("clerk.leave", "One clerk goes home.", {});

type Section = { readonly queue?: typeof queue.Type };
type Events = { "clerk.leave": typeof clerkLeaves.Type };
type Named = { readonly id: string };
type Drawn = { readonly patienceMs: number; readonly errandMs: number };

declare module "ghostlight" {
  interface Mail {
    /** To `port/queue.draw`, which knows how patient a customer is and how long its errand takes. */
    "customer.asked": Named & { readonly purpose: "queue.draw" };
    "customer.drawn": Drawn;
    "customer.joined": Named;
    "customer.placed": { readonly ahead: number };
    "customer.called": Named;
    "customer.served": Named;
    "customer.left": Named;
    "clerk.left": object;
  }
  interface PolicyTree extends Readonly<{ queue: typeof leaves }> {}
  interface Metrics extends Readonly<typeof metrics> {}
  interface Sections extends Section {}
  interface SectionSources extends Section {}
  interface EventSources extends Events {}
  interface OutsideEvents extends ghost.AsWritten<Events> {}
}

/** When it leaves, that rests on what it was told when it joined. */
type Customer = Named & { readonly drawn: Drawn; readonly told: readonly number[] };
type Heard = "customer.drawn" | "customer.placed" | "customer.called";
type Said = "customer.joined" | "customer.served" | "customer.left";

const toCounter = (type: Said, { id, told }: Customer): ghost.Letter[] => [
  { to: "counter", event: { type, id }, because: told },
];

const customerMachine = setup({
  types: {} as ghost.ChartTypes<Customer, Heard, Named>,
  delays: {
    patience: ({ context }) => context.drawn.patienceMs,
    errand: ({ context }) => context.drawn.errandMs,
  },
}).createMachine({
  id: "customer",
  context: ({ input: { id } }) => ({ id, drawn: { patienceMs: 0, errandMs: 0 }, told: [] }),
  initial: "arriving",
  states: {
    arriving: {
      entry: post(({ context: { id } }) => {
        const event = { type: "customer.asked", purpose: "queue.draw", id } as const;
        return [ghost.ask({ to: "port/queue.draw", key: "draw", event })];
      }),
      on: {
        "customer.drawn": { target: "waiting", actions: assign(({ event }) => ({ drawn: event })) },
      },
    },
    waiting: {
      entry: post(({ context }) => toCounter("customer.joined", context)),
      on: {
        "customer.placed": { actions: assign(({ event }) => ({ told: [event.at.seq] })) },
        "customer.called": "atCounter",
      },
      after: { patience: "left" },
    },
    atCounter: { after: { errand: "served" } },
    served: { type: "final", entry: post(({ context }) => toCounter("customer.served", context)) },
    left: { type: "final", entry: post(({ context }) => toCounter("customer.left", context)) },
  },
});

type Names = readonly string[];
/** Who waits, who is served, and the deliveries that took clerks away. */
type Counter = Readonly<{ clerks: number; line: Names; served: Names; losses: readonly number[] }>;

/** Calls as many of the line as there are clerks free. */
function called(state: Counter): ghost.Outcome<Counter> {
  const free = Math.max(0, state.clerks - state.losses.length - state.served.length);
  const next = state.line.slice(0, free);
  return {
    state: { ...state, line: state.line.slice(free), served: [...state.served, ...next] },
    letters: next.map((id) => ({ to: `customer/${id}`, event: { type: "customer.called", id } })),
  };
}

const without = (names: Names, id: string) => names.filter((name) => name !== id);
const gone = (state: Counter, { id }: Named) =>
  called({ ...state, line: without(state.line, id), served: without(state.served, id) });

const empty = (clerks: number): Counter => ({ clerks, line: [], served: [], losses: [] });
const counter = (clerks: number) =>
  ghost.service("counter", empty(clerks), {
    "customer.joined": (state, { id, at }) => {
      const { letters, ...joined } = called({ ...state, line: [...state.line, id] });
      const event = { type: "customer.placed", ahead: state.line.length } as const;
      return { ...joined, letters: [{ to: at.from, event, because: state.losses }, ...letters] };
    },
    "customer.served": gone,
    "customer.left": gone,
    "clerk.left": (state, { at }) => called({ ...state, losses: [...state.losses, at.seq] }),
  });

export default ghost.definePart({
  name: "queue",
  policy: { queue: leaves },
  metrics,
  statecharts: () => ({ customer: customerMachine }),
  services: ({ queue: { clerks } }) => ({ counter: counter(clerks) }),
  ports: { customer: ["port/queue.draw"] },
  stage: {
    opening: (world) => [
      { id: "stage", letter: ghost.startActor("counter", "counter", {}) },
      ...ghost.arrivals("customer", world.queue?.customers),
    ],
    letterOf: ({ does }) =>
      does === "clerk.leave" ? { to: "counter", event: { type: "clerk.left" } } : undefined,
  },
  scriptedPorts: ({ policy: { queue: mean }, random }) => ({
    "port/queue.draw": ghost.drawn(random, (draw) => {
      const around = (ms: number) => draw.integer(Math.ceil(ms / 2), Math.ceil(ms * 1.5));
      const [patienceMs, errandMs] = [around(mean.patienceMs), around(mean.errandMs)];
      return { type: "customer.drawn", patienceMs, errandMs };
    }),
  }),
  words: {
    "customer.placed": ({ ahead }, { to }) => `${to} joined the line behind ${ahead} others.`,
    "customer.left": ({ id }) => `${id} left: its patience was over.`,
    "clerk.left": () => "One clerk went home.",
  },
  questions: ghost.questionsBy("customer:NAME", "no customer left", ({ event }) =>
    event.type === "customer.left" ? event.id : undefined,
  ),
  scenario: {
    fields: { behind: { queue: says(Schema.optionalKey(queue), "A counter.") } },
    events: { behind: [clerkLeaves] },
    peopledBy: "queue",
  },
  promises: async () => ({
    properties: [
      {
        ...{ kind: "world", id: "queue-clerks", source: "ours", expected: "holds" },
        says: "No clerk serves two customers at once.",
        watch: ({ queue: { clerks } }) => {
          let served = 0;
          return ({ delivery: { event, fate } }) => {
            if (event.type === "customer.served") served -= 1;
            if (event.type !== "customer.called" || fate !== "handled") return undefined;
            return ++served <= clerks || `${served} customers were served by ${clerks} clerks`;
          };
        },
      },
    ],
    worlds: {
      random: () =>
        fc.record({ seed: fc.nat(), at: fc.array(fc.nat(59)) }).map(({ seed, at }) => ({
          ...{ seed, runsFor: "2h" },
          queue: { customers: at.map((minute, nth) => ({ id: `c${nth}`, at: `${minute}m` })) },
        })),
    },
  }),
});
